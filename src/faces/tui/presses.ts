import type { Key } from 'ink';

/** A key as people call it: `up`, `enter`, `esc`, `ctrl+c`, `shift+tab`, `space`, `?`, `a`. */
export type KeyName = string;

/** One key, or text that is taken at once. */
export interface Press {
  /** Null where it is text. */
  readonly name: KeyName | null;
  /** What it writes; empty where it writes nothing. */
  readonly text: string;
}

/** What the terminal gave at once: `typed` are letters of which nobody said that they were pasted. */
export type Arrival =
  | { readonly kind: 'key'; readonly press: Press }
  | { readonly kind: 'typed' | 'pasted'; readonly text: string };

/** Who listens: a field takes text as it comes, all others take one key after the other. */
export type Taker = 'text' | 'keys';

/** More letters than anybody types before they are read: they were pasted. */
const mostTyped = 16;

/** What Ink says was pressed. */
export function arrivalOf(input: string, key: Key): Arrival {
  const name = keyName(input, key);
  return name === null
    ? { kind: 'typed', text: input }
    : { kind: 'key', press: { name, text: input } };
}

/**
 * The first press of what arrived, by who listens now, and what is left of it. Null where nothing
 * is pressed: text that was pasted without saying so must not act as keys.
 */
export function firstPress(
  arrival: Arrival,
  taker: Taker,
): { readonly press: Press | null; readonly left: Arrival | null } {
  if (arrival.kind === 'key') return { press: arrival.press, left: null };
  const { kind, text } = arrival;
  if (kind === 'pasted') return { press: { name: null, text }, left: null };
  const isPaste = taker === 'keys' && text.length > mostTyped && new Set(text).size > 1;
  const first = taker === 'text' ? textAtOnce(text) : (Array.from(text)[0] ?? '');
  if (first === '' || isPaste) return { press: null, left: null };
  const rest = text.slice(first.length);
  return {
    press: { name: first.length === 1 ? letterName(first) : null, text: first },
    left: rest === '' ? null : { kind, text: rest },
  };
}

/**
 * What a field takes at once. Keys that write nothing stand alone. So do Enter and Tab where they
 * are held down, or come right before or behind one line: they were pressed, and a paste of
 * several lines in a terminal that does not tell of it was not.
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
