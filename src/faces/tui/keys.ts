import { type Key, useInput } from 'ink';

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
  if (input === ' ') return withModifiers('space', key, false);
  if (input.length !== 1 || input < ' ') return null;
  return withModifiers(input, key, false);
}

/** Calls what the pressed key is bound to. */
export function useBindings(bindings: readonly Binding[], isActive: boolean): void {
  useInput(
    (input, key) => {
      const name = keyName(input, key);
      bindings.find(({ keys }) => name !== null && keys.includes(name))?.run();
    },
    { isActive },
  );
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
