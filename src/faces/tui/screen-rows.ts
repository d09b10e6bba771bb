// Makes the lines of a screen: safe, wrapped, cut, put side by side.
import wrapAnsi from 'wrap-ansi';
import { cleanText } from '../../model/clean-text.ts';
import stringWidth from 'string-width';
import type { Tone } from './theme.ts';

/** A piece of a line. Its text is safe to show: only `span` makes one. */
export interface Span {
  readonly text: string;
  readonly tone: Tone;
  /** The project file that it names: a link if the terminal shows links. */
  readonly file?: string;
}

/** A line of a screen. Screens are lists of rows: easy to cut, scroll, join and test. */
export type Row = readonly Span[];

export const emptyRow: Row = [];

/** Makes a span of text from anywhere, cleaned of terminal control sequences. */
export function span(text: string, tone: Tone = 'plain'): Span {
  return { text: cleanText(text).replaceAll(/[\n\t]+/g, ' '), tone };
}

/** Shows a project path as a link; `text` is shown instead of the path. */
export function fileSpan(file: string, text = file, tone: Tone = 'plain'): Span {
  return { ...span(text, tone), file };
}

export function row(...spans: readonly Span[]): Row {
  return spans;
}

/** Wraps text of any length into rows at most `width` columns wide; its line breaks are kept. */
export function wrapText(
  text: string,
  {
    width,
    tone = 'plain',
    indent = 0,
    trim = true,
  }: { width: number; tone?: Tone; indent?: number; trim?: boolean },
): readonly Row[] {
  const room = Math.max(8, width - indent);
  const safe = cleanText(text).replaceAll('\t', '  ');
  const lines = wrapAnsi(breakPaths(safe, room), room, { hard: true, trim }).split('\n');
  const lead = ' '.repeat(indent);
  return lines.map((line) => [{ text: lead + line, tone }]);
}

/** Wraps a row of any length and keeps its tones and links; with `hang`, all lines stand right of its first span. */
export function wrapRow(
  line: Row,
  { width, indent = 0, hang = 0 }: { width: number; indent?: number; hang?: number },
): readonly Row[] {
  const [mark, ...others] = line;
  const isHung = hang > 0 && mark !== undefined;
  const lead = span(' '.repeat(indent));
  const left = [...(isHung ? others : line)];
  const whole = left.map(({ text }) => text).join('');
  return wrapText(whole, { width: width - indent - hang }).map(([only], index) => [
    lead,
    ...(isHung ? [index === 0 ? mark : span(' '.repeat(hang))] : []),
    ...takeSpans(left, only?.text ?? ''),
  ]);
}

/** Takes the spans of a text from the front of others, without the blanks at which a line was broken. */
function takeSpans(left: Span[], text: string): Row {
  const taken: Span[] = [];
  for (let rest = text; rest !== '';) {
    const [piece] = left;
    if (piece === undefined) break;
    const isStart = taken.length === 0 && !/^\s/.test(text);
    const from = isStart ? piece.text.trimStart() : piece.text;
    const part = from.slice(0, rest.length);
    if (part !== '') taken.push({ ...piece, text: part });
    rest = rest.slice(part.length);
    left.splice(0, 1, ...(from === part ? [] : [{ ...piece, text: from.slice(part.length) }]));
  }
  return taken;
}

/** Breaks a path that is longer than a line after its folders, so that their names stay whole. */
function breakPaths(text: string, room: number): string {
  return text.replaceAll(/\S+/g, (path) => {
    if (!path.slice(1, -1).includes('/') || stringWidth(path) <= room) return path;
    return wrapAnsi(path.replaceAll('/', '/ '), room, { trim: false }).replaceAll(
      /\/(\n?) /g,
      '/$1',
    );
  });
}

export function plainText(line: Row): string {
  return line
    .map(({ text }) => text)
    .join('')
    .trimEnd();
}

export function widthOf(line: Row): number {
  return line.reduce((sum, { text }) => sum + widthOfText(text), 0);
}

/** The columns of a text. Most texts have one column per character, and checking for others is slow. */
function widthOfText(text: string): number {
  return /^[ -~─│]*$/.test(text) ? text.length : stringWidth(text);
}

/** Cuts a row to `width` columns; the last one becomes `…` if something is missing. */
export function cutTo(line: Row, width: number): Row {
  if (widthOf(line) <= width) return line;
  const kept: Span[] = [];
  let room = Math.max(0, width - 1);
  for (const piece of line) {
    const fits = cutText(piece.text, room);
    if (fits !== '') kept.push({ ...piece, text: fits });
    room -= stringWidth(fits);
    if (fits.length < piece.text.length) break;
  }
  return width < 1 ? [] : [...kept, { text: '…', tone: 'quiet' }];
}

/** Cuts a row or fills it with spaces to exactly `width` columns. */
export function fitRow(line: Row, width: number): Row {
  const short = cutTo(line, width);
  const missing = width - widthOf(short);
  return missing <= 0 ? short : [...short, { text: ' '.repeat(missing), tone: 'plain' }];
}

/** Puts two parts at both ends of a row of `width` columns; the left one is cut if needed. */
export function joinEnds(left: Row, right: Row, width: number): Row {
  const room = Math.max(0, width - widthOf(right));
  return [...fitRow(cutTo(left, room - 1), room), ...right];
}

/** Puts blocks of rows side by side, each of the given width, with a line between them. */
export function sideBySide(
  blocks: readonly { readonly rows: readonly Row[]; readonly width: number }[],
): readonly Row[] {
  const height = Math.max(0, ...blocks.map(({ rows }) => rows.length));
  return Array.from({ length: height }, (_, index) =>
    blocks.flatMap(({ rows, width }, column): Row => {
      const piece = fitRow(rows[index] ?? emptyRow, width);
      return column === 0 ? piece : [{ text: '│', tone: 'quiet' }, ...piece];
    }),
  );
}

/** Exactly `height` rows, starting at `from`. */
export function windowOf(rows: readonly Row[], from: number, height: number): readonly Row[] {
  const shown = rows.slice(from, from + height);
  return [...shown, ...Array.from({ length: height - shown.length }, () => emptyRow)];
}

/** A window of rows whose last one shows whether more follow. */
export function scrollTo(rows: readonly Row[], from: number, height: number): readonly Row[] {
  const shown = windowOf(rows, from, height);
  const isCut = from + height < rows.length && height > 2;
  return isCut ? [...shown.slice(0, -1), row(span('… ↓ more', 'quiet'))] : shown;
}

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

function cutText(text: string, room: number): string {
  let width = 0;
  let kept = '';
  for (const { segment } of graphemes.segment(text)) {
    width += stringWidth(segment);
    if (width > room) break;
    kept += segment;
  }
  return kept;
}
