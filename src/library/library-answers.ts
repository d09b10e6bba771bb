// Puts the questions of a session to a program’s function, and reads its answers.
import { answersBy, readChoice } from '../faces/programs/program-answers.ts';
import { wrongUsage } from '../model/failure.ts';
import { firstMisfit } from '../store/schema-findings.ts';
import type { Answers } from '../workflow/view-port.ts';
import { type Answer, AnswerShape, type Question } from './shapes.ts';

/** Answers every question with the function’s result; throws `usage` for an invalid answer. */
export function answersOf(answer: (question: Question) => Answer | Promise<Answer>): Answers {
  return answersBy(async (question, { signal, read, skipped }) => {
    const given = await answer(question);
    signal.throwIfAborted();
    const refuse = (why: string) => wrongUsage(`answer to "${question.kind}": ${why}`);
    if (given === 'skip') {
      if (skipped === null) throw refuse('it cannot be skipped.');
      return skipped.answer;
    }
    const misfit = firstMisfit(given, AnswerShape);
    if (misfit !== '') throw refuse(`${misfit}.`);
    const reading = readChoice({ type: 'answer', id: question.kind, ...given }, question, read);
    if ('refusal' in reading) throw refuse(reading.refusal);
    return reading.answer;
  });
}
