import { cut, renderWithin } from './budget.ts';
import { bullets } from './data.ts';
import { type Question, type QuestionPhase, commonValues, fencedValues } from './question.ts';

/** How much of the unusable answer is quoted back, in bytes. */
const quotedBytes = 20 * 1024;

/** The one request to correct an answer that did not fit its schema. */
export function repairPrompt(
  question: Question & {
    readonly phase: QuestionPhase;
    /** What is wrong, one line each. */
    readonly errors: readonly string[];
    /** The answer as it came. */
    readonly answer: string;
  },
): string {
  const values = {
    ...commonValues({ ...question, repair: true }),
    errors: bullets(question.errors),
    answer: cut(question.answer, quotedBytes),
  };
  return renderWithin('repair', values, {
    maxBytes: question.maxBytes,
    cuttable: ['answer', 'errors'],
    dress: (raw) =>
      fencedValues(question.nonce, { errors: 'errors', answer: 'previous answer' }, raw),
  });
}
