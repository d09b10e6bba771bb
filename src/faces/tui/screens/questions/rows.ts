import { type Row, emptyRow, row, span, wrapped } from '../../rows.ts';
import { marks } from '../../theme.ts';
import type { QuestionsState } from './state.ts';

/** The question of the moment below those that were answered. */
export function questionRows(
  questions: readonly string[],
  state: QuestionsState,
  width: number,
): readonly Row[] {
  const count = questions.length === 1 ? 'a question' : `${questions.length} questions`;
  return [
    row(span(`The agents have ${count} before they go on.`, 'strong')),
    emptyRow,
    ...questions
      .slice(0, state.at)
      .flatMap((question, index) => [
        ...wrapped(`${marks.done} ${question}`, { width, tone: 'quiet' }),
        ...wrapped(state.answers[index] || 'not answered', { width, tone: 'quiet', indent: 4 }),
      ]),
    ...wrapped(`${marks.chosen} ${questions[state.at] ?? ''}`, { width, tone: 'accent' }),
  ];
}

/** What follows after the question of the moment. */
export function laterRows(
  questions: readonly string[],
  state: QuestionsState,
  width: number,
): readonly Row[] {
  const later = questions.slice(state.at + 1);
  return later.flatMap((question) =>
    wrapped(`${marks.later} ${question}`, { width, tone: 'quiet' }),
  );
}
