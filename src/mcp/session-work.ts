// Lists the kinds of work on a session: how each runs, and which questions its request answers.
import { letUnconfined } from '../app/check-execution.ts';
import { examinePlan } from '../app/examine-plan.ts';
import { answersFrom, nothingGiven, reviewAnswers } from '../app/flag-answers.ts';
import { loadSession } from '../app/load-session.ts';
import {
  type Door,
  executeSession,
  resumeSession,
  reviewSession,
  startSession,
} from '../app/sessions.ts';
import type { Leaf } from '../app/settings/leaf.ts';
import type { Workplace } from '../app/workplace.ts';
import { proposeReview } from '../faces/execution-words.ts';
import { reviewNamed } from '../model/team.ts';
import type { SessionEnd } from '../workflow/recorded.ts';
import type { Answers } from '../workflow/view-port.ts';
import type { SessionRequest } from './job-request.ts';

/** Work of one kind: the equivalent terminal flags, its run, and its answers to questions. */
interface SessionWork {
  readonly flags?: object;
  readonly answers?: (session: string) => Partial<Answers>;
  readonly run: (place: Place) => Promise<SessionEnd>;
}

type Place = Workplace & Door & { readonly flags: readonly Leaf[] };

/** The work that a request describes; `open` answers the questions that the request does not. */
export function sessionWork(request: SessionRequest, open: Answers): SessionWork {
  switch (request.kind) {
    case 'plan': {
      const { task, agents, constraints: constraint } = request;
      const flags = { tools: agents.join(',') || [], constraint };
      return { flags, run: (place) => startSession({ ...place, task }) };
    }
    case 'discuss': {
      const { topic, context, models, rounds } = request;
      const task = [topic, ...context.map((path) => `- ${path}`)].join('\n');
      return {
        flags: { tools: models.join(','), maxRounds: rounds },
        answers: () => ({
          clarify: async () => ({ answers: [], feedback: '', skipped: true, by: 'flags' }),
        }),
        run: (place) => startSession({ ...place, task }),
      };
    }
    case 'critique': {
      const { task, agents, plan: text, host_vendor, parts, revise } = request;
      const given = { text, host_vendor, parts, revise, plan: false };
      const flags = { tools: agents.join(',') || [] };
      return { flags, run: (place) => examinePlan({ ...place, task, given }) };
    }
    case 'decide':
      return {
        answers: (session) => decisionOf(request, session, open),
        run: async (place) =>
          await resumeSession({ ...(await load(request, place)), stalePlan: 'refuse' }),
      };
    case 'review': {
      const { approve, shown } = request;
      const comments = request.comments.map((text) => ({ task: null, text }));
      const given = { version: Infinity, edits: [], comments, approve, reject: null };
      const seen = approve ? { shown } : {};
      return {
        answers: (session) => ({ approve: reviewAnswers({ session, ...given, ...seen }).approve }),
        run: async (place) => await reviewSession(await load(request, place)),
      };
    }
    case 'execute':
      return {
        answers: (session) => executionBy(request, session),
        async run(place) {
          const session = await load(request, place);
          const { unconfined } = request;
          const again = { how: 'again', retry: null } as const;
          const wish = unconfined.length === 0 ? again : await letUnconfined(session, unconfined);
          return await executeSession({ ...session, ...wish, force: false });
        },
      };
  }
}

/** Loads the session that a request names. */
async function load({ session }: { readonly session: string }, place: Place) {
  return { ...place, ...(await loadSession(session, place, place.flags)) };
}

/** Starts the execution; who reviews it is what was said, else another vendor that is ready. */
function executionBy(
  { review }: Extract<SessionRequest, { kind: 'execute' }>,
  session: string,
): Partial<Answers> {
  const { execute, apply } = answersFrom({ ...nothingGiven, execute: true }, session);
  return {
    apply,
    async execute(question, signal) {
      const answer = await execute(question, signal);
      if (answer.kind !== 'now') return answer;
      const proposed = async () =>
        proposeReview({ ...question, ...(await question.lookUp()) }, answer.execution_method);
      return {
        ...answer,
        code_review_tool: review === null ? await proposed() : reviewNamed(review),
      };
    },
  };
}

function decisionOf(
  { solution, feedback, answers }: Extract<SessionRequest, { kind: 'decide' }>,
  session: string,
  open: Answers,
): Partial<Answers> {
  const given = answersFrom({ ...nothingGiven, solution, feedback }, session);
  let isOpen = solution !== null || feedback !== null;
  const answerTo = (at: number) => answers[at] ?? answers.at(-1) ?? '';
  return {
    async clarify(asked, signal) {
      if (answers.length === 0) return await open.clarify(asked, signal);
      const all = asked.questions.map((question, at) => ({ question, answer: answerTo(at) }));
      return { answers: all, feedback: '', skipped: false, by: 'flags' };
    },
    async choose(question, signal) {
      const words = [...question.choices, question.usual].map(({ word }) => word);
      return answers.find((one) => words.includes(one)) ?? (await open.choose(question, signal));
    },
    async decide(question, signal) {
      const decide = isOpen ? given.decide : open.decide;
      isOpen = false;
      return await decide(question, signal);
    },
  };
}
