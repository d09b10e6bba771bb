// Starts a watcher for each run, which ends the programs of the run if this process is killed.
import { spawn, type ChildProcess } from 'node:child_process';
import { Socket } from 'node:net';
import { join } from 'node:path';
import { packageRoot } from '../../prompts/package-root.ts';
import { hasProc } from './process-table.ts';

/** The time between TERM and KILL, in ms. */
const grace = '5000';

const watchers = new Map<string, ChildProcess>();

/**
 * Starts the watcher of the run that a mark belongs to, unless it exists: a run is its mark up to
 * the last dot. Without /proc nothing can be found by a mark, so no watcher is started.
 */
export function watchRun(mark: string): void {
  const run = mark.slice(0, mark.lastIndexOf('.') + 1);
  if (run === '' || !hasProc || watchers.has(run)) return;
  const program = join(packageRoot(), 'dist/agents/process/run-watcher.js');
  const watcher = spawn(process.execPath, ['--max-old-space-size=32', program, run, grace], {
    // This keeps a terminal from ending it together with this process.
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
    cwd: '/',
    env: {},
  });
  watchers.set(run, watcher);
  // The run continues without it if it cannot be started or is ended from outside.
  watcher.on('error', () => undefined);
  watcher.stdin.on('error', () => undefined);
  watcher.unref();
  if (watcher.stdin instanceof Socket) watcher.stdin.unref();
}

/** Releases the watcher of a run, once its programs have ended. */
export function leaveRun(run: string): void {
  watchers.get(run)?.stdin?.end();
  watchers.delete(run);
}
