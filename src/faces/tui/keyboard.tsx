import { useInput, usePaste } from 'ink';
import {
  type ReactNode,
  createContext,
  useContext,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import {
  type Arrival,
  type KeyName,
  type Press,
  type Taker,
  arrivalOf,
  firstPress,
} from './presses.ts';
import { type Store, createStore, useStore } from './store.ts';

/** `at` is when it arrived, by `performance.now()`: it may have waited since. */
type Hear = (press: Press, at: number) => void;

interface Listener {
  readonly taker: Taker;
  readonly hear: Hear;
}

/** The key that was pressed last, and when it arrived. */
interface LastPress {
  readonly name: KeyName;
  readonly at: number;
}

interface Hearing {
  readonly listeners: Set<Listener>;
  /** Null before the first key, and behind pasted text. */
  readonly last: Store<LastPress | null>;
}

const Heard = createContext<Hearing | null>(null);

/**
 * The one that reads keys and pasted text, so that the terminal stays as it is set from screen to
 * screen. All of it waits in one line: each key goes to everyone who listens at that moment.
 */
export function Keyboard({ children }: { readonly children: ReactNode }) {
  const [hearing] = useState((): Hearing => ({ listeners: new Set(), last: createStore(null) }));
  const take = useOneByOne(({ arrival, at }) => {
    const all = Array.from(hearing.listeners);
    const isText = all.some(({ taker }) => taker === 'text');
    const { press, left } = firstPress(arrival, isText ? 'text' : 'keys');
    if (press === null) return left;
    for (const { hear } of all) hear(press, at);
    const { name } = press;
    hearing.last.change(() => (name === null ? null : { name, at }));
    return left;
  });
  return (
    <Heard value={hearing}>
      <Ears take={take} />
      {children}
    </Heard>
  );
}

/**
 * Calls back with each key. A screen listens from the moment in which it is drawn: with Ink’s own
 * hook, a key that comes right after it would still go to the screen before.
 */
export function useKeyboard(
  hear: Hear,
  { taker, isActive }: { readonly taker: Taker; readonly isActive: boolean },
): void {
  const { listeners } = useHearing();
  const now = useRef(hear);
  useLayoutEffect(() => {
    now.current = hear;
  });
  useLayoutEffect(() => {
    if (!isActive) return undefined;
    const listener: Listener = { taker, hear: (press, at) => now.current(press, at) };
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
    };
  }, [taker, isActive, listeners]);
}

export function useLastPress(): LastPress | null {
  return useStore(useHearing().last, (press) => press);
}

function useHearing(): Hearing {
  const hearing = useContext(Heard);
  if (hearing === null) throw new Error('a screen is drawn without a keyboard');
  return hearing;
}

/**
 * Before the screens, so that it reads before they begin what may take a while. The terminal tells
 * of pastes on all of them: where no text is taken, none of it may act as a key.
 */
function Ears({ take }: { readonly take: (arrival: Arrival) => void }) {
  useInput((input, key) => take(arrivalOf(input, key)));
  usePaste((text) => take({ kind: 'pasted', text }));
  return null;
}

/**
 * Gives what arrives, one after the other: the next one when React has drawn where the one before
 * has led. `give` returns what is left of it, which stays the first in the line.
 */
function useOneByOne(give: (next: Waiting) => Arrival | null): (arrival: Arrival) => void {
  const waiting = useRef<readonly Waiting[]>([]);
  const isDrawing = useRef(false);
  const [given, setGiven] = useState(0);
  const giveNext = () => {
    const [next, ...later] = waiting.current;
    isDrawing.current = next !== undefined;
    if (next === undefined) return;
    const left = give(next);
    waiting.current = left === null ? later : [{ ...next, arrival: left }, ...later];
    setGiven((count) => count + 1);
  };
  // It runs after the effects of all screens: what `give` has changed is drawn together with this.
  useEffect(() => {
    const soon = setImmediate(giveNext);
    return () => clearImmediate(soon);
  }, [given]);
  return (arrival) => {
    // As terminals have it: an interruption makes void what was typed before it.
    const last: Waiting = { arrival, at: performance.now() };
    const kept = isInterruption(last) ? waiting.current.filter(isInterruption) : waiting.current;
    waiting.current = [...kept, last];
    if (!isDrawing.current) giveNext();
  };
}

interface Waiting {
  readonly arrival: Arrival;
  readonly at: number;
}

function isInterruption({ arrival }: Waiting): boolean {
  return arrival.kind === 'key' && arrival.press.name === 'ctrl+c';
}
