import { countIn, type Needle } from './needles.ts';

/** What of the needles stands in one file. */
export interface Tally {
  readonly path: string;
  readonly needles: readonly Needle[];
  /** Hits of each needle, in the needles’ order. */
  readonly counts: number[];
  /** Line number, from 1, to the indexes of the needles that stand there. */
  readonly lines: Map<number, number[]>;
}

/** More hit lines of one file tell nothing new. */
export const mostLines = 400;

export function emptyTally(path: string, needles: readonly Needle[]): Tally {
  return { path, needles, counts: needles.map(() => 0), lines: new Map() };
}

/** Counts the needles in one line of the file. */
export function tallyLine(
  tally: Tally,
  { number, text }: { readonly number: number; readonly text: string },
): void {
  const line = { text, lower: text.toLowerCase() };
  const here: number[] = [];
  for (const [index, needle] of tally.needles.entries()) {
    const count = countIn(line, needle);
    if (count === 0) continue;
    tally.counts[index] = (tally.counts[index] ?? 0) + count;
    here.push(index);
  }
  if (here.length > 0 && tally.lines.size < mostLines) tally.lines.set(number, here);
}
