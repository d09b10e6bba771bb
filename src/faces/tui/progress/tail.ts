// Holds the end of an agent's output, bounded.
import type { Tone } from '../theme.ts';

export interface TailLine {
  readonly text: string;
  readonly tone: Tone;
  /** Set for output, which is shown unchanged and indented below its line. */
  readonly isOutput?: boolean;
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

/** Adds the output of a tool, or a diff, as it is. */
export function withOutput(
  tail: PaneTail,
  text: string,
  toneOf: (line: string) => Tone = () => 'quiet',
): PaneTail {
  const closed = closeTail(tail);
  if (text.trim() === '') return closed;
  const lines = linesOf(text.trimEnd());
  return withTailLines(
    closed,
    lines.map((line) => ({ text: line, tone: toneOf(line), isOutput: true })),
  );
}

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
