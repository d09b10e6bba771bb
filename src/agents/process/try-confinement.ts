// Tries whether a confinement works on this machine, and runs commands within its bounds.
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { delimiter, isAbsolute } from 'node:path';
import { runProgram } from '../../store/run-program.ts';
import { temporaryFolder } from '../../store/temporary-folder.ts';
import { errorLine } from '../phrases.ts';
import type { Bounds, Confinement } from './confinement.ts';

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
    const env = { PATH: environment['PATH'] ?? '' };
    const bounds = { writable: [], hidden: [], temporary, insteadOf: null };
    const [command = '', ...args] = confinement.argv(['true'], bounds);
    const call = { command, args, env, signal, maxOutput: 65_536 };
    const { exitCode, fault, stderr } = await runProgram(call);
    if (exitCode === 0) return null;
    return fault?.message ?? (errorLine(stderr.toString('utf8')) || 'it printed nothing');
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}

/** A command with its whole environment. */
interface Command {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** The command that runs another one within bounds; `seen` are the places that it needs besides its programs. */
export function withinBounds(
  { command, args, env }: Command,
  {
    confinement,
    seen,
    ...bounds
  }: Omit<Bounds, 'insteadOf'> & {
    readonly confinement: Confinement;
    readonly seen: readonly string[];
  },
): Command {
  const insteadOf = findSharedTemporary([...seen, ...placesOf(env), command]);
  const words = confinement.argv([command, ...args], { ...bounds, insteadOf });
  const [program = command, ...rest] = words;
  return { command: program, args: rest, env: { ...env, TMPDIR: insteadOf ?? bounds.temporary } };
}

/** The folders besides the work tree from which its programs are started and read. */
function placesOf(env: NodeJS.ProcessEnv): readonly string[] {
  const { HOME: home = '', PATH: path = '', CONCLAVE_ROOT: root = '' } = env;
  return [home, root, ...path.split(delimiter)].filter((one) => isAbsolute(one) && existsSync(one));
}

const usualTemporary = '/tmp';

/** The temporary folder that is replaced by a private one; null if it contains something that is needed. */
function findSharedTemporary(needed: readonly string[]): string | null {
  const isInUse = needed.some((path) => `${path}/`.startsWith(`${usualTemporary}/`));
  return isInUse || !existsSync(usualTemporary) ? null : usualTemporary;
}
