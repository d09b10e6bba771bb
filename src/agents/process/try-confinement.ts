// Tries whether a confinement works on this machine, and finds what it has to leave in sight.
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { delimiter, isAbsolute } from 'node:path';
import { temporaryFolder } from '../../store/temporary-folder.ts';
import { errorLine } from '../phrases.ts';
import type { Confinement } from './confinement.ts';
import { runProcess } from './start-program.ts';

/** The reason why a confinement does not work, in its own words; null if it works. */
export async function confinementFault(
  confinement: Confinement,
  {
    environment,
    signal,
  }: { readonly environment: NodeJS.ProcessEnv; readonly signal: AbortSignal },
): Promise<string | null> {
  const temporary = await temporaryFolder('check');
  try {
    const bounds = { writable: [], hidden: [], temporary, insteadOf: null };
    const [command = '', ...args] = confinement.argv(['true'], bounds);
    const limits = { firstOutputMs: 10_000, idleMs: 10_000, totalMs: 10_000, graceMs: 1_000 };
    const env = { PATH: environment['PATH'] ?? '' };
    // A mark without a dot belongs to no run, and so starts no watcher.
    const mark = temporary.replaceAll('.', '-');
    const order = { command, args, cwd: temporary, env, mark, rawOutput: null, limits };
    const run = runProcess({ ...order, input: '' }, signal);
    let next = await run.next();
    while (next.done !== true) next = await run.next();
    const { exitCode, spawnError, stderrTail } = next.value;
    if (exitCode === 0) return null;
    return spawnError?.message ?? (errorLine(stderrTail) || 'it printed nothing');
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}

/** The folders besides the work tree from which its programs are started and read. */
export function placesOf(env: NodeJS.ProcessEnv): readonly string[] {
  const { HOME: home = '', PATH: path = '', CONCLAVE_ROOT: root = '' } = env;
  return [home, root, ...path.split(delimiter)].filter((one) => isAbsolute(one) && existsSync(one));
}

const usualTemporary = '/tmp';

/** The temporary folder that is replaced by a private one; null if it contains something that is needed. */
export function findSharedTemporary(needed: readonly string[]): string | null {
  const isInUse = needed.some((path) => `${path}/`.startsWith(`${usualTemporary}/`));
  return isInUse || !existsSync(usualTemporary) ? null : usualTemporary;
}
