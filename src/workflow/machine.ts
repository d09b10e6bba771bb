// Defines the statechart: which phase runs in each state, and where that may lead.
import { assign, fromPromise, setup } from 'xstate';
import {
  type ChartState,
  type Move,
  type PhaseState,
  type WorkflowContext,
  startingContext,
} from './chart-context.ts';

/** The phase that a state runs, and what it starts from. */
export interface PhaseInput {
  readonly state: PhaseState;
  readonly context: WorkflowContext;
}

/** The statechart of a session: it says when each phase runs, the phases say how. No I/O. */
export const workflow = setup({
  // Only the types of these values count.
  types: {
    context: startingContext(''),
    events: { type: 'CANCEL' } as const,
    input: { task: '' },
    output: startingContext(''),
  },
  actors: {
    // Given by the session; a chart without it can be drawn and tested, not run.
    runPhase: fromPromise<Move, PhaseInput>(({ input: { state } }) =>
      Promise.reject(new Error(`nobody was given who runs "${state}"`)),
    ),
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
    context: phase('context', ['discussion']),
    discussion: phase('discussion', ['discussion', 'userInputNeeded', 'options', 'failed']),
    userInputNeeded: phase('userInputNeeded', ['discussion', 'options']),
    options: phase('options', ['decision']),
    decision: phase('decision', ['discussion', 'planning', 'cancelled']),
    planning: phase('planning', ['planReview']),
    planReview: phase('planReview', ['planReview', 'planning', 'execution', 'left']),
    execution: phase('execution', ['carryingOut', 'done']),
    carryingOut: phase('carryingOut', ['codeReview']),
    codeReview: phase('codeReview', ['bringingHome']),
    bringingHome: phase('bringingHome', ['done']),
    done: { type: 'final' },
    left: { type: 'final' },
    cancelled: { type: 'final' },
    interrupted: { type: 'final' },
    failed: { type: 'final' },
  },
});

/** A state that runs one phase, and where that may lead. */
function phase(state: PhaseState, targets: readonly ChartState[]) {
  return {
    invoke: {
      src: 'runPhase',
      input: ({ context }: { context: WorkflowContext }): PhaseInput => ({ state, context }),
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
              new Error(`"${state}" led to "${event.output.to}", where the chart does not go`),
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
