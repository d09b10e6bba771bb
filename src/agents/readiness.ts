import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cleanText } from '../model/clean-text.ts';
import { Stopped } from '../model/failure.ts';
import { isSystemError } from '../store/system-error.ts';
import type { AgentAdapter, Readiness, RunLimits } from './agent.ts';
import { runProcess, type ProcessEnd } from './process/run-process.ts';

const versionLimits: RunLimits = {
  firstOutputMs: Infinity,
  idleMs: Infinity,
  totalMs: 10_000,
  graceMs: 1_000,
};

interface Program {
  readonly adapter: AgentAdapter;
  readonly path: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/**
 * Asks a program for its version, which shows that it can be started at all. Null if `signal` was
 * aborted meanwhile. Whether it is logged in only shows in a run. Throws `Stopped` if there is no
 * place for an empty folder that it is asked in.
 */
export async function checkProgram(
  program: Program,
  signal: AbortSignal,
): Promise<Readiness | null> {
  const { adapter, path } = program;
  const { lines, end } = await askVersion(program, signal);
  if (end.cancelled) return null;
  if (end.exitCode === 0) return { state: 'ready', path, version: versionIn(lines) };
  const asked = [path, ...adapter.versionArgv].join(' ');
  return {
    state: 'not-installed',
    why: cleanText(`"${asked}" ${whatHappened(end)}`).replace(/\s+/g, ' '),
    remedy: `Install it again: ${adapter.install}.`,
  };
}

async function askVersion({ adapter, path, args, env }: Program, signal: AbortSignal) {
  const folder = await emptyFolder();
  const request = {
    command: path,
    args: [...args, ...adapter.versionArgv],
    cwd: folder,
    env: { ...env, ...adapter.versionEnv?.(folder) },
    mark: `version-${randomUUID()}`,
    input: '',
    rawOutput: null,
    limits: versionLimits,
  };
  try {
    return await linesOf(request, signal);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function emptyFolder(): Promise<string> {
  const path = join(tmpdir(), 'conclave-version-');
  try {
    return await mkdtemp(path);
  } catch (error) {
    if (!isSystemError(error)) throw error;
    throw new Stopped({ reason: 'cannot-write', path, code: error.code });
  }
}

async function linesOf(
  request: Parameters<typeof runProcess>[0],
  signal: AbortSignal,
): Promise<{ lines: string[]; end: ProcessEnd }> {
  const process = runProcess(request, signal);
  const lines: string[] = [];
  for (;;) {
    const step = await process.next();
    if (step.done === true) return { lines, end: step.value };
    for (const line of step.value) {
      if (typeof line === 'string' && lines.length < 50) lines.push(line);
    }
  }
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
