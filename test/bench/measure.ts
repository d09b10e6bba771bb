import { readFileSync } from 'node:fs';

/** One line of the table. */
export interface Row {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  /** What it is compared with, measured in the same run. */
  readonly floor?: readonly [value: number, name: string];
  /** How many times the floor it may be. */
  readonly limit?: number;
  /** How much it may be, in its unit. */
  readonly most?: number;
}

/** The median of each figure; all are measured in each turn, so that a busy moment hits them all. */
export async function medians<Name extends string>(
  turns: number,
  measure: () => Promise<Record<Name, number>>,
): Promise<(name: Name) => number> {
  const all: Record<Name, number>[] = [];
  for (let turn = 0; turn < turns; turn += 1) all.push(await measure());
  return (name) => {
    const sorted = all.map((figures) => figures[name]).toSorted((a, b) => a - b);
    return sorted[Math.floor(sorted.length / 2)] ?? NaN;
  };
}

/** How long some work takes, in ms. */
export async function timed(work: () => unknown): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** Memory of a process in MB: now (`VmRSS`) or at its peak (`VmHWM`); 0 once it has ended. */
export function memoryOf(pid: number, which: 'VmRSS' | 'VmHWM'): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Number(new RegExp(`${which}:\\s+(\\d+) kB`).exec(status)?.[1] ?? 0) / 1024;
  } catch (error) {
    if (error instanceof Error && 'code' in error) return 0;
    throw error;
  }
}
