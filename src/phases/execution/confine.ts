// Confines the command of a check, or the set-up, to its work tree and the caches.
import { realpath } from 'node:fs/promises';
import type { Bounds, Confinement } from '../../agents/process/confinement.ts';
import { findProgram } from '../../agents/process/find-program.ts';
import { cacheFolders, secretPlaces } from '../../agents/process/home-places.ts';
import {
  confinementFault,
  placesOf,
  sharedTemporary,
} from '../../agents/process/try-confinement.ts';
import { wrongUsage } from '../../model/failure.ts';

/** Confines the commands of one work tree to it. */
export interface TreeConfinement {
  readonly confinement: Confinement;
  /** The top of the work tree, absolute. */
  readonly top: string;
  /** Files and folders of ours and of the agents that hold secrets, absolute or relative to the home folder. */
  readonly secrets: readonly string[];
  /** True if they may not even write to it. */
  readonly isReadOnly?: boolean;
}

interface Command {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** Wraps a command so that it runs within its bounds, with this folder for its temporary files. */
export async function confineCommand(
  { command, args, env }: Command,
  { confinement, top, secrets, isReadOnly = false }: TreeConfinement,
  { installs, temporary }: { readonly installs: boolean; readonly temporary: string },
): Promise<Command> {
  const real = await realpath(top);
  const shared = sharedTemporary([real, ...placesOf(env)]);
  const bounds: Bounds = {
    writable: [...(isReadOnly ? [] : [real]), ...cacheFolders(env)],
    hidden: secretPlaces(env, { more: secrets, installs }),
    temporary,
    insteadOf: shared,
  };
  // A missing program is reported by the code that starts it.
  const isThere = command.includes('/') || findProgram(command, env['PATH']) !== null;
  const words = [command, ...args];
  const [program = command, ...rest] = isThere ? confinement.argv(words, bounds) : words;
  return {
    command: program,
    args: rest,
    env: { ...env, TMPDIR: shared ?? temporary },
  };
}

/** Throws `usage` before any agent is paid if the confinement does not work on this machine. */
export async function tryConfinement(
  confinement: Confinement,
  {
    environment,
    signal,
  }: { readonly environment: NodeJS.ProcessEnv; readonly signal: AbortSignal },
): Promise<void> {
  const why = await confinementFault(confinement, { environment, signal });
  if (why === null) return;
  throw wrongUsage(
    `${confinement.name} is installed, but it cannot confine a command here (${why}); put that right, or set [execution] confine = false.`,
  );
}
