import type { View } from '../../workflow/view.ts';
import { type Stage, type TuiState, withEvent, withStage } from './state.ts';
import type { Store } from './store.ts';

/** The port `View` over the screens: events are folded, a question is a stage until it is answered. */
export function tuiView(store: Store<TuiState>): View {
  return {
    show: (event) => store.gather((state) => withEvent(state, event)),
    clarify: (question, signal) =>
      ask(store, signal, (answer) => ({ kind: 'clarify', question, answer })),
    decide: (question, signal) =>
      ask(store, signal, (answer) => ({ kind: 'decide', question, answer })),
    approve: (question, signal) =>
      ask(store, signal, (answer) => ({ kind: 'approve', question, answer })),
  };
}

async function ask<Answer>(
  store: Store<TuiState>,
  signal: AbortSignal,
  stageFor: (answer: (given: Answer) => void) => Stage,
): Promise<Answer> {
  signal.throwIfAborted();
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const withdraw = () => reject(signal.reason);
  signal.addEventListener('abort', withdraw, { once: true });
  store.change((state) => withStage(state, stageFor(resolve)));
  try {
    return await promise;
  } finally {
    signal.removeEventListener('abort', withdraw);
    store.change((state) => withStage(state, { kind: 'run' }));
  }
}
