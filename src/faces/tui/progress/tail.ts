// Holds the end of an agent's output, bounded.
import type { Tone } from '../theme.ts';

export interface TailLine {
  readonly text: string;
  readonly tone: Tone;
  /** Shown as it is, indented below the line that it belongs to. */
  readonly isOutput?: boolean;
  /** Set for a line that is not shown everywhere: a zoomed pane has a whole output, a small one its ends. */
  readonly only?: 'small' | 'zoomed';
}

/** The end of an agent's output, bounded whatever it prints. */
export interface PaneTail {
  readonly lines: readonly TailLine[];
  /** The last line of a message that comes in pieces, as far as it has come. */
  readonly open: string;
}

export const emptyTail: PaneTail = { lines: [], open: '' };

/** The limits of a tail: a few screens full. */
export const tailLimits = { lines: 400, lineLength: 2_000 };

const mostText = 60_000;

/** The tail with a piece of a message, which continues where the last piece ended. */
export function withPiece(tail: PaneTail, piece: string): PaneTail {
  const open = tail.open + piece;
  // Most pieces end within a line: nothing but a longer string.
  if (!piece.includes('\n') && open.length <= tailLimits.lineLength) return { ...tail, open };
  const lines = linesOf(open);
  const last = lines.pop() ?? '';
  return { ...withTailLines(tail, toned(lines, 'plain')), open: last };
}

/** The tail with whole lines after it; a message that came in pieces ends before them. */
export function withLine(tail: PaneTail, text: string, tone: Tone): PaneTail {
  const closed = closeTail(tail);
  return text.trim() === '' ? closed : withTailLines(closed, toned(linesOf(text.trimEnd()), tone));
}

/** The tail with the output of a tool, or a diff. */
export function withOutput(
  tail: PaneTail,
  { text, toneOf }: { readonly text: string; readonly toneOf: (line: string) => Tone },
): PaneTail {
  const closed = closeTail(tail);
  if (text.trim() === '') return closed;
  const lines = linesOf(text.trimEnd()).map((line): TailLine => ({
    text: line,
    tone: toneOf(line),
    isOutput: true,
  }));
  const hidden = lines.length - 2 * endLines;
  if (hidden < 2) return withTailLines(closed, lines);
  const middle = lines
    .slice(endLines, -endLines)
    .map((line): TailLine => ({ ...line, only: 'zoomed' }));
  const left = {
    text: `… ${hidden} more lines`,
    tone: 'quiet',
    isOutput: true,
    only: 'small',
  } as const;
  return withTailLines(closed, lines.toSpliced(endLines, hidden, left, ...middle));
}

/** Of a long output a small pane shows so many first and last lines. */
const endLines = 3;

/** The tail once a message that came in pieces has ended. */
export function closeTail(tail: PaneTail): PaneTail {
  return tail.open === '' ? tail : withTailLines(tail, toned([tail.open], 'plain'));
}

function toned(texts: readonly string[], tone: Tone): readonly TailLine[] {
  return texts.map((text) => ({ text, tone }));
}

function withTailLines(tail: PaneTail, more: readonly TailLine[]): PaneTail {
  return { lines: [...tail.lines, ...more].slice(-tailLimits.lines), open: '' };
}

/** Lines of bounded length; of a huge text only its end. */
function linesOf(text: string): string[] {
  // Copied, since a part of a string keeps the whole of it in memory.
  const end = text.length <= mostText ? text : Buffer.from(text.slice(-mostText)).toString();
  return end.split('\n').flatMap((line) => line.match(pieces) ?? '');
}

const pieces = new RegExp(`.{1,${tailLimits.lineLength}}`, 'gs');
