import type { Definition } from './symbols.ts';
import { sum } from './weighing.ts';

/** The part of a file that is worth showing, by line from 1, both ends included. */
export interface Window {
  readonly start: number;
  readonly end: number;
  /** How much of the task stands close together there. */
  readonly value: number;
}

const mostLinesShown = 60;
const linesBefore = 3;
const linesAfter = 12;

/**
 * The part of at most 60 lines where the most telling needles stand close together. `hits` maps a
 * line to the needles in it; without hits it is the file’s head.
 */
export function bestWindow(file: {
  readonly hits: ReadonlyMap<number, readonly number[]>;
  readonly weights: readonly number[];
  readonly lineCount: number;
}): Window {
  const { hits, weights, lineCount } = file;
  const lines = [...hits.keys()].toSorted((a, b) => a - b);
  let best = { first: 1, last: 1, value: 0 };
  for (const [index, first] of lines.entries()) {
    const inside = linesWithin(lines, index);
    const last = inside.at(-1) ?? first;
    const value = valueOf(
      inside.flatMap((line) => hits.get(line) ?? []),
      weights,
    );
    if (value > best.value) best = { first, last, value };
  }
  if (best.value === 0) return { start: 1, end: clamp(lineCount, mostLinesShown), value: 0 };
  const start = Math.max(1, best.first - linesBefore);
  const end = Math.min(best.last + linesAfter, start + mostLinesShown - 1, lineCount);
  return { start, end: Math.max(start, end), value: best.value };
}

/** Names defined in the window, and the one that the window lies in. */
export function symbolsIn(
  definitions: readonly Pick<Definition, 'name' | 'line'>[],
  { start, end }: Pick<Window, 'start' | 'end'>,
): readonly string[] {
  const around = definitions.findLast(({ line }) => line < start);
  const inside = definitions.filter(({ line }) => line >= start && line <= end);
  const names = [...(around === undefined ? [] : [around]), ...inside].map(({ name }) => name);
  return [...new Set(names)].slice(0, mostSymbols);
}

const mostSymbols = 12;

function linesWithin(lines: readonly number[], from: number): readonly number[] {
  const reach = (lines[from] ?? 0) + mostLinesShown - linesBefore;
  const inside: number[] = [];
  for (let at = from; at < lines.length; at++) {
    const line = lines[at];
    if (line === undefined || line >= reach) break;
    inside.push(line);
  }
  return inside;
}

function valueOf(needlesHit: readonly number[], weights: readonly number[]): number {
  const counts = new Map<number, number>();
  for (const index of needlesHit) counts.set(index, (counts.get(index) ?? 0) + 1);
  return sum([...counts].map(([index, n]) => (weights[index] ?? 0) * (n / (n + 0.6))));
}

function clamp(value: number, most: number): number {
  return Math.min(most, Math.max(1, value));
}
