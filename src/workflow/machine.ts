import { assign, fromPromise, setup } from 'xstate';
import type { CodebaseContext } from '../model/context.ts';
import type { Clarification, Decision } from '../model/decision.ts';
import type { NextMove, RoundOutput } from '../phases/discussion/round.ts';
import type { WrittenPlan } from '../phases/planning/generate-plan.ts';
import {
  type Reviewed,
  type WorkflowContext,
  type WorkflowEnd,
  keepRound,
  leftWith,
  nobodyAnswered,
  startingContext,
  withFeedback,
} from './chart-context.ts';

const onError = {
  target: 'failed',
  actions: {
    type: 'endWith',
    params: ({ event }: { event: { error: unknown } }) =>
      ({ kind: 'error', error: event.error }) as const,
  },
} as const;

/** The statechart of a session: it says when each phase runs, the actors say how. No I/O. */
export const workflow = setup({
  // Only the types of these values count.
  types: {
    context: startingContext(''),
    events: { type: 'CANCEL' } as const,
    input: { task: '' },
    output: startingContext(''),
  },
  actors: {
    gatherContext: actor<CodebaseContext>('gatherContext'),
    discussRound: actor<RoundOutput>('discussRound'),
    askUser: actor<Clarification>('askUser'),
    presentOptions: actor<null>('presentOptions'),
    decide: actor<Decision>('decide'),
    generatePlan: actor<WrittenPlan>('generatePlan'),
    reviewPlan: actor<Reviewed>('reviewPlan'),
    handOff: actor<null>('handOff'),
  },
  actions: {
    endWith: assign((_, end: WorkflowEnd) => ({ end })),
    keepRound: assign((_, output: RoundOutput) => keepRound(output)),
    countDecision: assign(({ context }) => ({ decisions: context.decisions + 1 })),
    keepAnswers: assign(({ context }, given: Clarification) => ({
      round: context.round + 1,
      answers: [...context.answers, ...given.answers],
      feedback: given.feedback === '' ? context.feedback : [...context.feedback, given.feedback],
    })),
    // A person may have edited the files: what was approved or left is what counts.
    keepReviewed: assign(({ context }, { reviewed }: Reviewed) => ({
      plan:
        context.plan === null || reviewed.plan === null
          ? context.plan
          : { ...context.plan, ...reviewed, plan: reviewed.plan },
    })),
    // The next review has its own step keys, whether the plan is another one or was changed.
    reviewAgain: assign(({ context }, { verdict }: Reviewed) => ({
      reviews: context.reviews + 1,
      comments: verdict.kind === 'revise' ? verdict.comments : null,
    })),
    endLeft: assign((_, reviewed: Reviewed) => ({ end: leftWith(reviewed) })),
    askForMore: assign(({ context }, decision: Decision) => ({
      round: context.round + 1,
      atLeastRounds: context.round + 1,
      feedback: withFeedback(context, decision),
    })),
    keepDecision: assign(({ context }, decision: Decision) => ({
      decision: decision.kind === 'approve' ? decision : null,
      feedback: withFeedback(context, decision),
    })),
  },
  guards: {
    nobodyAnswered: (_, output: RoundOutput) => output.kind === 'nobody-answered',
    nobodySeated: (_, output: RoundOutput) => output.kind === 'nobody-seated',
    goesTo: (_, { output, move }: { output: RoundOutput; move: NextMove }) =>
      output.kind === 'synthesized' && output.next === move,
    skipped: (_, given: Clarification) => given.skipped,
    decided: (_, { decision, kind }: { decision: Decision; kind: Decision['kind'] }) =>
      decision.kind === kind,
    reviewLeads: (_, { reviewed, to }: { reviewed: Reviewed; to: Reviewed['next'] }) =>
      reviewed.next === to,
  },
}).createMachine({
  id: 'conclave',
  context: ({ input }) => startingContext(input.task),
  output: ({ context }) => context,
  initial: 'context',
  on: {
    CANCEL: {
      target: '.interrupted',
      actions: { type: 'endWith', params: { kind: 'interrupted' } },
    },
  },
  states: {
    context: {
      invoke: {
        src: 'gatherContext',
        input: ({ context }) => context,
        onDone: {
          target: 'discussion',
          actions: assign(({ event }) => ({ codebase: event.output })),
        },
        onError,
      },
    },
    discussion: {
      invoke: {
        src: 'discussRound',
        input: ({ context }) => context,
        onDone: [
          {
            guard: { type: 'nobodyAnswered', params: ({ event }) => event.output },
            target: 'failed',
            actions: assign(({ event }) => ({ end: nobodyAnswered(event.output) })),
          },
          {
            guard: { type: 'nobodySeated', params: ({ event }) => event.output },
            target: 'options',
          },
          {
            guard: {
              type: 'goesTo',
              params: ({ event }) => ({ output: event.output, move: 'another-round' }),
            },
            target: 'discussion',
            reenter: true,
            actions: [
              { type: 'keepRound', params: ({ event }) => event.output },
              assign(({ context }) => ({ round: context.round + 1 })),
            ],
          },
          {
            guard: {
              type: 'goesTo',
              params: ({ event }) => ({ output: event.output, move: 'ask-user' }),
            },
            target: 'userInputNeeded',
            actions: { type: 'keepRound', params: ({ event }) => event.output },
          },
          {
            guard: {
              type: 'goesTo',
              params: ({ event }) => ({ output: event.output, move: 'not-converged' }),
            },
            target: 'failed',
            actions: [
              { type: 'keepRound', params: ({ event }) => event.output },
              { type: 'endWith', params: { kind: 'not-converged' } },
            ],
          },
          {
            target: 'options',
            actions: { type: 'keepRound', params: ({ event }) => event.output },
          },
        ],
        onError,
      },
    },
    userInputNeeded: {
      invoke: {
        src: 'askUser',
        input: ({ context }) => context,
        onDone: [
          { guard: { type: 'skipped', params: ({ event }) => event.output }, target: 'options' },
          {
            target: 'discussion',
            actions: { type: 'keepAnswers', params: ({ event }) => event.output },
          },
        ],
        onError,
      },
    },
    options: {
      entry: 'countDecision',
      invoke: {
        src: 'presentOptions',
        input: ({ context }) => context,
        onDone: 'decision',
        onError,
      },
    },
    decision: {
      invoke: {
        src: 'decide',
        input: ({ context }) => context,
        onDone: [
          {
            guard: {
              type: 'decided',
              params: ({ event }) => ({ decision: event.output, kind: 'more-analysis' }),
            },
            target: 'discussion',
            actions: { type: 'askForMore', params: ({ event }) => event.output },
          },
          {
            guard: {
              type: 'decided',
              params: ({ event }) => ({ decision: event.output, kind: 'cancel' }),
            },
            target: 'cancelled',
            actions: { type: 'endWith', params: { kind: 'cancelled' } },
          },
          {
            target: 'planning',
            actions: { type: 'keepDecision', params: ({ event }) => event.output },
          },
        ],
        onError,
      },
    },
    planning: {
      invoke: {
        src: 'generatePlan',
        input: ({ context }) => context,
        onDone: {
          target: 'planReview',
          actions: assign(({ event }) => ({ plan: event.output, comments: null })),
        },
        onError,
      },
    },
    planReview: {
      invoke: {
        src: 'reviewPlan',
        input: ({ context }) => context,
        onDone: [
          {
            guard: {
              type: 'reviewLeads',
              params: ({ event }) => ({ reviewed: event.output, to: 'hand-off' }),
            },
            target: 'execution',
            actions: { type: 'keepReviewed', params: ({ event }) => event.output },
          },
          {
            guard: {
              type: 'reviewLeads',
              params: ({ event }) => ({ reviewed: event.output, to: 'revise' }),
            },
            target: 'planning',
            actions: { type: 'reviewAgain', params: ({ event }) => event.output },
          },
          {
            guard: {
              type: 'reviewLeads',
              params: ({ event }) => ({ reviewed: event.output, to: 'ask-again' }),
            },
            target: 'planReview',
            reenter: true,
            actions: { type: 'reviewAgain', params: ({ event }) => event.output },
          },
          {
            target: 'left',
            actions: [
              { type: 'keepReviewed', params: ({ event }) => event.output },
              { type: 'endLeft', params: ({ event }) => event.output },
            ],
          },
        ],
        onError,
      },
    },
    execution: {
      invoke: {
        src: 'handOff',
        input: ({ context }) => context,
        onDone: { target: 'done', actions: { type: 'endWith', params: { kind: 'done' } } },
        onError,
      },
    },
    done: { type: 'final' },
    left: { type: 'final' },
    cancelled: { type: 'final' },
    interrupted: { type: 'final' },
    failed: { type: 'final' },
  },
});

// Every actor is given by the session; a chart without them can be drawn and tested, not run.
function actor<Output>(name: string) {
  return fromPromise<Output, WorkflowContext>(() =>
    Promise.reject(new Error(`the actor "${name}" was not provided`)),
  );
}
