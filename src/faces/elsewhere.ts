// Puts the questions of a session to a face and elsewhere at once; the answer that comes first counts.
import type { Reach } from '../app/reach-user.ts';
import { type Answers, answersBy } from '../workflow/view-port.ts';
import { answersByForm } from './question-forms.ts';

/** The answers of a face, or those that the user leaves elsewhere. */
export function reachable(face: Answers, { ask, session }: Reach): Answers {
  return firstOf([face, answersByForm(ask, () => ({ session, steers: true }))]);
}

/**
 * The answers of several places: the first one counts, and the question is put away at the others; `answered` then
 * gets the number of the place.
 */
export function firstOf(
  places: readonly Partial<Answers>[],
  answered?: (at: number) => void,
): Answers {
  return answersBy((kind) => async (asked, signal) => {
    const question = lookedUpOnce(asked);
    const over = new AbortController();
    const either = AbortSignal.any([signal, over.signal]);
    const all = places.flatMap((place, at) => {
      const ask = place[kind];
      return ask === undefined ? [] : [ask(question, either).then((answer) => ({ answer, at }))];
    });
    const end = () => over.abort(new Error('it was answered elsewhere'));
    try {
      const { answer, at } = await Promise.race(all);
      end();
      // The others put the question away before they hear of its answer.
      if (answered !== undefined) await Promise.allSettled(all);
      answered?.(at);
      return answer;
    } finally {
      end();
    }
  });
}

/** A question whose missing parts are looked up once, though two places ask for them. */
function lookedUpOnce<Question extends object>(question: Question): Question {
  if (!('lookUp' in question) || typeof question.lookUp !== 'function') return question;
  const { lookUp } = question;
  let found: unknown = null;
  return { ...question, lookUp: () => (found ??= lookUp()) };
}
