import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { statSync } from 'node:fs';
import type { Readable, Writable } from 'node:stream';
import { isSystemError } from '../../store/system-error.ts';
import { markVariable, startOf } from './process-table.ts';
import type { TreeRoot } from './process-tree.ts';

export interface ProgramCall {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** The whole environment; only the mark is added. */
  readonly env: Readonly<Record<string, string>>;
  readonly mark: string;
}

/** Why a program could not be started. `code` as the system spells it, e.g. `ENOENT`. */
export interface SpawnError {
  readonly code: string;
  readonly message: string;
}

export interface Exit {
  readonly code: number | null;
  readonly signal: string | null;
}

export interface SpawnedProgram {
  readonly root: TreeRoot;
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
  readonly exited: Promise<Exit>;
}

type Spawned =
  | { readonly ok: true; readonly program: SpawnedProgram }
  | { readonly ok: false; readonly error: SpawnError };

/**
 * Starts a program in its own group and session. Its streams must be listened to in the same turn
 * of the event loop in which the promise resolves: at its exit, Node discards what nobody reads.
 */
export async function spawnProgram(call: ProgramCall): Promise<Spawned> {
  const { command, args, cwd, env, mark } = call;
  if (statSync(cwd, { throwIfNoEntry: false })?.isDirectory() !== true) {
    const message = `the folder ${cwd} does not exist`;
    return { ok: false, error: { code: 'ENOTDIR', message } };
  }
  try {
    // An argument that is too long throws at once, everything else is told by an event.
    const child = spawn(command, args, {
      cwd,
      env: { ...env, [markVariable]: mark },
      detached: true,
      stdio: 'pipe',
    });
    const exited = new Promise<Exit>((resolve) => {
      child.once('exit', (code, signal) => resolve({ code, signal }));
    });
    await once(child, 'spawn');
    const { pid = 0, stdin, stdout, stderr } = child;
    const root = { pid, start: startOf(pid), mark };
    return { ok: true, program: { root, stdin, stdout, stderr, exited } };
  } catch (error) {
    if (!isSystemError(error)) throw error;
    return { ok: false, error: { code: error.code, message: error.message } };
  }
}
