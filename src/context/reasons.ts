import { counted, listed } from '../model/wording.ts';
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
    reasons.push(`mentions ${listed(mentioned)} (${counted(hits, 'hit')})`);
  }
  if (path.keywords.length > 0 && !path.named) {
    reasons.push(`the path contains ${listed(path.keywords.slice(0, 3))}`);
  }
  return reasons;
}
