import type { Needle } from './needles.ts';
import { sum, type PathMatch } from './weighing.ts';

/** Why a file was chosen, in words; the strongest reason first. */
export function reasonsFor(file: {
  readonly needles: readonly Needle[];
  readonly weights: readonly number[];
  readonly counts: readonly number[];
  readonly path: PathMatch;
  readonly defined: readonly string[];
}): readonly string[] {
  const { needles, weights, counts, path, defined } = file;
  const reasons: string[] = [];
  if (path.named) reasons.push('the task names this file');
  if (defined.length > 0) reasons.push(`defines ${listed(defined.slice(0, 3))}`);
  const mentioned = needles
    .map(({ keyword }, index) => ({
      keyword,
      count: counts[index] ?? 0,
      weight: weights[index] ?? 0,
    }))
    .filter(({ count }) => count > 0)
    .toSorted((a, b) => b.weight - a.weight)
    .slice(0, 4)
    .map(({ keyword }) => keyword);
  const hits = sum(counts);
  if (mentioned.length > 0) {
    reasons.push(`mentions ${listed(mentioned)} (${hits} ${hits === 1 ? 'hit' : 'hits'})`);
  }
  if (path.keywords.length > 0 && !path.named) {
    reasons.push(`the path contains ${listed(path.keywords.slice(0, 3))}`);
  }
  return reasons;
}

/** `a`, `a and b`, `a, b and c`. */
export function listed(words: readonly string[]): string {
  const last = words.at(-1) ?? '';
  return words.length < 2 ? last : `${words.slice(0, -1).join(', ')} and ${last}`;
}
