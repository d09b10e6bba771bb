import type { Tone } from '../theme.ts';

/** One line of an agent's tail. */
export interface TailLine {
  readonly text: string;
  readonly tone: Tone;
  /** Shown as it is, below the line that tells whose it is. */
  readonly isOutput?: boolean;
  /** Left out of the other one: a zoomed pane shows a whole output, a small one its ends. */
  readonly only?: 'small' | 'zoomed';
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

/** The tail with what a tool put out, or a diff. */
export function withOutput(
  tail: PaneTail,
  { text, toneOf }: { readonly text: string; readonly toneOf: (line: string) => Tone },
): PaneTail {
  const closed = closedTail(tail);
  if (text.trim() === '') return closed;
  const isOutput = true;
  const lines = linesOf(text.trimEnd()).map((line): TailLine => {
    return { text: line, tone: toneOf(line), isOutput };
  });
  const hidden = lines.length - 2 * endLines;
  if (hidden < 2) return withTailLines(closed, lines);
  const middle = lines
    .slice(endLines, -endLines)
    .map((line): TailLine => ({ ...line, only: 'zoomed' }));
  const left = { text: `… ${hidden} more lines`, tone: 'quiet', isOutput, only: 'small' } as const;
  return withTailLines(closed, lines.toSpliced(endLines, hidden, left, ...middle));
}

/** Of a long output a small pane shows so many first and last lines. */
const endLines = 3;

/** The tail where a message that came in pieces has ended. */
export function closedTail(tail: PaneTail): PaneTail {
  return tail.open === '' ? tail : { ...withLines(tail, [tail.open], 'plain'), open: '' };
}

function withLines(tail: PaneTail, texts: readonly string[], tone: Tone): PaneTail {
  return withTailLines(
    tail,
    texts.map((text) => ({ text, tone })),
  );
}

function withTailLines(tail: PaneTail, more: readonly TailLine[]): PaneTail {
  const lines = [...tail.lines, ...more];
  let size = more.reduce((sum, { text }) => sum + text.length, tail.size);
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
