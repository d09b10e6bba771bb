import type { KeyName } from '../../presses.ts';
import { columnsOf, indexAt, lineAt, shownLines } from './rows.ts';
import {
  graphemeAfter,
  graphemeBefore,
  lineEnd,
  lineStart,
  movedTo,
  replaced,
  type TextField,
  undone,
  withTyped,
  wordAfter,
  wordBefore,
} from './state.ts';

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
  ...each(['left', 'ctrl+b'], to(graphemeBefore)),
  ...each(['right', 'ctrl+f'], to(graphemeAfter)),
  ...each(['alt+left', 'ctrl+left', 'alt+b'], to(wordBefore)),
  ...each(['alt+right', 'ctrl+right', 'alt+f'], to(wordAfter)),
  ...each(['home', 'ctrl+a'], to(lineStart)),
  ...each(['end', 'ctrl+e'], to(lineEnd)),
  ...each(
    ['ctrl+home'],
    to(() => 0),
  ),
  ...each(
    ['ctrl+end'],
    to((text) => text.length),
  ),
  ...each(['backspace'], without(graphemeBefore)),
  ...each(['delete', 'ctrl+d'], without(graphemeAfter)),
  ...each(['alt+backspace', 'ctrl+w'], without(wordBefore)),
  ...each(['alt+d', 'ctrl+delete', 'alt+delete'], without(wordAfter)),
  ...each(['ctrl+u'], without(lineStart)),
  ...each(['ctrl+k'], without(restOfLine)),
  ...each(['ctrl+z', 'ctrl+_'], undone),
]);

function each(keys: readonly KeyName[], edit: Edit): readonly (readonly [KeyName, Edit])[] {
  return keys.map((key) => [key, edit]);
}

function to(place: Place): Edit {
  return (field) => movedTo(field, place(field.text, field.cursor));
}

function without(place: Place): Edit {
  return (field) => {
    const other = place(field.text, field.cursor);
    const from = Math.min(other, field.cursor);
    return replaced(field, { from, to: Math.max(other, field.cursor), by: '' });
  };
}

/** At the end of a line, its line end. */
function restOfLine(text: string, cursor: number): number {
  const end = lineEnd(text, cursor);
  return end === cursor ? graphemeAfter(text, cursor) : end;
}
