// Reads keys and pasted text, and passes them one by one to the listeners.
import { useInput, usePaste } from 'ink';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import {
  type Arrival,
  type Listener,
  type LastPress,
  type Press,
  type Taker,
  firstPress,
  keyName,
} from './keyboard.ts';
import { useStore } from './store.ts';
import { useTools } from './tools.tsx';

/**
 * The only reader of keys and pasted text, so that the terminal keeps its settings from screen to
 * screen. All input waits in one queue: each key goes to all current listeners. It is mounted
 * before the screens, so that it reads before they start anything slow.
 */
export function Keyboard() {
  const { listeners, lastPress } = useTools().keyboard;
  const take = useOneByOne((arrival) => {
    const { at } = arrival;
    const all = Array.from(listeners);
    const isText = all.some(({ taker }) => taker === 'text');
    const { press, left } = firstPress(arrival, isText ? 'text' : 'keys');
    if (press === null) return left;
    for (const { hear } of all) hear(press, at);
    const { name } = press;
    lastPress.change(() => (name === null ? null : { name, at }));
    return left;
  });
  useInput((input, key) => {
    const name = keyName(input, key);
    if (name !== null || input !== '') take({ name, text: input, isPasted: false });
  });
  // This applies to all screens: if no text is expected, none of it may act as a key.
  usePaste((text) => take({ name: null, text, isPasted: true }));
  return null;
}

/**
 * Calls back with each key. A screen listens from the moment in which it is drawn: with Ink’s own
 * hook, a key that comes right after it would still go to the previous screen.
 */
export function useKeyboard(
  hear: Listener,
  { taker, isActive }: { readonly taker: Taker; readonly isActive: boolean },
): void {
  const { listeners } = useTools().keyboard;
  const now = useRef(hear);
  useLayoutEffect(() => {
    now.current = hear;
  });
  useLayoutEffect(() => {
    if (!isActive) return undefined;
    const listener = { taker, hear: (press: Press, at: number) => now.current(press, at) };
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
    };
  }, [listeners, taker, isActive]);
}

export function useLastPress(): LastPress | null {
  return useStore(useTools().keyboard.lastPress, (press) => press);
}

/**
 * Passes on input one piece after the other: the next one when React has drawn the effect of the
 * previous one. `give` returns the text that is left of it, which stays first in the queue.
 */
function useOneByOne(give: (next: Arrival) => string): (arrival: Omit<Arrival, 'at'>) => void {
  const waiting = useRef<readonly Arrival[]>([]);
  const isDrawing = useRef(false);
  const [given, setGiven] = useState(0);
  const giveNext = () => {
    const [next, ...later] = waiting.current;
    isDrawing.current = next !== undefined;
    if (next === undefined) return;
    const text = give(next);
    waiting.current = text === '' ? later : [{ ...next, text }, ...later];
    setGiven((count) => count + 1);
  };
  // This runs after the effects of all screens, so that what `give` has changed is drawn together with it.
  useEffect(() => {
    const soon = setImmediate(giveNext);
    return () => clearImmediate(soon);
  }, [given]);
  return (arrival) => {
    // As in a terminal, an interruption discards what was typed before it.
    if (arrival.name === 'ctrl+c') {
      waiting.current = waiting.current.filter(({ name }) => name === 'ctrl+c');
    }
    waiting.current = [...waiting.current, { ...arrival, at: performance.now() }];
    if (!isDrawing.current) giveNext();
  };
}
