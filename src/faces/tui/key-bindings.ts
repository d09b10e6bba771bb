// Defines key bindings, those that wait until a question was seen, the line of keys and the help.
import { useEffect, useState } from 'react';
import type { KeyName } from './keyboard.ts';
import { type ListPage, scrollBy } from './list-page.ts';
import { emptyRow, row, sideBySide, span, type Row, widthOf } from './screen-rows.ts';
import { useStore } from './store.ts';
import { useTools } from './tools.tsx';
import { useKeyboard, useLastPress } from './use-keyboard.ts';

export interface Binding {
  /** The keys; the first one is shown in the line of keys. */
  readonly keys: readonly KeyName[];
  /** The effect in a few words, e.g. `approve`. */
  readonly does: string;
  /** Left out of the line of keys if room is short; `?` shows all. */
  readonly minor?: boolean;
  /**
   * Set if it answers or skips a question, so that a key meant for the previous screen must not
   * trigger it.
   */
  readonly decides?: boolean;
  /** Set if a key that is held down must not trigger it. */
  readonly ownPress?: boolean;
  /** Ignores keys pressed before this moment, by `performance.now()`. */
  readonly since?: number;
  readonly run: () => void;
}

/** Makes the binding of a key; its action may be asynchronous. */
export function key(
  keys: Binding['keys'],
  does: string,
  run: () => unknown,
  more: Pick<Binding, 'minor' | 'decides' | 'ownPress'> = {},
): Binding {
  return { keys, does, run: () => void run(), ...more };
}

/** Options of a key that is left out of the line of keys if room is short. */
export const minorKey = { minor: true };

/** Options of a key that decides, and needs a separate press. */
export const decisiveKey = { decides: true, ownPress: true };

export function useBindings(bindings: readonly Binding[]): void {
  const find = (name: KeyName, at: number) =>
    bindings.find(({ keys, since = 0 }) => keys.includes(name) && since <= at);
  useKeyboard(({ name }, at) => (name === null ? undefined : find(name, at)?.run()), {
    taker: 'keys',
    isActive: true,
  });
}

/** Pairs the bindings with the keys that reach them: if two share a key, the first gets it. */
export function reachableBindings(bindings: readonly Binding[]): readonly Binding[] {
  const taken = new Set<KeyName>();
  return bindings.flatMap((binding) => {
    const keys = binding.keys.filter((name) => !taken.has(name));
    for (const name of keys) taken.add(name);
    return keys.length === 0 ? [] : [{ ...binding, keys }];
  });
}

/** The keys that scroll a page by a row, by its height, and to both ends, if it is longer than the screen. */
export function scrollKeys(page: ListPage, to: (top: number) => void): readonly Binding[] {
  if (page.most === 0) return [];
  const whole = Math.max(1, page.height - 1);
  const by = (rows: number) => () => to(scrollBy(page, rows));
  return [
    key(['up', 'k'], 'up', by(-1)),
    key(['down', 'j'], 'down', by(1), minorKey),
    key(['pageup', 'b'], 'page up', by(-whole), minorKey),
    key(['pagedown', 'space'], 'page down', by(whole), minorKey),
    key(['home', 'g'], 'to the top', by(-Infinity), minorKey),
    key(['end', 'G'], 'to the end', by(Infinity), minorKey),
  ];
}

/**
 * How long a question is shown before it can be answered, in ms: a third of a second to notice it,
 * and the time that the terminal may take to show it.
 */
const moment = 400;

/** Binds the keys of a question: those that decide work once a person can have seen what they decide. */
export function useQuestionKeys(
  question: object,
  bindings: readonly Binding[],
  ms = moment,
): readonly Binding[] {
  const store = useTools().answerableSince(question);
  const since = useStore(store, (now) => now);
  useEffect(() => {
    if (store.get() !== null) return undefined;
    return afterKeys(ms, () => store.change(() => performance.now()));
  }, [store, ms]);
  return since === null
    ? bindings.filter(({ decides }) => decides !== true)
    : bindings.map((binding) => (binding.decides === true ? { ...binding, since } : binding));
}

/**
 * The longest silence of a key that is held down, in ms: terminals only repeat it, for the first
 * time after at most two thirds of a second by default.
 */
const silence = 750;

/** Takes keys from the bindings that need a separate press while these may be held down. */
export function useUnheldKeys(bindings: readonly Binding[]): readonly Binding[] {
  const last = useLastPress();
  const [over, setOver] = useState<typeof last>(null);
  useEffect(() => {
    if (last === null) return undefined;
    return afterKeys(last.at + silence - performance.now(), () => setOver(last));
  }, [last]);
  if (last === null || over === last) return bindings;
  return bindings.flatMap((binding) => {
    if (binding.ownPress !== true) return [binding];
    const keys = binding.keys.filter((name) => name !== last.name);
    return keys.length === 0 ? [] : [{ ...binding, keys }];
  });
}

/**
 * Calls back after `ms`, once the keys that arrived until then were read. Returns a function that
 * stops it.
 */
function afterKeys(ms: number, callBack: () => void): () => void {
  let soon: NodeJS.Immediate | undefined;
  const timer = setTimeout(
    () => {
      soon = setImmediate(callBack);
    },
    Math.max(0, ms),
  );
  return () => {
    clearTimeout(timer);
    clearImmediate(soon);
  };
}

const symbols: Readonly<Record<string, string>> = {
  up: '↑',
  down: '↓',
  left: '←',
  right: '→',
  pageup: 'PgUp',
  pagedown: 'PgDn',
};

/** The available keys on one line: as many as fit, and always help. */
export function keyLine(bindings: readonly Binding[], width: number): Row {
  const [last, ...rest] = bindings.filter((one) => one.minor !== true).toReversed();
  if (last === undefined) return emptyRow;
  let line: Row = [];
  for (const binding of rest.toReversed()) {
    const longer = [...line, ...entry(binding), span(' · ', 'quiet')];
    if (widthOf(longer) + widthOf(entry(last)) <= width) line = longer;
  }
  return [...line, ...entry(last)];
}

/** Every available key with its effect; in two columns if one is too long. */
export function helpRows(
  bindings: readonly Binding[],
  { width, height }: { readonly width: number; readonly height: number },
): readonly Row[] {
  const names = bindings.map(({ keys }) => keys.map(keySymbol).join(' '));
  const widest = Math.max(0, ...names.map((name) => name.length));
  const rows = bindings.map(({ does }, index) =>
    row(span('  '), span((names[index] ?? '').padEnd(widest), 'key'), span(`  ${does}`)),
  );
  if (rows.length < height) return [emptyRow, ...rows];
  const half = Math.ceil(rows.length / 2);
  const left = Math.floor(width / 2);
  return [
    emptyRow,
    ...sideBySide([
      { rows: rows.slice(0, half), width: left },
      { rows: rows.slice(half), width: width - left - 1 },
    ]),
  ];
}

function entry({ keys, does }: Binding): Row {
  return [span(keySymbol(keys[0] ?? ''), 'key'), { text: ` ${does}`, tone: 'quiet' }];
}

function keySymbol(name: KeyName): string {
  return symbols[name] ?? name;
}
