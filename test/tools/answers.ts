import { answerRoom, answerRows } from '../agents/answer-run.ts';
import { imperfectAnswers } from '../agents/imperfect-answers.ts';

/** Prints what becomes of each imperfect answer, and how many calls it takes. */
const words = {
  taken: 'taken',
  noted: 'taken with notes',
  repaired: 'repaired',
  refused: 'refused',
};
const room = await answerRoom();
const rows = await answerRows(room, imperfectAnswers);
room.remove();
for (const { answer, is, calls, notes } of rows) {
  console.log(
    `${answer.padEnd(48)} ${words[is].padEnd(17)} ${calls}  ${notes.join('; ').slice(0, 120)}`,
  );
}
const needless = rows.filter(({ wanted, calls }) => calls > (wanted === 'repaired' ? 2 : 1));
console.log(
  `\n${rows.length} answers; needless calls: ${needless.length === 0 ? 'none' : needless.length}`,
);
