// Holds state outside of React, with many changes per frame.
import { useCallback, useSyncExternalStore } from 'react';

/** The time for which changes that can wait are gathered, in ms: three frames a second. */
const gathered = 333;

/** The state behind the screens, outside of React, so that a thousand events cause one frame. */
export interface Store<State> {
  get(): State;
  subscribe(listener: () => void): () => void;
  /** Changes the state and notifies listeners now: for what a person did or waits for. */
  change(next: (state: State) => State): void;
  /** Changes the state now and notifies listeners soon: for what agents do. */
  gather(next: (state: State) => State): void;
  /** Stops notifying listeners. */
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

/** Reads a part of the state; the component is redrawn only when that part changes. */
export function useStore<State, Part>(store: Store<State>, part: (state: State) => Part): Part {
  const subscribe = useCallback((listener: () => void) => store.subscribe(listener), [store]);
  return useSyncExternalStore(subscribe, () => part(store.get()));
}

/**
 * Holds the state of a screen for each question: made when the question is first shown, and kept
 * until the person returns from the run.
 */
export function perQuestion<Held>(make: () => Held): (question: object) => Held {
  const all = new WeakMap<object, Held>();
  return (question) => {
    const known = all.get(question) ?? make();
    all.set(question, known);
    return known;
  };
}
