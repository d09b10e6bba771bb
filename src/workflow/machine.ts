import { assign, fromPromise, setup } from 'xstate';
import {
  type ChartState,
  type Move,
  type WorkflowContext,
  startingContext,
} from './chart-context.ts';

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
    gatherContext: actor('gatherContext'),
    discussRound: actor('discussRound'),
    askUser: actor('askUser'),
    presentOptions: actor('presentOptions'),
    decide: actor('decide'),
    generatePlan: actor('generatePlan'),
    reviewPlan: actor('reviewPlan'),
    handOff: actor('handOff'),
    carryOut: actor('carryOut'),
    reviewCode: actor('reviewCode'),
    bringHome: actor('bringHome'),
  },
  actions: {
    change: assign((_, change: Partial<WorkflowContext>) => change),
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
    context: phase('gatherContext', ['discussion']),
    discussion: phase('discussRound', ['discussion', 'userInputNeeded', 'options', 'failed']),
    userInputNeeded: phase('askUser', ['discussion', 'options']),
    options: phase('presentOptions', ['decision']),
    decision: phase('decide', ['discussion', 'planning', 'cancelled']),
    planning: phase('generatePlan', ['planReview']),
    planReview: phase('reviewPlan', ['planReview', 'planning', 'execution', 'left']),
    execution: phase('handOff', ['carryingOut', 'done']),
    carryingOut: phase('carryOut', ['codeReview']),
    codeReview: phase('reviewCode', ['bringingHome']),
    bringingHome: phase('bringHome', ['done']),
    done: { type: 'final' },
    left: { type: 'final' },
    cancelled: { type: 'final' },
    interrupted: { type: 'final' },
    failed: { type: 'final' },
  },
});

/** A state that runs one phase, and where that may lead. */
function phase<Name extends string>(src: Name, targets: readonly ChartState[]) {
  return {
    invoke: {
      src,
      input: ({ context }: { context: WorkflowContext }) => context,
      onDone: [
        ...targets.map((target) => ({
          guard: ({ event }: { event: { output: Move } }) => event.output.to === target,
          target,
          reenter: true,
          actions: {
            type: 'change',
            params: ({ event }: { event: { output: Move } }) => event.output.change,
          } as const,
        })),
        {
          target: 'failed',
          actions: {
            type: 'endWithError',
            params: ({ event }: { event: { output: Move } }) =>
              new Error(`"${src}" led to "${event.output.to}", where the chart does not go`),
          },
        },
      ],
      onError: {
        target: 'failed',
        actions: {
          type: 'endWithError',
          params: ({ event }: { event: { error: unknown } }) => event.error,
        },
      },
    },
  } as const;
}

// Every actor is given by the session; a chart without them can be drawn and tested, not run.
function actor(name: string) {
  return fromPromise<Move, WorkflowContext>(() =>
    Promise.reject(new Error(`the actor "${name}" was not provided`)),
  );
}
