// Answers the questions of a session as the request of a job does.
import { answersFrom, nothingGiven, reviewAnswers } from '../app/flag-answers.ts';
import { type Answers, answersOr } from '../workflow/view-port.ts';
import type { SessionRequest } from './job-request.ts';

/** Answers what the request answers; any other question stops the session, saved. */
export function answersOf(
  request: SessionRequest,
  session: string,
  ask: (name: string) => () => Promise<never>,
): Answers {
  const later = {
    execute: async () => ({ kind: 'later' as const }),
    apply: async () => false,
  };
  const open: Answers = {
    clarify: ask('questions of the agents'),
    decide: ask('decision'),
    approve: ask('approval of the plan'),
    choose: ({ asks }) => ask(asks)(),
    ...later,
  };
  if (request.kind === 'discuss') {
    return {
      ...open,
      clarify: async () => ({ answers: [], feedback: '', skipped: true, by: 'flags' }),
    };
  }
  if (request.kind === 'decide') {
    const { solution, feedback, answers } = request;
    const given = answersFrom({ ...nothingGiven, solution, feedback }, session);
    const isGiven = solution !== null || feedback !== null;
    return {
      ...open,
      ...(answers.length === 0 ? {} : { clarify: clarifyWith(answers) }),
      async choose(question, signal) {
        const words = [...question.choices, question.usual].map(({ word }) => word);
        const word = answers.find((answer) => words.includes(answer));
        return word ?? (await open.choose(question, signal));
      },
      ...(isGiven ? { decide: onceOr(given.decide, ask('decision')) } : {}),
    };
  }
  if (request.kind === 'review') {
    const comments = request.comments.map((text) => ({ task: null, text }));
    const review = {
      session,
      version: Infinity,
      edits: [],
      comments,
      approve: request.approve,
      reject: null,
      ...(request.approve ? { shown: request.shown } : {}),
    };
    return answersOr(ask('approval of the plan'), {
      ...later,
      approve: reviewAnswers(review).approve,
    });
  }
  if (request.kind === 'execute') {
    const given = answersFrom({ ...nothingGiven, execute: true }, session);
    return answersOr(ask('decision'), { execute: given.execute, apply: given.apply });
  }
  return open;
}

function onceOr<Q, A>(
  answer: (question: Q, signal: AbortSignal) => Promise<A>,
  otherwise: () => Promise<never>,
): (question: Q, signal: AbortSignal) => Promise<A> {
  let isAnswered = false;
  return async (question, signal) => {
    if (isAnswered) return await otherwise();
    isAnswered = true;
    return await answer(question, signal);
  };
}

function clarifyWith(answers: readonly string[]): Answers['clarify'] {
  return async ({ questions }) => ({
    answers: questions.map((question, at) => ({
      question,
      answer: answers[at] ?? answers.at(-1) ?? '',
    })),
    feedback: '',
    skipped: false,
    by: 'flags',
  });
}
