// Sums up what readers found in a plan; loads no shapes, so that the first frame is fast.
import type { ReadFinding } from './plan-reading.ts';
import { counted } from './wording.ts';

/** Sums up the findings of a reading: `3 findings (1 fixed, 1 refused, 1 open)`. */
export function readingText(findings: readonly Pick<ReadFinding, 'fate'>[]): string {
  if (findings.length === 0) return 'no problems found';
  const fates = (['fixed', 'refused', 'open'] as const).flatMap((fate) => {
    const count = findings.filter((one) => one.fate === fate).length;
    return count === 0 ? [] : `${count} ${fate}`;
  });
  return `${counted(findings.length, 'finding')} (${fates.join(', ')})`;
}
