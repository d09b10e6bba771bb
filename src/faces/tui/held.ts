import { useEffect, useState } from 'react';
import { useLastPress } from './keyboard.tsx';
import type { Binding } from './keys.ts';

/**
 * How long the same key may be silent while it is held down, in ms: terminals only tell of it
 * again and again, for the first time after two thirds of a second at most where nobody set more.
 */
const silence = 750;

/** The bindings without those that want a press of their own, while their key may be held down. */
export function useUnheldKeys(bindings: readonly Binding[]): readonly Binding[] {
  const last = useLastPress();
  const [over, setOver] = useState<typeof last>(null);
  useEffect(() => {
    if (last === null) return undefined;
    let soon: NodeJS.Immediate | undefined;
    const timer = setTimeout(
      () => {
        // What came while the program was busy is read first.
        soon = setImmediate(() => setOver(last));
      },
      last.at + silence - performance.now(),
    );
    return () => {
      clearTimeout(timer);
      clearImmediate(soon);
    };
  }, [last]);
  if (last === null || over === last) return bindings;
  return bindings.filter(({ keys, fresh }) => fresh !== true || !keys.includes(last.name));
}
