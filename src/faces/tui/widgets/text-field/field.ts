import { cleanText } from '../../../../model/clean-text.ts';
import type { KeyName } from '../../keyboard.ts';
import {
  columnsOf,
  graphemeAfter,
  graphemeBefore,
  graphemeEdge,
  indexAt,
  lineAt,
  lineEnd,
  lineStart,
  shownLines,
  wordAfter,
  wordBefore,
} from './text.ts';

/** A text that a person edits, and the place in it. Pure: every change gives another one. */
export interface TextField {
  readonly text: string;
  /** Where the next letter goes: an index into `text`, always between two graphemes. */
  readonly cursor: number;
  /** The column that going up and down keeps; null after any other key. */
  readonly column: number | null;
  /** What undo goes back to, the latest last. */
  readonly past: readonly Snapshot[];
  /** Letters typed one after the other are undone together. */
  readonly isTyping: boolean;
  /** Why the last text was not taken; null after the next key. */
  readonly refused: string | null;
}

interface Snapshot {
  readonly text: string;
  readonly cursor: number;
}

/** How many changes can be undone. */
const longestPast = 200;

/** A field with the cursor behind its text, which is made safe to show. */
export function textField(text = ''): TextField {
  const safe = safeText(text);
  const past: readonly Snapshot[] = [];
  return { text: safe, cursor: safe.length, column: null, past, isTyping: false, refused: null };
}

/** Other text in the place of all; the change can be undone. */
export function withText(field: TextField, text: string): TextField {
  const safe = safeText(text);
  return safe === field.text ? field : changed(field, { text: safe, cursor: safe.length });
}

/** The text put in at the cursor. */
export function withTyped(field: TextField, typed: string): TextField {
  const safe = safeText(typed);
  if (safe === '') return field;
  const isLetter = safe.length === 1 && safe !== '\n' && safe !== ' ';
  const next = replaced(field, { from: field.cursor, to: field.cursor, by: safe });
  const past = isLetter && field.isTyping ? field.past : next.past;
  return { ...next, past, isTyping: isLetter };
}

/** The text as it was, and why what was pasted is not in it. */
export function withRefusal(field: TextField, refused: string): TextField {
  return { ...field, refused };
}

/** What a key needs to know of the field besides its text. */
export interface FieldShape {
  /** Columns of the field. */
  readonly width: number;
  readonly lines: 'one' | 'many';
}

/**
 * The field after a key; null where the key is none of the field’s: Enter, Esc and Tab always,
 * up in its first line, down in its last.
 */
export function pressed(field: TextField, key: KeyName, shape: FieldShape): TextField | null {
  if (shape.lines === 'many') {
    if (newLineKeys.has(key)) return withTyped(field, '\n');
    if (key === 'up') return toLine(field, shape, -1);
    if (key === 'down') return toLine(field, shape, 1);
  }
  return edits.get(key)?.(field) ?? null;
}

/** A backslash before the cursor turned into a new line; null where there is none. */
export function withBrokenLine(field: TextField): TextField | null {
  const { text, cursor } = field;
  if (text.charAt(cursor - 1) !== '\\') return null;
  return replaced(field, { from: cursor - 1, to: cursor, by: '\n' });
}

function toLine(field: TextField, { width }: FieldShape, step: 1 | -1): TextField | null {
  const { text, cursor } = field;
  const lines = shownLines(text, width);
  const at = lineAt(lines, cursor);
  const line = lines[at];
  const next = lines[at + step];
  if (line === undefined || next === undefined) return null;
  const column = field.column ?? columnsOf(text.slice(line.start, cursor));
  return movedTo(field, indexAt(text, next, column), column);
}

type Edit = (field: TextField) => TextField;
type Place = (text: string, cursor: number) => number;

const newLineKeys: ReadonlySet<KeyName> = new Set(['alt+enter', 'shift+enter', 'ctrl+j']);

const edits: ReadonlyMap<KeyName, Edit> = new Map([
  ...each(['left', 'ctrl+b'], goTo(graphemeBefore)),
  ...each(['right', 'ctrl+f'], goTo(graphemeAfter)),
  ...each(['alt+left', 'ctrl+left', 'alt+b'], goTo(wordBefore)),
  ...each(['alt+right', 'ctrl+right', 'alt+f'], goTo(wordAfter)),
  ...each(['home', 'ctrl+a'], goTo(lineStart)),
  ...each(['end', 'ctrl+e'], goTo(lineEnd)),
  ...each(['ctrl+home'], goTo(firstPlace)),
  ...each(['ctrl+end'], goTo(lastPlace)),
  ...each(['backspace'], without(graphemeBefore)),
  ...each(['delete', 'ctrl+d'], without(graphemeAfter)),
  ...each(['alt+backspace', 'ctrl+w'], without(wordBefore)),
  ...each(['alt+d', 'ctrl+delete', 'alt+delete'], without(wordAfter)),
  ...each(['ctrl+u'], without(lineStart)),
  ...each(['ctrl+k'], without(restOfLine)),
  ...each(['ctrl+_'], undone),
]);

function each(keys: readonly KeyName[], edit: Edit): readonly (readonly [KeyName, Edit])[] {
  return keys.map((key) => [key, edit]);
}

function goTo(place: Place): Edit {
  return (field) => movedTo(field, place(field.text, field.cursor));
}

function without(place: Place): Edit {
  return (field) => {
    const other = place(field.text, field.cursor);
    const from = Math.min(other, field.cursor);
    return replaced(field, { from, to: Math.max(other, field.cursor), by: '' });
  };
}

function firstPlace(): number {
  return 0;
}

function lastPlace(text: string): number {
  return text.length;
}

/** At the end of a line, its line end. */
function restOfLine(text: string, cursor: number): number {
  const end = lineEnd(text, cursor);
  return end === cursor ? graphemeAfter(text, cursor) : end;
}

/** A part of the text replaced, the cursor behind it. */
export function replaced(
  field: TextField,
  { from, to, by }: { readonly from: number; readonly to: number; readonly by: string },
): TextField {
  if (from === to && by === '') return field;
  const text = field.text.slice(0, from) + by + field.text.slice(to);
  // What was apart can become one grapheme, e.g. a letter and an accent.
  return changed(field, { text, cursor: graphemeEdge(text, from + by.length) });
}

/** The cursor somewhere else. */
function movedTo(field: TextField, cursor: number, column: number | null = null): TextField {
  return { ...field, cursor, column, isTyping: false, refused: null };
}

function undone(field: TextField): TextField {
  const last = field.past.at(-1);
  if (last === undefined) return field;
  return { ...movedTo(field, last.cursor), text: last.text, past: field.past.slice(0, -1) };
}

function changed(field: TextField, next: Snapshot): TextField {
  const past = [...field.past.slice(1 - longestPast), { text: field.text, cursor: field.cursor }];
  return { ...next, column: null, past, isTyping: false, refused: null };
}

function safeText(text: string): string {
  return cleanText(text.replaceAll(/\r\n?/g, '\n'));
}
