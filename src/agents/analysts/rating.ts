import { isTest } from '../../context/file-kinds.ts';
import { sum } from '../../context/weighing.ts';
import type { Level } from '../../model/ids.ts';
import type { PlannedFile } from '../../model/proposal.ts';

/** No analyst is surer than this: no model has judged what it says. */
const mostFeasible = 0.6;

/** A file that is written takes about as much as this many that are changed. */
const written = 3;

/** Effort by the files that are touched; tests go with what they test and do not count. */
export function effortFor(files: readonly PlannedFile[]): Level {
  const actions = new Map(files.map(({ file, action }) => [file, action]));
  const counted = [...actions].filter(([path]) => !isTest(path));
  const total = sum(counted.map(([, action]) => (action === 'create' ? written : 1)));
  if (total <= 1) return 'low';
  return total <= 5 ? 'medium' : 'high';
}

/** Risk by who imports the touched files, and whether a test would notice. */
export function riskFor(counts: { readonly importers: number; readonly tests: number }): Level {
  const { importers, tests } = counts;
  if (importers > 10 || (importers > 4 && tests === 0)) return 'high';
  return tests > 0 && importers <= 2 ? 'low' : 'medium';
}

/** For what was not looked at closely enough to be called safe. */
export function atLeastMedium(risk: Level): Level {
  return risk === 'low' ? 'medium' : risk;
}

/** A modest number from 0 to 0.6: a fifth, and a part for each kind of evidence that was found. */
export function feasibilityFor(
  evidence: readonly (readonly [found: boolean, part: number])[],
): number {
  const parts = evidence.map(([found, part]) => (found ? part : 0));
  const total = 0.2 + sum(parts);
  return Math.round(Math.min(mostFeasible, Math.max(0.1, total)) * 100) / 100;
}
