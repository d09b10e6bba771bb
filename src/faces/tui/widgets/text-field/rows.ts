import { type Row, row, span } from '../../rows.ts';
import { type ShownLine, lineAt, shownLines, shownText } from './layout.ts';
import { graphemeAfter } from './places.ts';
import type { TextField } from './state.ts';

interface FieldLook {
  readonly width: number;
  /** At most so many rows; the one with the cursor is always among them. */
  readonly height: number;
  /** Shown while the field is empty. */
  readonly placeholder?: string;
  /** The cursor is shown only in the field that takes the keys. */
  readonly active: boolean;
}

/** A field as rows: as many as its text has, at most `height`, never none. */
export function inputRows(field: TextField, look: FieldLook): readonly Row[] {
  const { width, height, placeholder = '', active } = look;
  if (field.text === '') return [emptyField(placeholder, active)];
  const lines = shownLines(field.text, width);
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

function lineRow({ text, cursor }: TextField, line: ShownLine, hasCursor: boolean): Row {
  const part = (from: number, to: number) => span(shownText(text.slice(from, to)));
  if (!hasCursor) return row(part(line.start, line.end));
  const next = Math.min(line.end, graphemeAfter(text, cursor));
  const under = shownText(text.slice(cursor, next)) || ' ';
  return row(part(line.start, cursor), span(under, 'chosen'), part(next, line.end));
}
