import type { Key } from 'ink';
import { useLayoutEffect, useRef } from 'react';
import { useKeyboard } from './keyboard.tsx';

/** A key as people call it: `up`, `enter`, `esc`, `ctrl+c`, `shift+tab`, `space`, `?`, `a`. */
export type KeyName = string;

/** What a key does at this moment. */
export interface Binding {
  /** The first one is shown in the line of keys. */
  readonly keys: readonly KeyName[];
  /** A few words, e.g. `approve`. */
  readonly does: string;
  /** Left out of the line of keys where the room is short; `?` shows all. */
  readonly minor?: boolean;
  readonly run: () => void;
}

/** The name of what Ink says was pressed; pasted or typed text of several characters has none. */
export function keyName(input: string, key: Key): KeyName | null {
  const special = specialKeys.find(([name]) => key[name])?.[1];
  if (special !== undefined) return withModifiers(special, key, key.shift);
  // Ink knows it as a line feed without a name.
  if (input === '\n') return 'ctrl+j';
  if (input === ' ') return withModifiers('space', key, false);
  if (input.length !== 1 || input < ' ') return null;
  return withModifiers(input, key, false);
}

/** After so many ms React has drawn what a key changed. */
const drawn = 10;

/**
 * Calls what the pressed key is bound to. Keys that arrive together (typed fast, or over a slow
 * line) are taken one at a time, each when the screen stands where the one before has led.
 */
export function useBindings(bindings: readonly Binding[], isActive: boolean): void {
  const now = useRef(bindings);
  const waiting = useRef<KeyName[]>([]);
  useLayoutEffect(() => {
    now.current = bindings;
  });
  const takeNext = () => {
    const name = waiting.current[0];
    if (name === undefined) return;
    now.current.find(({ keys }) => keys.includes(name))?.run();
    setTimeout(() => {
      waiting.current.shift();
      takeNext();
    }, drawn);
  };
  useKeyboard((input, key) => {
    const isIdle = waiting.current.length === 0;
    waiting.current.push(...keyNames(input, key));
    if (isIdle) takeNext();
  }, isActive);
}

/** A key that is held down arrives as several; other letters that arrive together were pasted. */
function keyNames(input: string, key: Key): readonly KeyName[] {
  const isHeld = input.length > 1 && new Set(input).size === 1;
  const name = keyName(isHeld ? input.charAt(0) : input, key);
  return name === null ? [] : Array.from({ length: isHeld ? input.length : 1 }, () => name);
}

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
