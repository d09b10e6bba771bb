// Puts the questions of a session to a program’s function, and reads its answers.
import { answersByForm } from '../faces/question-forms.ts';
import { wrongUsage } from '../model/failure.ts';
import { FormValues, readForm, skipForm } from '../model/form.ts';
import { firstMisfit } from '../store/schema-findings.ts';
import type { Answers } from '../workflow/view-port.ts';
import type { Answer, Question } from './shapes.ts';

/** Answers every question with the function’s result; throws `usage` for an invalid answer. */
export function answersOf(
  answer: (question: Question) => Answer | Promise<Answer>,
  session = '',
): Answers {
  return answersByForm(
    async (question, { signal }) => {
      const given = await answer(question.form);
      signal.throwIfAborted();
      const refuse = (why: string) => wrongUsage(`answer to "${question.form.kind}": ${why}`);
      if (given !== 'skip') {
        const misfit = firstMisfit(given, FormValues);
        if (misfit !== '') throw refuse(`${misfit}.`);
      }
      const reading = given === 'skip' ? skipForm(question) : readForm(question, given);
      if ('refusal' in reading) throw refuse(reading.refusal);
      return reading.answer;
    },
    () => ({ session }),
  );
}
