// Sums up what readers found in a plan; loads no shapes, so that the first frame is fast.
import type { PlanReading, ReadFinding } from './plan-reading.ts';
import { counted, listed } from './wording.ts';

/** Sums up the findings of a reading: `3 findings (1 fixed, 1 refused, 1 open)`. */
export function readingText(findings: readonly Pick<ReadFinding, 'fate'>[]): string {
  if (findings.length === 0) return 'no problems found';
  const fates = (['fixed', 'refused', 'open'] as const).flatMap((fate) => {
    const count = findings.filter((one) => one.fate === fate).length;
    return count === 0 ? [] : `${count} ${fate}`;
  });
  return `${counted(findings.length, 'finding')} (${fates.join(', ')})`;
}

/** Names the readers with what they found, and says so if they read an earlier version than this one. */
export function readersText(
  { readers, findings, version }: Pick<PlanReading, 'readers' | 'findings' | 'version'>,
  now: number,
): string {
  const who = listed(readers.map(({ agent }) => agent));
  const what = version < now ? ` read version ${version}, not this one` : '';
  return `${who}${what}: ${readingText(findings)}`;
}
