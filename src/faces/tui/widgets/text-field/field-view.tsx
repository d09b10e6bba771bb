// Shows a text field on a screen: keys, pasted text, its rows and cursor.
import { useState } from 'react';
import type { KeyName, Press } from '../../keyboard.ts';
import { row, span, type Row } from '../../screen-rows.ts';
import { type Store, createStore, useStore } from '../../store.ts';
import { Rows } from '../../tools.tsx';
import { useKeyboard } from '../../use-keyboard.ts';
import {
  type FieldShape,
  graphemeAfter,
  lineAt,
  pressKey,
  type VisibleLine,
  visibleLines,
  visibleText,
  type TextField,
  textField,
  withTyped,
} from './field.ts';

/**
 * A field outside of React: several keys can arrive before a redraw, so the text is read by `get()`
 * when it is needed, never from what was drawn.
 */
export type FieldStore = Store<TextField>;

interface Taking extends FieldShape {
  readonly field: FieldStore;
  readonly active: boolean;
  /** True for an accepted text; by default every text is. */
  readonly accepts?: (text: string) => boolean;
  /** Keys that the screen binds itself at present, e.g. `up` while a list is open. */
  readonly leaves?: readonly KeyName[];
}

interface FieldLook {
  readonly width: number;
  /** The most rows; the row with the cursor is always among them. */
  readonly height: number;
  readonly placeholder?: string;
  /** True for the field that takes the keys, which alone shows the cursor. */
  readonly active: boolean;
  /** The row of the screen where it begins. */
  readonly top?: number;
}

/** Makes a field that lives as long as the component. */
export function useTextField(text = ''): FieldStore {
  return useState(() => createStore(textField(text)))[0];
}

/** Draws the field with its cursor; takes keys and pasted text while it is active. */
export function TextFieldView(props: Taking & FieldLook) {
  const state = useStore(props.field, (now) => now);
  useFieldKeys(props);
  return <Rows rows={inputRows(state, props)} width={props.width} top={props.top} />;
}

/** Passes keys and pasted text to a field that is drawn by `inputRows`. */
export function useFieldKeys(props: Taking): void {
  useKeyboard((press) => take(props, press), { taker: 'text', isActive: props.active });
}

function take(props: Taking, { name, text }: Press): void {
  const { field, leaves = [] } = props;
  if (name === null) return takeText(props, text);
  if (leaves.includes(name)) return;
  const next = pressKey(field.get(), name, props);
  if (next !== null) field.change(() => next);
  else if (name === text || name === 'space') takeText(props, text);
}

function takeText({ field, lines, accepts = () => true }: Taking, text: string): void {
  const next = withTyped(field.get(), lines === 'one' ? text.replaceAll(/[\r\n]+/g, ' ') : text);
  if (accepts(next.text)) field.change(() => next);
}

/** Draws a field as rows: as many as its text has, at least one and at most `height`. */
export function inputRows(field: TextField, look: FieldLook): readonly Row[] {
  const { width, height, placeholder = '', active } = look;
  if (field.text === '') return [emptyField(placeholder, active)];
  const lines = visibleLines(field.text, width);
  const at = lineAt(lines, field.cursor);
  const from = Math.max(0, Math.min(at - Math.floor(height / 2), lines.length - height));
  return lines
    .slice(from, from + Math.max(1, height))
    .map((line, index) => lineRow(field, line, active && from + index === at));
}

function emptyField(placeholder: string, active: boolean): Row {
  if (!active) return row(span(placeholder, 'quiet'));
  return row(span(placeholder.slice(0, 1) || ' ', 'chosen'), span(placeholder.slice(1), 'quiet'));
}

function lineRow({ text, cursor }: TextField, line: VisibleLine, hasCursor: boolean): Row {
  const part = (from: number, to: number) => span(visibleText(text.slice(from, to)));
  if (!hasCursor) return row(part(line.start, line.end));
  const next = Math.min(line.end, graphemeAfter(text, cursor));
  const under = visibleText(text.slice(cursor, next)) || ' ';
  return row(part(line.start, cursor), span(under, 'chosen'), part(next, line.end));
}
