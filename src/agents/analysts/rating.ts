import type { Level } from '../../model/ids.ts';

/** No analyst is surer than this: no model has judged what it says. */
const mostFeasible = 0.6;

/** Effort by the number of files that are touched. */
export function effortFor(files: number): Level {
  if (files <= 2) return 'low';
  return files <= 6 ? 'medium' : 'high';
}

/** Risk by who imports the touched files, and whether a test would notice. */
export function riskFor(counts: { readonly importers: number; readonly tests: number }): Level {
  const { importers, tests } = counts;
  if (importers > 10 || (importers > 4 && tests === 0)) return 'high';
  return tests > 0 && importers <= 2 ? 'low' : 'medium';
}

/** A modest number from 0 to 0.6: a fifth, and a part for each kind of evidence that was found. */
export function feasibilityFor(
  evidence: readonly (readonly [found: boolean, part: number])[],
): number {
  const parts = evidence.map(([found, part]) => (found ? part : 0));
  const total = parts.reduce((sum, part) => sum + part, 0.2);
  return Math.round(Math.min(mostFeasible, Math.max(0.1, total)) * 100) / 100;
}
