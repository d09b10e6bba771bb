import type { AnswerRoom } from './answer-run.ts';
import { goodAnswers, type ImperfectAnswer, type Outcome } from './imperfect-answers.ts';

export interface AnswerRow {
  readonly answer: string;
  readonly is: Outcome;
  readonly wanted: Outcome;
  readonly calls: number;
  readonly notes: readonly string[];
}

/** What becomes of each answer when an agent gives it; to a repair it answers well. */
export async function answerRows(
  room: AnswerRoom,
  answers: readonly ImperfectAnswer[],
): Promise<readonly AnswerRow[]> {
  const rows: AnswerRow[] = [];
  for (const { schema, name, text, outcome } of answers) {
    const { result, requests } = await room.ask(schema, [
      text,
      JSON.stringify(goodAnswers[schema]),
    ]);
    const { receipt } = result.answer ?? {};
    const isTaken = receipt?.notes.length === 0;
    const is =
      receipt === undefined
        ? 'refused'
        : requests.length > 1
          ? 'repaired'
          : isTaken
            ? 'taken'
            : 'noted';
    rows.push({
      answer: `${schema}: ${name}`,
      is,
      wanted: outcome,
      calls: requests.length,
      notes: receipt?.notes ?? result.failed.map(({ failure }) => failure.detail),
    });
  }
  return rows;
}
