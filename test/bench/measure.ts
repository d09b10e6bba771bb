import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
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
  /** How many times the processor time of the floor it takes, which a busy machine changes little. */
  readonly cpu?: number;
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

/** Where and with what a program runs. */
interface Surroundings {
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
  readonly input?: string;
}

/** Runs a program: how long it takes, and its processor time with that of those it starts, in ms. Throws if it fails. */
export function useOf(
  words: readonly string[],
  { input = '', ...own }: Surroundings = {},
): Record<'ms' | 'cpu', number> {
  const script = 'TIMEFORMAT="%R %U %S"; exec 3>&2; { time "$@" >/dev/null 2>&3; } 2>&1';
  const told = execFileSync('bash', ['-c', script, 'bash', ...words], {
    ...own,
    input,
    encoding: 'utf8',
    stdio: 'pipe',
  });
  const [real = NaN, user = NaN, system = NaN] = told.trim().split(' ').map(Number);
  return { ms: real * 1_000, cpu: (user + system) * 1_000 };
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

/** The peak memory of an empty Node, in MB. */
export async function bareMemory(): Promise<number> {
  const child = spawn(process.execPath, ['-e', 'process.stdin.resume(); console.log(0)']);
  await once(child.stdout, 'data');
  const peak = memoryOf(child.pid ?? 0, 'VmHWM');
  child.stdin.end();
  await once(child, 'close');
  return peak;
}
