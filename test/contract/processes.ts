import { readFileSync, readdirSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';

/** The command lines of every process on this machine, arguments ended by NUL. */
export function commandLines(): string[] {
  return processIds().map((pid) => textOrEmpty(`/proc/${pid}/cmdline`));
}

/** Every command line that is seen on this machine while something goes on. */
export async function commandLinesDuring(running: Promise<unknown>): Promise<ReadonlySet<string>> {
  const seen = new Set<string>();
  const ended = running.then(() => true);
  do {
    for (const line of commandLines()) seen.add(line);
  } while (!(await Promise.race([ended, wait(5, false)])));
  return seen;
}

/** Those of `sleep` for so long; `time` is best one that nobody else sleeps for. */
export function sleepers(time: string): string[] {
  return commandLines().filter((line) => line === `sleep\0${time}\0`);
}

/** Waits until so many sleep for so long; rejects if `running` ends before. */
export async function asleep(
  running: Promise<unknown>,
  { time, count }: { readonly time: string; readonly count: number },
): Promise<void> {
  const ended = running.then(() => true);
  while (sleepers(time).length < count) {
    if (await Promise.race([ended, wait(5, false)])) throw new Error('it ended without a sleep');
  }
}

/** The pids of the processes that carry a run’s mark. */
export function marked(mark: string): number[] {
  return having(`CONCLAVE_RUN=${mark}`);
}

/** The pids of the processes that have a variable of this value, e.g. `HOME=/tmp/x`. */
export function having(variable: string): number[] {
  const own = `${variable}\0`;
  return processIds()
    .filter((pid) => textOrEmpty(`/proc/${pid}/environ`).includes(own))
    .map(Number);
}

function processIds(): string[] {
  return readdirSync('/proc').filter((name) => /^\d+$/.test(name));
}

// Processes come and go while the list is walked.
function textOrEmpty(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error) return '';
    throw error;
  }
}
