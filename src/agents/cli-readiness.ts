import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cleanText } from '../model/clean-text.ts';
import { Stopped } from '../model/failure.ts';
import { isSystemError } from '../store/system-error.ts';
import type { AgentAdapter, LoginState, Readiness } from './agent.ts';
import { type CliSetup, programPath, userSide, whyMissing } from './cli-setup.ts';
import { agentEnvironment } from './environment.ts';
import { type ProcessEnd, runProcess } from './process/run-process.ts';

interface CliReadiness {
  readonly ready: (signal: AbortSignal) => Promise<Readiness>;
  /** The version that `ready` found; null before, or where it is not known. */
  readonly version: () => string | null;
}

/**
 * Whether a CLI can be used. The program is asked once per process, for at most `versionMs`; an
 * answer that was cut off by its caller’s signal is none.
 */
export function cliReadiness(setup: CliSetup, versionMs = 10_000): CliReadiness {
  let asked: Promise<Readiness | null> | null = null;
  let version: string | null = null;
  async function ready(signal: AbortSignal): Promise<Readiness> {
    signal.throwIfAborted();
    const current = (asked ??= ask(setup, { signal, versionMs }));
    const answer = await current;
    if (answer !== null) {
      if (answer.state === 'ready') version = answer.version;
      return answer;
    }
    if (asked === current) asked = null;
    return ready(signal);
  }
  return { ready, version: () => version };
}

interface Asking {
  readonly signal: AbortSignal;
  readonly versionMs: number;
}

async function ask(setup: CliSetup, asking: Asking): Promise<Readiness | null> {
  const { adapter, settings, environment } = setup;
  if (settings.enabled === false) {
    return {
      state: 'disabled',
      why: 'it is switched off in the settings',
      remedy: `Set "enabled = true" under [agents.${adapter.name}].`,
    };
  }
  const path = programPath(setup);
  if (path === null) {
    const remedy = `Install it: ${adapter.install}.`;
    return { state: 'not-installed', why: whyMissing(setup), remedy };
  }
  const env = agentEnvironment({ base: environment, adapter, settings, request: null });
  return checkProgram({ adapter, path, args: settings.args ?? [], env }, asking);
}

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
async function checkProgram(
  program: Program,
  { signal, versionMs }: Asking,
): Promise<Readiness | null> {
  const { adapter, path, args, env } = program;
  const { lines, end } = await askProgram(
    path,
    (folder) => ({
      args: [...args, ...adapter.versionArgv],
      env: { ...env, ...adapter.versionEnv?.(folder) },
      totalMs: versionMs,
    }),
    signal,
  );
  if (end.cancelled) return null;
  if (end.exitCode === 0) return { state: 'ready', path, version: versionIn(lines) };
  // It is there; on a busy machine a first start may take that long.
  if (end.timedOut !== null) {
    const note = `it did not tell its version within ${versionMs / 1000} s`;
    return { state: 'ready', path, version: null, note };
  }
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

function whatHappened({ spawnError, signal, exitCode, stderrTail }: ProcessEnd): string {
  if (spawnError !== null) return `could not be started (${spawnError.code})`;
  const how =
    signal === null ? `ended with exit code ${exitCode ?? 'unknown'}` : `was ended by ${signal}`;
  const said = stderrTail.trim().split('\n').at(-1)?.slice(0, 200) ?? '';
  return said === '' ? how : `${how}: ${said}`;
}

/** With what to type, where it is certain that the login is missing. */
export type Login =
  | { readonly state: 'stored' | 'unknown' }
  | { readonly state: 'logged-out'; readonly why: string; readonly remedy: string };

/**
 * Whether a CLI is logged in, by its adapter. This is for showing only: nobody is kept out of a
 * round by it, since a run shows it better. A question without a clear answer within 5 s is
 * `unknown`, an aborted one too. Throws `Stopped` if there is no place for an empty folder that it
 * is asked in.
 */
export async function checkLogin(setup: CliSetup, signal: AbortSignal): Promise<Login> {
  const { adapter, settings } = setup;
  const found = await stateOf(setup, signal);
  if (found.state !== 'logged-out') return found;
  // What the user puts before our arguments may choose another provider, or other settings.
  if (settings.args !== undefined && settings.args.length > 0) return unknown;
  return { ...found, remedy: found.remedy ?? `Log in: ${adapter.login}.` };
}

async function stateOf(setup: CliSetup, signal: AbortSignal): Promise<LoginState> {
  const { adapter, settings } = setup;
  const path = programPath(setup);
  if (path === null || adapter.askLogin === undefined) return unknown;
  const user = userSide(setup);
  const asked = adapter.askLogin(user);
  if ('state' in asked) return asked;
  const { lines, end } = await askProgram(
    path,
    (folder) => ({
      args: [...(settings.args ?? []), ...asked.argv],
      env: { ...user.environment, ...asked.env(folder) },
      totalMs: 5_000,
    }),
    signal,
  );
  if (end.cancelled || end.timedOut !== null) return unknown;
  const { exitCode, stderrTail: stderr } = end;
  return asked.read({ exitCode, stdout: lines.join('\n'), stderr });
}

const unknown = { state: 'unknown' } as const;

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
async function askProgram(
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
