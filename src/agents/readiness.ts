import { cleanText } from '../model/clean-text.ts';
import type { AgentAdapter, Readiness } from './agent.ts';
import { askProgram } from './ask-program.ts';
import type { ProcessEnd } from './process/run-process.ts';

interface Program {
  readonly adapter: AgentAdapter;
  readonly path: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/**
 * Asks a program for its version, which shows that it can be started at all. Null if `signal` was
 * aborted meanwhile. Whether it is logged in is another question (`checkLogin`). Throws `Stopped` if
 * there is no place for an empty folder that it is asked in.
 */
export async function checkProgram(
  program: Program,
  signal: AbortSignal,
): Promise<Readiness | null> {
  const { adapter, path, args, env } = program;
  const { lines, end } = await askProgram(
    path,
    (folder) => ({
      args: [...args, ...adapter.versionArgv],
      env: { ...env, ...adapter.versionEnv?.(folder) },
      totalMs: 10_000,
    }),
    signal,
  );
  if (end.cancelled) return null;
  if (end.exitCode === 0) return { state: 'ready', path, version: versionIn(lines) };
  const asked = [path, ...adapter.versionArgv].join(' ');
  return {
    state: 'not-installed',
    why: cleanText(`"${asked}" ${whatHappened(end)}`).replace(/\s+/g, ' '),
    remedy: `Install it again: ${adapter.install}.`,
  };
}

function versionIn(lines: readonly string[]): string | null {
  for (const line of lines) {
    const version = /\d+\.\d+[\w.+-]*/.exec(line)?.[0];
    if (version !== undefined) return version.slice(0, 64);
  }
  return null;
}

function whatHappened({ spawnError, timedOut, signal, exitCode, stderrTail }: ProcessEnd): string {
  if (spawnError !== null) return `could not be started (${spawnError.code})`;
  if (timedOut !== null) return 'did not end within 10 s';
  const how =
    signal === null ? `ended with exit code ${exitCode ?? 'unknown'}` : `was ended by ${signal}`;
  const said = stderrTail.trim().split('\n').at(-1)?.slice(0, 200) ?? '';
  return said === '' ? how : `${how}: ${said}`;
}
