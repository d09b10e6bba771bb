import { type Row, bulleted, emptyRow, row, span, wrapped } from '../../rows.ts';
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
        ...bulleted([question], { mark: marks.done, width, tone: 'quiet', textTone: 'quiet' }),
        ...wrapped(state.answers[index] || 'not answered', { width, tone: 'quiet', indent: 4 }),
      ]),
    ...bulleted([questions[state.at] ?? ''], { ...now, width }),
  ];
}

const now = { mark: marks.chosen, tone: 'accent', textTone: 'accent' } as const;

/** What follows after the question of the moment. */
export function laterRows(
  questions: readonly string[],
  state: QuestionsState,
  width: number,
): readonly Row[] {
  const later = questions.slice(state.at + 1);
  return bulleted(later, { mark: marks.later, width, tone: 'quiet', textTone: 'quiet' });
}
