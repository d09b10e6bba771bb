import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Stopped } from '../model/failure.ts';
import { isSystemError } from '../store/system-error.ts';
import { type ProcessEnd, runProcess } from './process/run-process.ts';

interface Call {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** How long it may take, in ms. */
  readonly totalMs: number;
}

interface Told {
  /** The first lines that it printed. */
  readonly lines: readonly string[];
  readonly end: ProcessEnd;
}

/**
 * A short question to a program about itself, asked in an empty folder that is removed again.
 * Throws `Stopped` if there is no place for that folder.
 */
export async function askProgram(
  command: string,
  call: (folder: string) => Call,
  signal: AbortSignal,
): Promise<Told> {
  const folder = await emptyFolder();
  const { args, env, totalMs } = call(folder);
  const request = {
    command,
    args,
    cwd: folder,
    env,
    mark: `question-${randomUUID()}`,
    input: '',
    rawOutput: null,
    limits: { firstOutputMs: Infinity, idleMs: Infinity, totalMs, graceMs: 1_000 },
  };
  try {
    return await toldBy(request, signal);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function emptyFolder(): Promise<string> {
  const path = join(tmpdir(), 'conclave-question-');
  try {
    return await mkdtemp(path);
  } catch (error) {
    if (!isSystemError(error)) throw error;
    throw new Stopped({ reason: 'cannot-write', path, code: error.code });
  }
}

async function toldBy(
  request: Parameters<typeof runProcess>[0],
  signal: AbortSignal,
): Promise<Told> {
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
