// Puts the questions of a session to a face and elsewhere at once; the answer that comes first counts.
import type { Reach } from '../app/reach-user.ts';
import type { EventOf } from '../model/event.ts';
import type { Answers, QuestionKind } from '../workflow/view-port.ts';
import { answersByForm } from './question-forms.ts';

type Put<Kind extends QuestionKind> = Parameters<Answers[Kind]>[0];

/** The event of a warning that no step of a session raises. */
export function newWarning(text: string): EventOf<'warning.raised'> {
  return { type: 'warning.raised', text, seq: 0, at: new Date().toISOString(), replayed: false };
}

/** The answers of a face, or those that the user leaves elsewhere. */
export function reachable(face: Answers, reach: Reach): Answers {
  const { session } = reach;
  const all = answersByForm(reach.ask, () => ({ session, steers: true }));
  const { execute: _, choose: __, ...open } = all;
  // What cannot be left elsewhere is only told.
  return firstOf(face, reach.tells ? all : open);
}

/** The answers of two places; the question is put away at the other one. */
function firstOf(here: Answers, there: Partial<Answers>): Answers {
  const first =
    <Kind extends QuestionKind>(kind: Kind) =>
    async (asked: Put<Kind>, signal: AbortSignal) => {
      const other = there[kind];
      if (other === undefined) return await here[kind](asked, signal);
      const question = lookedUpOnce(asked);
      const over = new AbortController();
      const both = AbortSignal.any([signal, over.signal]);
      try {
        return await Promise.race([here[kind](question, both), other(question, both)]);
      } finally {
        over.abort(new Error('it was answered elsewhere'));
      }
    };
  return {
    clarify: first('clarify'),
    decide: first('decide'),
    approve: first('approve'),
    execute: first('execute'),
    apply: first('apply'),
    choose: first('choose'),
  };
}

/** A question whose missing parts are looked up once, though two places ask for them. */
function lookedUpOnce<Question extends object>(question: Question): Question {
  if (!('lookUp' in question) || typeof question.lookUp !== 'function') return question;
  const { lookUp } = question;
  let found: unknown = null;
  return { ...question, lookUp: () => (found ??= lookUp()) };
}
