// Makes the states of the chart that run a phase, and the ends that only a bug can reach.
import { fromPromise } from 'xstate';
import type { WorkflowContext } from './chart-context.ts';

/** Declares a phase for the chart: from what is known about the session to its own output. */
export function phase<T>() {
  return fromPromise<T, WorkflowContext>(() =>
    Promise.reject(new Error('nobody was given who runs the phases')),
  );
}

/** A state that runs a phase; without an error, its output goes to `keep` and the chart to `target`. */
export function run<const P extends string, const K extends string, const T extends string>(state: {
  readonly phase: P;
  readonly keep: K;
  readonly target: T;
}) {
  return {
    invoke: {
      src: state.phase,
      input: ({ context }: { readonly context: WorkflowContext }) => context,
      onDone: {
        target: state.target,
        actions: {
          type: state.keep,
          params: <O>({ event }: { readonly event: { readonly output: O } }) => event.output,
        },
      },
      onError,
    },
  } as const;
}

/** Errors are bugs or temporary problems, e.g. a full disk; the session tells them apart. */
const onError = {
  target: 'failed',
  actions: {
    type: 'endWithError',
    params: ({ event }: { readonly event: { readonly error: unknown } }) => event.error,
  },
} as const;

/** Ends the run with an error at an output that no guard knows: that is a bug, which must not pass silently. */
export function deadEnd(of: string) {
  const error = new Error(`the chart has no way on from what ${of} came to`);
  return { target: 'failed', actions: { type: 'endWithError', params: error } } as const;
}
