// Holds the end of an agent's output, bounded.
import type { Tone } from '../theme.ts';

export interface TailLine {
  readonly text: string;
  readonly tone: Tone;
  /** Set for output, which is shown unchanged and indented below its line. */
  readonly isOutput?: boolean;
  /** Set for a line that is not shown everywhere: a zoomed pane has a whole output, a small one its ends. */
  readonly only?: 'small' | 'zoomed';
}

/** The end of an agent's output, bounded whatever it prints. */
export interface PaneTail {
  readonly lines: readonly TailLine[];
  /** The last line so far of a message that comes in pieces. */
  readonly open: string;
  /** Set while the shown pieces of a message are not yet followed by the whole. */
  readonly isPiecemeal?: true;
}

export const emptyTail: PaneTail = { lines: [], open: '' };

/** The limits of a tail: a few screens full. */
export const tailLimits = { lines: 400, lineLength: 2_000 };

const mostText = 60_000;

/** Adds a piece of a message, which continues where the last piece ended. */
export function withPiece(tail: PaneTail, piece: string): PaneTail {
  const open = tail.open + piece;
  // Most pieces end within a line, so that only the string grows.
  if (!piece.includes('\n') && open.length <= tailLimits.lineLength)
    return { ...tail, open, isPiecemeal: true };
  const lines = linesOf(open);
  const last = lines.pop() ?? '';
  return { ...withTailLines(tail, toneLines(lines, 'plain')), open: last, isPiecemeal: true };
}

/** Ends a message: one that was shown in pieces is not repeated. */
export function withMessage({ isPiecemeal, ...tail }: PaneTail, text: string): PaneTail {
  return isPiecemeal === true ? closeTail(tail) : withLine(tail, text, 'plain');
}

/** Adds whole lines; a message that came in pieces ends before them. */
export function withLine(tail: PaneTail, text: string, tone: Tone): PaneTail {
  const closed = closeTail(tail);
  return text.trim() === ''
    ? closed
    : withTailLines(closed, toneLines(linesOf(text.trimEnd()), tone));
}

interface Output {
  readonly text: string;
  readonly toneOf: (line: string) => Tone;
  /** True for lines of a long output that are kept before all others. */
  readonly matters?: (line: string) => boolean;
}

/** Adds the output of a tool, or a diff. */
export function withOutput(
  tail: PaneTail,
  { text, toneOf, matters = () => true }: Output,
): PaneTail {
  const closed = closeTail(tail);
  if (text.trim() === '') return closed;
  const lines = linesOf(text.trimEnd()).map((line): TailLine => ({
    text: line,
    tone: toneOf(line),
    isOutput: true,
  }));
  if (lines.length <= mostWhole) return withTailLines(closed, lines);
  const kept = withoutMiddle(lines.filter((line) => matters(line.text)));
  const hidden = lines.length - kept.length;
  if (hidden < 2) return withTailLines(closed, lines);
  const left: TailLine = {
    text: `… ${hidden} more lines`,
    tone: 'quiet',
    isOutput: true,
    only: 'small',
  };
  const place = lines.indexOf(kept[endLines - 1] ?? kept.at(-1) ?? left) + 1;
  const shown = lines.map((line): TailLine =>
    kept.includes(line) ? line : { ...line, only: 'zoomed' },
  );
  return withTailLines(closed, shown.toSpliced(place, 0, left));
}

function withoutMiddle<T>(lines: readonly T[]): readonly T[] {
  if (lines.length <= mostWhole) return lines;
  return [...lines.slice(0, endLines), ...lines.slice(-endLines)];
}

/** How many first and last lines of a long output a small pane shows. */
const endLines = 3;
const mostWhole = 2 * endLines + 1;

/** Ends a message that came in pieces. */
export function closeTail(tail: PaneTail): PaneTail {
  return tail.open === '' ? tail : withTailLines(tail, toneLines([tail.open], 'plain'));
}

function toneLines(texts: readonly string[], tone: Tone): readonly TailLine[] {
  return texts.map((text) => ({ text, tone }));
}

function withTailLines(tail: PaneTail, more: readonly TailLine[]): PaneTail {
  return { ...tail, lines: [...tail.lines, ...more].slice(-tailLimits.lines), open: '' };
}

/** Splits a text into lines of bounded length; a huge text is cut to its end. */
function linesOf(text: string): string[] {
  // A copy is made, because a substring keeps the whole string in memory.
  const end = text.length <= mostText ? text : Buffer.from(text.slice(-mostText)).toString();
  return end.split('\n').flatMap((line) => line.match(pieces) ?? '');
}

const pieces = new RegExp(`.{1,${tailLimits.lineLength}}`, 'gs');
