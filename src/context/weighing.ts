import { nameOfPath, folderOf, stemOf } from '../git/paths.ts';
import { isNamedIn, type Needle } from './needles.ts';
import type { Definition } from './symbols.ts';
import type { Tally } from './tally.ts';

/** A name in code tells more than a word of prose that is just as rare. */
const identifierFactor = 1.6;

/** What is searched for, and how much each needle tells, in the needles’ order. */
export interface Weighed {
  readonly needles: readonly Needle[];
  readonly weights: readonly number[];
}

/** How much each needle tells: the fewer files it stands in, the more. */
export function needleWeights(found: {
  readonly needles: readonly Needle[];
  readonly tallies: readonly Tally[];
  readonly fileCount: number;
}): readonly number[] {
  const { needles, tallies, fileCount } = found;
  return needles.map((needle, index) => {
    const files = tallies.filter((tally) => (tally.counts[index] ?? 0) > 0).length;
    const rest = Math.max(0, fileCount - files);
    const rareness = Math.log(1 + (rest + 0.5) / (files + 0.5));
    return rareness * (needle.identifier ? identifierFactor : 1);
  });
}

/** BM25 over the needles: each further hit adds less, a long file needs more of them. */
export function bodyWeight(
  counts: readonly number[],
  by: { readonly weights: readonly number[]; readonly lengthRatio: number },
): number {
  const { weights, lengthRatio } = by;
  const norm = 1.2 * (0.25 + 0.75 * Math.min(4, Math.max(0.25, lengthRatio)));
  return sum(counts.map((count, index) => ((weights[index] ?? 0) * count) / (count + norm)));
}

export interface PathMatch {
  readonly value: number;
  /** The keywords that stand in the path. */
  readonly keywords: readonly string[];
  /** The task text names this very file. */
  readonly named: boolean;
}

export function matchPath(path: string, { needles, weights }: Weighed): PathMatch {
  const stem = stemOf(nameOfPath(path));
  const folder = folderOf(path);
  const hits = needles.map((needle, index) => {
    const weight = weights[index] ?? 0;
    if (needle.isPath && isPathOf(path, needle.keyword)) return { named: true, value: 4 * weight };
    if (isNamedIn(stem, needle)) return { named: false, value: weight };
    return { named: false, value: isNamedIn(folder, needle) ? weight / 2 : 0 };
  });
  return {
    value: sum(hits.map(({ value }) => value)),
    keywords: needles.filter((_, i) => (hits[i]?.value ?? 0) > 0).map(({ keyword }) => keyword),
    named: hits.some(({ named }) => named),
  };
}

/** How much the definitions of a file match: a name as a whole, or a word as a part of one. */
export function definitionWeight(
  definitions: readonly Definition[],
  { needles, weights }: Weighed,
): number {
  const best = needles.map((needle) =>
    Math.max(0, ...definitions.map(({ name }) => definitionMatch(name, needle))),
  );
  return sum(best.map((match, index) => match * (weights[index] ?? 0)));
}

/** 1 where the definition has the needle’s name, less where it only holds the word. */
export function definitionMatch(name: string, needle: Needle): number {
  const lower = name.toLowerCase();
  if (needle.texts.some((text) => text === lower || text.endsWith(`.${lower}`))) return 1;
  return isNamedIn(name, needle) ? 0.4 : 0;
}

export function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function isPathOf(path: string, keyword: string): boolean {
  const bare = keyword.replace(/^(?:\.?\/)+/, '');
  return path === bare || path.endsWith(`/${bare}`);
}
