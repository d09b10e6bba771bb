// Confines the command of a check, or the set-up, to its work tree and the caches.
import { realpath } from 'node:fs/promises';
import type { Confinement, Mount } from '../../agents/process/confinement.ts';
import { findProgram } from '../../agents/process/find-program.ts';
import { cacheFolders, secretPlaces } from '../../agents/process/home-places.ts';
import { confinementFault, withinBounds } from '../../agents/process/try-confinement.ts';
import type { UseWatch } from '../../agents/process/watch-use.ts';
import { wrongUsage } from '../../model/failure.ts';

/** Confines the commands of one work tree to it. */
export interface TreeConfinement {
  readonly confinement: Confinement;
  /** The top of the work tree, absolute. */
  readonly top: string;
  /** Files and folders of ours and of the agents that hold secrets, absolute or relative to the home folder. */
  readonly secrets: readonly string[];
  /** What commands see in its place. */
  readonly moved?: readonly Mount[];
  /** True if they may not even write to it. */
  readonly isReadOnly?: boolean;
  /** Wraps commands in another way; each gets the folder for its temporary files. */
  readonly wrap?: (call: Command, temporary: string) => Promise<WrappedCommand>;
}

export interface Command {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** The folder in which it runs, relative to the work tree. */
  readonly folder: string;
}

/** A command within its bounds. */
export interface WrappedCommand extends Omit<Command, 'folder'> {
  /** Watches its process, and ends it over a limit. */
  readonly watch?: (pid: number) => UseWatch;
  /** The most that it may print, in bytes. */
  readonly maxBytes?: number;
  /** Where it is started; by default in its folder. */
  readonly cwd?: string;
}

/** Wraps a command so that it runs within its bounds, with this folder for its temporary files. */
export async function confineCommand(
  call: Command,
  { confinement, top, secrets, moved = [], isReadOnly = false, wrap }: TreeConfinement,
  { installs, temporary }: { readonly installs: boolean; readonly temporary: string },
): Promise<WrappedCommand> {
  if (wrap !== undefined) return await wrap(call, temporary);
  const { command, args, env } = call;
  // A missing program is reported by the code that starts it.
  const isThere = command.includes('/') || findProgram(command, env['PATH']) !== null;
  if (!isThere) return { command, args, env };
  const real = await realpath(top);
  return withinBounds(call, {
    confinement,
    seen: [real],
    writable: [...(isReadOnly || moved.length > 0 ? [] : [real]), ...cacheFolders(env)],
    moved,
    hidden: secretPlaces(env, { more: secrets, installs }),
    temporary,
  });
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
