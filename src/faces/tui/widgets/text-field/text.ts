import stringWidth from 'string-width';

/** No grapheme that people write is longer; bounds how far is looked in a long text. */
const longestGrapheme = 128;

/** The index before the grapheme that ends at `index`. */
export function graphemeBefore(text: string, index: number): number {
  if (index === 0) return 0;
  const from = Math.max(0, index - longestGrapheme);
  const last = [...graphemes.segment(text.slice(from, index))].at(-1);
  return last === undefined ? from : from + last.index;
}

/** The index behind the grapheme that starts at `index`. */
export function graphemeAfter(text: string, index: number): number {
  const [first] = graphemes.segment(text.slice(index, index + longestGrapheme));
  return index + (first?.segment.length ?? 0);
}

/** The index itself, or the end of the grapheme that it is inside of. */
export function graphemeEdge(text: string, index: number): number {
  const from = Math.max(0, index - longestGrapheme);
  const around = graphemes.segment(text.slice(from, index + longestGrapheme));
  const cut = around.containing(index - from);
  return cut === undefined || cut.index === index - from
    ? index
    : from + cut.index + cut.segment.length;
}

/** The start of the word before `index`, over what lies between. */
export function wordBefore(text: string, index: number): number {
  const at = Array.from(text.slice(0, index).matchAll(words)).at(-1)?.index ?? 0;
  const end = graphemeEdge(text, at);
  return end === at ? at : graphemeBefore(text, end);
}

/** The end of the word after `index`, over what lies between. */
export function wordAfter(text: string, index: number): number {
  const [word] = text.slice(index).matchAll(words);
  return word === undefined ? text.length : graphemeEdge(text, index + word.index + word[0].length);
}

/** The index of the first letter of the line that `index` is in. */
export function lineStart(text: string, index: number): number {
  return index === 0 ? 0 : text.lastIndexOf('\n', index - 1) + 1;
}

/** The index behind the last letter of the line that `index` is in. */
export function lineEnd(text: string, index: number): number {
  const end = text.indexOf('\n', index);
  return end === -1 ? text.length : end;
}

/** One line of a field as it is shown: `text.slice(start, end)`. */
export interface ShownLine {
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
export function shownText(text: string): string {
  return text.replaceAll('\t', '  ');
}

function brokenLine(line: string, room: number): readonly ShownLine[] {
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
const words = /[\p{L}\p{N}\p{M}_]+/gu;
