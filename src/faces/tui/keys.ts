import { useKeyboard } from './keyboard.tsx';
import type { KeyName } from './presses.ts';

/** What a key does at this moment. */
export interface Binding {
  /** The first one is shown in the line of keys. */
  readonly keys: readonly KeyName[];
  /** A few words, e.g. `approve`. */
  readonly does: string;
  /** Left out of the line of keys where the room is short; `?` shows all. */
  readonly minor?: boolean;
  /** It answers a question or leads past what it asks: not for a key meant for the screen before. */
  readonly decides?: boolean;
  /** It wants a press of its own: a key that is held down does not reach it. */
  readonly fresh?: boolean;
  /** What was pressed earlier is not for it, by `performance.now()`. */
  readonly since?: number;
  readonly run: () => void;
}

/** Calls what the pressed key is bound to. */
export function useBindings(bindings: readonly Binding[]): void {
  useKeyboard(
    ({ name }, at) =>
      bindings
        .find(({ keys, since = 0 }) => name !== null && keys.includes(name) && since <= at)
        ?.run(),
    {
      taker: 'keys',
      isActive: true,
    },
  );
}

/** The bindings with the keys that reach them: of two that have the same key, it is for the first. */
export function heard(bindings: readonly Binding[]): readonly Binding[] {
  const taken = new Set<KeyName>();
  return bindings.flatMap((binding) => {
    const keys = binding.keys.filter((key) => !taken.has(key));
    for (const key of keys) taken.add(key);
    return keys.length === 0 ? [] : [{ ...binding, keys }];
  });
}
