// Names the keys of the terminal, and takes what arrived at once apart into single presses.
import type { Key } from 'ink';
import { type Store, createStore } from './store.ts';

/** A key as people call it: `up`, `enter`, `esc`, `ctrl+c`, `shift+tab`, `space`, `?`, `a`. */
export type KeyName = string;

/** One key, or text that is taken at once. */
export interface Press {
  /** Null where it is text. */
  readonly name: KeyName | null;
  /** The text that it writes; empty where it writes nothing. */
  readonly text: string;
}

/** One arrival from the terminal: a key, or text, which was typed where nobody said it was pasted. */
export interface Arrival extends Press {
  readonly isPasted: boolean;
  /** By `performance.now()`. */
  readonly at: number;
}

/** A field takes text as it comes, all others take one key after the other. */
export type Taker = 'text' | 'keys';

/** `at` is when it arrived, by `performance.now()`: it may have waited since. */
export type Hear = (press: Press, at: number) => void;

/** The key that was pressed last, and when it arrived. */
export interface LastPress {
  readonly name: KeyName;
  readonly at: number;
}

/** The one keyboard of a terminal. */
export interface KeyboardState {
  readonly listeners: Set<{ readonly taker: Taker; readonly hear: Hear }>;
  /** Null before the first key, and behind pasted text. */
  readonly lastPress: Store<LastPress | null>;
}

export function openKeyboard(): KeyboardState {
  return { listeners: new Set(), lastPress: createStore<LastPress | null>(null) };
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
 * The text that a field takes at once. Keys that write nothing are taken one by one. So are Enter and Tab
 * where they are held down, or come right before or after one line: then they were pressed. Several
 * lines were pasted in a terminal that does not mark pastes.
 */
function textAtOnce(text: string): string {
  const run = /^(?:\P{Cc}|[\r\n\t])+/u.exec(text)?.[0] ?? text.slice(0, 1);
  const isPressed = /^(?:[\r\t]?[^\r\n\t]+[\r\t]?|([\r\t])\1*)$/.test(run);
  const first = isPressed ? /^(?:[\r\t]|[^\r\t]+)/.exec(run)?.[0] : run;
  return first ?? run;
}

export function keyName(input: string, key: Key): KeyName | null {
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
