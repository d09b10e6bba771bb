import stringWidth from 'string-width';
import { row, span, type Row } from '../../rows.ts';
import { graphemeAfter, type TextField } from './state.ts';

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

/** One line of a field as it is shown: `text.slice(start, end)`. */
interface ShownLine {
  readonly start: number;
  readonly end: number;
  /** Its text goes on in the next line without a line end. */
  readonly isSoft: boolean;
}

/** The lines of a text in a field of `width` columns, the last of which is for the cursor. */
export function shownLines(text: string, width: number): readonly ShownLine[] {
  const room = Math.max(2, width - 1);
  let start = 0;
  return text.split('\n').flatMap((line) => {
    const lines = brokenLine(line, room);
    const offset = start;
    start += line.length + 1;
    return lines.map((one) => ({ ...one, start: one.start + offset, end: one.end + offset }));
  });
}

/** The number of the line that the cursor is in. */
export function lineAt(lines: readonly ShownLine[], cursor: number): number {
  const next = lines.findIndex(({ start }) => start > cursor);
  return (next === -1 ? lines.length : next) - 1;
}

/** Columns that a piece of a field takes. */
export function columnsOf(text: string): number {
  return stringWidth(shownText(text));
}

/** The index in the line that is nearest to a column. */
export function indexAt(text: string, line: ShownLine, column: number): number {
  let last = line.start;
  let width = 0;
  for (const { segment, index } of cells(text.slice(line.start, line.end))) {
    last = line.start + index;
    if (width + columnsOf(segment) > column) return last;
    width += columnsOf(segment);
  }
  // Behind a soft line is the start of the next one.
  return line.isSoft ? last : line.end;
}

/** The text of a piece of one line as it is drawn. */
function shownText(text: string): string {
  return text.replaceAll('\t', '  ');
}

function brokenLine(line: string, room: number): readonly ShownLine[] {
  if (line.length <= room && plain.test(line))
    return [{ start: 0, end: line.length, isSoft: false }];
  const lines: ShownLine[] = [];
  let start = 0;
  let width = 0;
  let gap = 0;
  for (const { segment, index } of cells(line)) {
    const columns = columnsOf(segment);
    // One space may stand where the cursor would, unless the cursor can stand behind it.
    const hangs = segment === ' ' && width === room && index + 1 < line.length;
    if (width + columns > room && !hangs) {
      const end = gap > start ? gap : index;
      lines.push({ start, end, isSoft: true });
      start = end;
      width = columnsOf(line.slice(end, index));
    }
    width += columns;
    if (segment === ' ') gap = index + 1;
  }
  return [...lines, { start, end: line.length, isSoft: false }];
}

// Segmenting takes long, and most lines are plain letters.
function cells(line: string): Iterable<{ readonly segment: string; readonly index: number }> {
  if (!plain.test(line)) return graphemes.segment(line);
  return Array.from(line, (segment, index) => ({ segment, index }));
}

const plain = /^[\u0020-\u007e]*$/;
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });
