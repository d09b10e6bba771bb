import stringWidth from '../../string-width.ts';

/** One line of a field as it is shown: `text.slice(start, end)`. */
export interface ShownLine {
  readonly start: number;
  readonly end: number;
  /** Its text goes on in the next line without a line end. */
  readonly isSoft: boolean;
}

// A key needs the lines to move the cursor, and the screen needs the same ones to be drawn.
let latest: { text: string; width: number; lines: readonly ShownLine[] } | null = null;

/** The lines of a text in a field of `width` columns, of which the last is kept for the cursor. */
export function shownLines(text: string, width: number): readonly ShownLine[] {
  if (latest?.text !== text || latest.width !== width) {
    latest = { text, width, lines: brokenLines(text, Math.max(2, width - 1)) };
  }
  return latest.lines;
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
    if (width + widthOfCell(segment) > column) return last;
    width += widthOfCell(segment);
  }
  // Behind a soft line is the start of the next one.
  return line.isSoft ? last : line.end;
}

/** The text of a piece of one line as it is drawn. */
export function shownText(text: string): string {
  return text.replaceAll('\t', '  ');
}

function brokenLines(text: string, room: number): readonly ShownLine[] {
  let start = 0;
  return text.split('\n').flatMap((line) => {
    const lines = brokenLine(line, room);
    const offset = start;
    start += line.length + 1;
    return lines.map((one) => ({ ...one, start: one.start + offset, end: one.end + offset }));
  });
}

function brokenLine(line: string, room: number): readonly ShownLine[] {
  if (line.length <= room && plain.test(line))
    return [{ start: 0, end: line.length, isSoft: false }];
  const lines: ShownLine[] = [];
  let start = 0;
  let width = 0;
  let gap = 0;
  for (const { segment, index } of cells(line)) {
    const columns = widthOfCell(segment);
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

/** Columns of graphemes that were met: a long text has few different ones. */
const cellWidths = new Map<string, number>();
const mostCells = 10_000;

function widthOfCell(cell: string): number {
  const known = cellWidths.get(cell);
  if (known !== undefined) return known;
  if (cellWidths.size === mostCells) cellWidths.clear();
  const width = columnsOf(cell);
  cellWidths.set(cell, width);
  return width;
}

const plain = /^[\u0020-\u007e]*$/;
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** The graphemes of a line; much cheaper for a line of plain letters, which most are. */
function* cells(line: string): Generator<{ readonly segment: string; readonly index: number }> {
  if (!plain.test(line)) yield* graphemes.segment(line);
  else
    for (let index = 0; index < line.length; index += 1)
      yield { segment: line.charAt(index), index };
}
