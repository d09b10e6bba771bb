// Names the keys of the terminal, and splits input that arrived at once into single presses.
import type { Key } from 'ink';
import { type Store, createStore } from './store.ts';

/** A key by its common name: `up`, `enter`, `esc`, `ctrl+c`, `shift+tab`, `space`, `?`, `a`. */
export type KeyName = string;

/** A key, or a text that is taken at once. */
export interface Press {
  /** The name of the key; null for text. */
  readonly name: KeyName | null;
  /** The text that it types; may be empty. */
  readonly text: string;
}

/** A piece of input: a key, or text, which counts as typed unless the terminal says that it was pasted. */
export interface Arrival extends Press {
  readonly isPasted: boolean;
  /** When it arrived, by `performance.now()`. */
  readonly at: number;
}

/** How input is taken: a field takes text as it comes, everything else one key after the other. */
export type Taker = 'text' | 'keys';

/** Receives a press; `at` is when it arrived, by `performance.now()`, because it may have waited. */
export type Listener = (press: Press, at: number) => void;

/** The key that was pressed last, and when it arrived. */
export interface LastPress {
  readonly name: KeyName;
  readonly at: number;
}

/** The single keyboard of a terminal. */
export interface KeyboardState {
  readonly listeners: Set<{ readonly taker: Taker; readonly hear: Listener }>;
  /** The last key; null before the first one, and after pasted text. */
  readonly lastPress: Store<LastPress | null>;
}

export function openKeyboard(): KeyboardState {
  return { listeners: new Set(), lastPress: createStore<LastPress | null>(null) };
}

/** The most letters that can be typed before they are read: more were pasted. */
const mostTyped = 16;

/**
 * The first press of the input, by the kind of listener, and the text that remains. Null if nothing
 * is pressed: text that was pasted without a mark must not act as keys.
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
 * The text that a field takes at once. Keys that type nothing are taken one by one. So are Enter
 * and Tab without a text, or right before or after one line: then they were pressed.
 * Several lines were pasted in a terminal that does not mark pastes.
 */
function textAtOnce(text: string): string {
  const run = /^(?:\P{Cc}|[\r\n\t])+/u.exec(text)?.[0] ?? text.slice(0, 1);
  const isPressed = /^(?:[\r\t]?[^\r\n\t]+[\r\t]?|[\r\t]+)$/.test(run);
  const first = isPressed ? /^(?:[\r\t]|[^\r\t]+)/.exec(run)?.[0] : run;
  return first ?? run;
}

export function keyName(input: string, key: Key): KeyName | null {
  const special = specialKeys.find(([name]) => key[name])?.[1];
  if (special !== undefined) return withModifiers(special, key, key.shift);
  return input.length === 1 ? withModifiers(letterName(input), key, false) : null;
}

/** Names a letter. Control characters are keys with Ctrl, including those that Ink passes on unchanged. */
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
