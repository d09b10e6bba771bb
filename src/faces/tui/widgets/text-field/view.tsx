import { type Key, usePaste } from 'ink';
import { useState } from 'react';
import { useKeyboard } from '../../keyboard.tsx';
import { type KeyName, keyName } from '../../keys.ts';
import { Rows } from '../../rows-view.tsx';
import { type Store, createStore, useStore } from '../../store.ts';
import { type FieldShape, pressed, withBrokenLine } from './keys.ts';
import { fieldRows } from './rows.ts';
import { type TextField, textField, withRefusal, withTyped } from './state.ts';

/**
 * A field outside of React: several keys can come at once, before anything is drawn again, so
 * what was typed is read by `get()` when it is needed and never from what was drawn.
 */
export type FieldStore = Store<TextField>;

export interface FieldProps {
  readonly field: FieldStore;
  readonly active: boolean;
  readonly width: number;
  /** Rows that the field may grow to. */
  readonly height: number;
  readonly lines: FieldShape['lines'];
  readonly placeholder?: string;
  /** Bytes that the text may have; more is not taken, and the field says why. */
  readonly most?: number;
  /** Keys that the screen binds itself at this moment, e.g. `up` while a list is open. */
  readonly leaves?: readonly KeyName[];
  /** Called with `up` in the first line and `down` in the last. */
  readonly beyond?: (key: 'up' | 'down') => void;
  /** What the binding of Enter runs: terminals without bracketed paste send it behind the text. */
  readonly enter?: () => void;
}

/** A field of one’s own for as long as the component lives. */
export function useTextField(text = ''): FieldStore {
  return useState(() => createStore(textField(text)))[0];
}

/** For the binding of Enter: true where it broke the line at a backslash instead. */
export function brokeLine(field: FieldStore): boolean {
  const next = withBrokenLine(field.get());
  if (next !== null) field.change(() => next);
  return next !== null;
}

/** The field with its cursor; takes keys and pasted text while it is active. */
export function TextFieldView(props: FieldProps) {
  const { field, width, height, active, placeholder } = props;
  const state = useStore(field, (now) => now);
  useFieldKeys(props);
  const look = { width, height, active, ...(placeholder === undefined ? {} : { placeholder }) };
  return <Rows rows={fieldRows(state, look)} width={width} />;
}

/** Gives keys and pasted text to a field that is drawn by `fieldRows`. */
export function useFieldKeys(props: Omit<FieldProps, 'height' | 'placeholder'>): void {
  const { active } = props;
  useKeyboard((input, key) => takeKey(props, input, key), active);
  usePaste((text) => takeText(props, text), { isActive: active });
}

type Taking = Omit<FieldProps, 'height' | 'placeholder'>;

function takeKey(props: Taking, input: string, key: Key): void {
  const name = keyName(input, key);
  if (name === null) takeTyped(props, input);
  else if (props.leaves?.includes(name) !== true) takeNamed(props, name, input);
}

function takeNamed(props: Taking, name: KeyName, input: string): void {
  const { field, beyond } = props;
  const next = pressed(field.get(), name, props);
  if (next !== null) field.change(() => next);
  else if (name === 'up' || name === 'down') beyond?.(name);
  else if (name === input || name === 'space') takeText(props, input);
}

/** Several letters at once: typed fast, or pasted in a terminal that does not say so. */
function takeTyped(props: Taking, input: string): void {
  if (input.startsWith('\r') && brokeLine(props.field)) return takeText(props, input.slice(1));
  const isEntered = /^[^\r\n]+\r$/.test(input);
  takeText(props, isEntered ? input.slice(0, -1) : input);
  if (isEntered) props.enter?.();
}

function takeText({ field, lines, most }: Taking, text: string): void {
  const given = lines === 'one' ? text.replaceAll(/[\r\n]+/g, ' ') : text;
  const next = withTyped(field.get(), given);
  const bytes = Buffer.byteLength(next.text);
  const isTooLong = most !== undefined && bytes > most;
  field.change((now) => (isTooLong ? withRefusal(now, tooLong(bytes, most)) : next));
}

function tooLong(bytes: number, most: number): string {
  return `Not taken: the text would have ${kilo(bytes)}, and ${kilo(most)} are the most.`;
}

function kilo(bytes: number): string {
  return `${Math.ceil(bytes / 1024)} KB`;
}
