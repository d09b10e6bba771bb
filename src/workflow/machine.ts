import { assign, fromPromise, setup } from 'xstate';
import type { CodebaseContext } from '../model/context.ts';
import type { Clarification, Decision } from '../model/decision.ts';
import type { RoundOutput } from '../phases/discussion/round.ts';
import type { WrittenPlan } from '../phases/planning/generate-plan.ts';
import {
  type Reviewed,
  type WorkflowContext,
  asksUser,
  keepRound,
  leftWith,
  nextMove,
  nobodyAnswered,
  reviewAgain,
  startingContext,
  withAnswers,
  withFeedback,
  withReviewed,
} from './chart-context.ts';

/** Every phase gets what the chart knows, and ends the session where it fails. */
const everyPhase = {
  input: ({ context }: { context: WorkflowContext }) => context,
  onError: {
    target: 'failed',
    actions: {
      type: 'endWithError',
      params: ({ event }: { event: { error: unknown } }) => event.error,
    },
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
    endWithError: assign((_, error: unknown) => ({ end: { kind: 'error', error } })),
  },
}).createMachine({
  id: 'conclave',
  context: ({ input }) => startingContext(input.task),
  output: ({ context }) => context,
  initial: 'context',
  on: {
    CANCEL: { target: '.interrupted', actions: assign({ end: { kind: 'interrupted' } }) },
  },
  states: {
    context: {
      invoke: {
        ...everyPhase,
        src: 'gatherContext',
        onDone: {
          target: 'discussion',
          actions: assign(({ event }) => ({ codebase: event.output })),
        },
      },
    },
    discussion: {
      invoke: {
        ...everyPhase,
        src: 'discussRound',
        onDone: [
          {
            guard: ({ event }) => event.output.kind === 'nobody-answered',
            target: 'failed',
            actions: assign(({ event }) => ({ end: nobodyAnswered(event.output) })),
          },
          { guard: ({ event }) => event.output.kind === 'nobody-seated', target: 'options' },
          {
            guard: ({ event }) => nextMove(event.output) === 'another-round',
            target: 'discussion',
            reenter: true,
            actions: assign(({ context, event }) => ({
              ...keepRound(event.output),
              round: context.round + 1,
            })),
          },
          {
            guard: ({ event }) => asksUser(nextMove(event.output)),
            target: 'userInputNeeded',
            actions: assign(({ event }) => keepRound(event.output)),
          },
          {
            guard: ({ event }) => nextMove(event.output) === 'not-converged',
            target: 'failed',
            actions: assign(({ event }) => ({
              ...keepRound(event.output),
              end: { kind: 'not-converged' },
            })),
          },
          { target: 'options', actions: assign(({ event }) => keepRound(event.output)) },
        ],
      },
    },
    userInputNeeded: {
      invoke: {
        ...everyPhase,
        src: 'askUser',
        onDone: [
          { guard: ({ event }) => event.output.skipped, target: 'options' },
          {
            guard: ({ context }) => context.next === 'ask-at-end',
            target: 'options',
            actions: assign(({ context, event }) => ({
              ...withAnswers(context, event.output),
              round: context.round,
            })),
          },
          {
            target: 'discussion',
            actions: assign(({ context, event }) => withAnswers(context, event.output)),
          },
        ],
      },
    },
    options: {
      entry: assign(({ context }) => ({ decisions: context.decisions + 1 })),
      invoke: {
        ...everyPhase,
        src: 'presentOptions',
        onDone: 'decision',
      },
    },
    decision: {
      invoke: {
        ...everyPhase,
        src: 'decide',
        onDone: [
          {
            guard: ({ event }) => event.output.kind === 'more-analysis',
            target: 'discussion',
            actions: assign(({ context, event }) => ({
              round: context.round + 1,
              atLeastRounds: context.round + 1,
              feedback: withFeedback(context, event.output),
            })),
          },
          {
            guard: ({ event }) => event.output.kind === 'cancel',
            target: 'cancelled',
            actions: assign({ end: { kind: 'cancelled' } }),
          },
          {
            target: 'planning',
            actions: assign(({ context, event }) => ({
              decision: event.output.kind === 'approve' ? event.output : null,
              feedback: withFeedback(context, event.output),
            })),
          },
        ],
      },
    },
    planning: {
      invoke: {
        ...everyPhase,
        src: 'generatePlan',
        onDone: {
          target: 'planReview',
          actions: assign(({ event }) => ({ plan: event.output, comments: null })),
        },
      },
    },
    planReview: {
      invoke: {
        ...everyPhase,
        src: 'reviewPlan',
        onDone: [
          {
            guard: ({ event }) => event.output.next === 'hand-off',
            target: 'execution',
            actions: assign(({ context, event }) => withReviewed(context, event.output)),
          },
          {
            guard: ({ event }) => event.output.next === 'revise',
            target: 'planning',
            actions: assign(({ context, event }) => reviewAgain(context, event.output)),
          },
          {
            guard: ({ event }) => event.output.next === 'ask-again',
            target: 'planReview',
            reenter: true,
            actions: assign(({ context, event }) => reviewAgain(context, event.output)),
          },
          {
            target: 'left',
            actions: assign(({ context, event }) => ({
              ...withReviewed(context, event.output),
              end: leftWith(event.output),
            })),
          },
        ],
      },
    },
    execution: {
      invoke: {
        ...everyPhase,
        src: 'handOff',
        onDone: { target: 'done', actions: assign({ end: { kind: 'done' } }) },
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
