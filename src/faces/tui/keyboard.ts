// Reads what was typed or pasted as keys and text, and gives it one by one to those who listen.
import { type Key, useInput, usePaste } from 'ink';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { createStore, useStore } from './store.ts';

/** A key as people call it: `up`, `enter`, `esc`, `ctrl+c`, `shift+tab`, `space`, `?`, `a`. */
export type KeyName = string;

/** One key, or text that is taken at once. */
export interface Press {
  /** Null where it is text. */
  readonly name: KeyName | null;
  /** What it writes; empty where it writes nothing. */
  readonly text: string;
}

/** What the terminal gave at once: a key, or text, which was typed where nobody said it was pasted. */
interface Arrival extends Press {
  readonly isPasted: boolean;
  /** By `performance.now()`. */
  readonly at: number;
}

/** A field takes text as it comes, all others take one key after the other. */
export type Taker = 'text' | 'keys';

/** `at` is when it arrived, by `performance.now()`: it may have waited since. */
type Hear = (press: Press, at: number) => void;

/** The key that was pressed last, and when it arrived. */
interface LastPress {
  readonly name: KeyName;
  readonly at: number;
}

// There is one keyboard.
const listeners = new Set<{ readonly taker: Taker; readonly hear: Hear }>();
/** Null before the first key, and behind pasted text. */
const lastPress = createStore<LastPress | null>(null);

/**
 * The only reader of keys and pasted text, so that the terminal keeps its settings from screen to
 * screen. All input waits in one line: each key goes to everyone who listens at that moment. It is
 * mounted before the screens, so that it reads before they start anything slow.
 */
export function Keyboard() {
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
  // On all screens: where no text is taken, none of it may act as a key.
  usePaste((text) => take({ name: null, text, isPasted: true }));
  return null;
}

/**
 * Calls back with each key. A screen listens from the moment in which it is drawn: with Ink’s own
 * hook, a key that comes right after it would still go to the screen before.
 */
export function useKeyboard(
  hear: Hear,
  { taker, isActive }: { readonly taker: Taker; readonly isActive: boolean },
): void {
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
  }, [taker, isActive]);
}

export function useLastPress(): LastPress | null {
  return useStore(lastPress, (press) => press);
}

/**
 * Gives what arrives, one after the other: the next one when React has drawn where the one before
 * has led. `give` returns the text that is left of it, which stays the first in the line.
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
  // It runs after the effects of all screens: what `give` has changed is drawn together with this.
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

/** More letters than anybody types before they are read: they were pasted. */
const mostTyped = 16;

/**
 * The first press of what arrived, by who listens now, and the text that is left of it. Null where
 * nothing is pressed: text that was pasted without saying so must not act as keys.
 */
export function firstPress(
  { name, text, isPasted }: Omit<Arrival, 'at'>,
  taker: Taker,
): { readonly press: Press | null; readonly left: string } {
  if (name !== null || isPasted) return { press: { name, text }, left: '' };
  if (taker === 'keys' && text.length > mostTyped && new Set(text).size > 1) {
    return { press: null, left: '' };
  }
  const first = taker === 'text' ? textAtOnce(text) : (Array.from(text)[0] ?? '');
  const press = { name: first.length === 1 ? letterName(first) : null, text: first };
  return { press, left: text.slice(first.length) };
}

/**
 * What a field takes at once. Keys that write nothing are taken one by one. So are Enter and Tab
 * where they are held down, or come right before or after one line: then they were pressed. Several
 * lines were pasted in a terminal that does not mark pastes.
 */
function textAtOnce(text: string): string {
  const run = /^(?:\P{Cc}|[\r\n\t])+/u.exec(text)?.[0] ?? text.slice(0, 1);
  const isPressed = /^(?:[\r\t]?[^\r\n\t]+[\r\t]?|([\r\t])\1*)$/.test(run);
  const first = isPressed ? /^(?:[\r\t]|[^\r\t]+)/.exec(run)?.[0] : run;
  return first ?? run;
}

function keyName(input: string, key: Key): KeyName | null {
  const special = specialKeys.find(([name]) => key[name])?.[1];
  if (special !== undefined) return withModifiers(special, key, key.shift);
  return input.length === 1 ? withModifiers(letterName(input), key, false) : null;
}

/** Control characters are keys with Ctrl, also those that Ink gives as they are. */
function letterName(letter: string): KeyName {
  const known = namedLetters.get(letter);
  if (known !== undefined) return known;
  const code = letter.charCodeAt(0);
  return code < 0x20 ? `ctrl+${String.fromCharCode(code + 0x40).toLowerCase()}` : letter;
}

const namedLetters: ReadonlyMap<string, KeyName> = new Map([
  ['\r', 'enter'],
  ['\t', 'tab'],
  [' ', 'space'],
]);

const specialKeys = [
  ['upArrow', 'up'],
  ['downArrow', 'down'],
  ['leftArrow', 'left'],
  ['rightArrow', 'right'],
  ['pageUp', 'pageup'],
  ['pageDown', 'pagedown'],
  ['home', 'home'],
  ['end', 'end'],
  ['return', 'enter'],
  ['escape', 'esc'],
  ['tab', 'tab'],
  ['backspace', 'backspace'],
  ['delete', 'delete'],
] as const;

function withModifiers(name: string, key: Key, shift: boolean): KeyName {
  const modifiers = [key.ctrl && 'ctrl', key.meta && name !== 'esc' && 'alt', shift && 'shift'];
  return [...modifiers.filter((one) => one !== false), name].join('+');
}
