// Starts a program in its own group.
import { statSync } from 'node:fs';
import type { Readable, Writable } from 'node:stream';
import type { TreeRoot } from './process-tree.ts';
import { type MarkOf, markVariables, startOf } from './process-table.ts';
import { watchRun } from './watch-run.ts';

export interface ProgramCall {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** The whole environment; only the mark is added. */
  readonly env: Readonly<Record<string, string>>;
  readonly mark: string;
  /** An agent’s, where nothing else is said. */
  readonly markOf?: MarkOf;
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
 * of the event loop in which the promise resolves, else the spawner discards them.
 */
export async function spawnProgram(call: ProgramCall): Promise<Spawned> {
  // Only loaded once an agent really runs: most commands never start one.
  const { execa } = await import('execa');
  if (!isFolder(call.cwd)) {
    return failed('ENOTDIR', `the folder ${call.cwd} does not exist`);
  }
  if ([call.command, ...call.args].some((word) => word.includes('\0'))) {
    return failed('EINVAL', 'no word of a command can hold a NUL');
  }
  watchRun(call.mark);
  const child = execa(call.command, [...call.args], {
    cwd: call.cwd,
    env: { ...call.env, [markVariables[call.markOf ?? 'agent']]: call.mark },
    extendEnv: false,
    detached: true,
    // Ending it is ours, descendants included.
    cleanup: false,
    shell: false,
    buffer: false,
    reject: false,
    stdin: 'pipe',
    stdout: 'pipe',
    stderr: 'pipe',
    encoding: 'buffer',
    verbose: 'none',
  });
  const { pid } = child;
  if (pid === undefined) {
    const { code, originalMessage } = await child;
    return failed(code ?? 'UNKNOWN', originalMessage ?? 'it could not be started');
  }
  const exited = new Promise<Exit>((resolve) => {
    child.nodeChildProcess.once('exit', (code, signal) => resolve({ code, signal }));
  });
  const { stdin, stdout, stderr } = child;
  const root = { pid, start: startOf(pid), mark: call.mark };
  return { ok: true, program: { root, stdin, stdout, stderr, exited } };
}

function failed(code: string, message: string): Spawned {
  return { ok: false, error: { code, message } };
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
