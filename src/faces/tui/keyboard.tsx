import { type Key, useInput } from 'ink';
import {
  type ReactNode,
  createContext,
  useContext,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';

type Listener = (input: string, key: Key) => void;

const Listeners = createContext<Set<Listener> | null>(null);

/** The one that reads the keys, so that the terminal stays in raw mode from screen to screen. */
export function Keyboard({ children }: { readonly children: ReactNode }) {
  const [listeners] = useState(() => new Set<Listener>());
  useInput((input, key) => {
    for (const listen of Array.from(listeners)) listen(input, key);
  });
  return <Listeners value={listeners}>{children}</Listeners>;
}

/**
 * Calls back with each key. A screen listens from the moment in which it is drawn: with Ink’s own
 * hook, a key that comes right after it would still go to the screen before.
 */
export function useKeyboard(listener: Listener, isActive: boolean): void {
  const listeners = useContext(Listeners);
  if (listeners === null) throw new Error('a screen is drawn without a keyboard');
  const now = useRef(listener);
  useLayoutEffect(() => {
    now.current = listener;
  });
  useLayoutEffect(() => {
    if (!isActive) return undefined;
    const listen: Listener = (input, key) => now.current(input, key);
    listeners.add(listen);
    return () => {
      listeners.delete(listen);
    };
  }, [isActive, listeners]);
}
