import type { Tone } from '../theme.ts';

/** One line of an agent's tail. */
export interface TailLine {
  readonly text: string;
  readonly tone: Tone;
}

/** The end of what an agent told: bounded in lines and characters, whatever it prints. */
export interface PaneTail {
  readonly lines: readonly TailLine[];
  /** The last line of a message that comes in pieces, as far as it has come. */
  readonly open: string;
  /** Characters of all lines. */
  readonly size: number;
  /** Lines that were here before the first one, so that a place in the tail keeps its number. */
  readonly gone: number;
}

export const emptyTail: PaneTail = { lines: [], open: '', size: 0, gone: 0 };

/** What a tail keeps: a few screens full, of any size of terminal. */
export const tailLimits = { lines: 400, characters: 60_000, lineLength: 2_000 };

/** The tail with a piece of a message: it goes on where the last piece ended. */
export function withPiece(tail: PaneTail, piece: string): PaneTail {
  const open = tail.open + piece;
  // Most pieces end within a line: nothing but a longer string.
  if (!piece.includes('\n') && open.length <= tailLimits.lineLength) return { ...tail, open };
  const lines = linesOf(open);
  const last = lines.pop() ?? '';
  return { ...withLines(tail, lines, 'plain'), open: last };
}

/** The tail with whole lines after it; a message that came in pieces ends before them. */
export function withLine(tail: PaneTail, text: string, tone: Tone): PaneTail {
  const closed = closedTail(tail);
  return text.trim() === '' ? closed : withLines(closed, linesOf(text.trimEnd()), tone);
}

/** The tail where a message that came in pieces has ended. */
export function closedTail(tail: PaneTail): PaneTail {
  return tail.open === '' ? tail : { ...withLines(tail, [tail.open], 'plain'), open: '' };
}

function withLines(tail: PaneTail, texts: readonly string[], tone: Tone): PaneTail {
  const lines = [...tail.lines, ...texts.map((text) => ({ text, tone }))];
  let size = texts.reduce((sum, text) => sum + text.length, tail.size);
  let from = 0;
  while (lines.length - from > tailLimits.lines || size > tailLimits.characters) {
    size -= lines[from]?.text.length ?? 0;
    from += 1;
  }
  return { lines: from === 0 ? lines : lines.slice(from), open: '', size, gone: tail.gone + from };
}

/** Lines of bounded length; of a huge text only its end. */
function linesOf(text: string): string[] {
  const { characters, lineLength } = tailLimits;
  return endOf(text, characters)
    .split('\n')
    .flatMap((line) => (line.length <= lineLength ? line : pieces(line, lineLength)));
}

// Copied, since a part of a string keeps the whole of it in memory.
function endOf(text: string, most: number): string {
  return text.length <= most ? text : Buffer.from(text.slice(-most)).toString();
}

function pieces(line: string, length: number): string[] {
  const count = Math.ceil(line.length / length);
  return Array.from({ length: count }, (_, n) => line.slice(n * length, (n + 1) * length));
}
