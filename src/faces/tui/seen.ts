import { useEffect } from 'react';
import { perQuestion } from './kept.ts';
import type { Binding } from './keys.ts';
import { createStore, useStore } from './store.ts';

/**
 * How long a question stands there before it can be answered, in ms: a third of a second to see
 * that it came, and what the terminal may take to show it.
 */
const moment = 400;

/** Since when the question can be answered, by `performance.now()`; null before. */
const answerable = perQuestion(() => createStore<number | null>(null));

/** The keys of a question: those that decide come when a person can have seen what they decide. */
export function useQuestionKeys(question: object, bindings: readonly Binding[]): readonly Binding[] {
  const store = answerable(question);
  const since = useStore(store, (now) => now);
  useEffect(() => {
    if (store.get() !== null) return undefined;
    let soon: NodeJS.Immediate | undefined;
    const timer = setTimeout(() => {
      // What was typed while a slow terminal took the frame is read first.
      soon = setImmediate(() => store.change(() => performance.now()));
    }, moment);
    return () => {
      clearTimeout(timer);
      clearImmediate(soon);
    };
  }, [store]);
  return since === null
    ? bindings.filter(({ decides }) => decides !== true)
    : bindings.map((binding) => (binding.decides === true ? { ...binding, since } : binding));
}
