// Holds state outside of React, many changes in one frame.
import { useCallback, useSyncExternalStore } from 'react';

/** The time for which changes that nobody waits for are gathered, in ms: three frames a second. */
const gathered = 333;

/** The state behind the screens, outside of React, so that a thousand events make one frame. */
export interface Store<State> {
  get(): State;
  subscribe(listener: () => void): () => void;
  /** Changes the state and tells everyone now: for what a person did or waits for. */
  change(next: (state: State) => State): void;
  /** Changes the state now and tells everyone soon: for what agents do. */
  gather(next: (state: State) => State): void;
  /** Stops telling. */
  close(): void;
}

export function createStore<State>(start: State): Store<State> {
  const listeners = new Set<() => void>();
  let state = start;
  let timer: NodeJS.Timeout | null = null;
  const tell = () => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    for (const listener of listeners) listener();
  };
  return {
    get: () => state,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    change(next) {
      const before = state;
      state = next(state);
      if (state !== before || timer !== null) tell();
    },
    gather(next) {
      const before = state;
      state = next(state);
      if (state !== before) timer ??= setTimeout(tell, gathered);
    },
    close() {
      listeners.clear();
      if (timer !== null) clearTimeout(timer);
      timer = null;
    },
  };
}

/** A part of the state; the component is drawn again only when that part is another one. */
export function useStore<State, Part>(store: Store<State>, part: (state: State) => Part): Part {
  const subscribe = useCallback((listener: () => void) => store.subscribe(listener), [store]);
  return useSyncExternalStore(subscribe, () => part(store.get()));
}

/**
 * Holds the state of a screen for each question: made when the question is first shown, and still
 * there when the person comes back from the run.
 */
export function perQuestion<Held>(make: () => Held): (question: object) => Held {
  const all = new WeakMap<object, Held>();
  return (question) => {
    const known = all.get(question) ?? make();
    all.set(question, known);
    return known;
  };
}
