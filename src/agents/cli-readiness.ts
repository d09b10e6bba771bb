import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cleanText } from '../model/clean-text.ts';
import { Stopped } from '../model/failure.ts';
import { isSystemError } from '../store/system-error.ts';
import type { LoginState, Readiness } from './agent.ts';
import { type CliSetup, programPath, userSide, whyMissing } from './cli-setup.ts';
import { agentEnvironment } from './environment.ts';
import { losesLogin } from './isolation.ts';
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
    const current = (asked ??= ask(setup, { signal, totalMs: versionMs }));
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

/**
 * Asks a program for its version, which shows that it can be started at all. Null if the signal was
 * aborted meanwhile. Whether it is logged in is another question (`checkLogin`).
 */
async function ask(setup: CliSetup, limits: Limits): Promise<Readiness | null> {
  const { adapter, settings } = setup;
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
  const { versionArgv: argv } = adapter;
  const env = (folder: string) => adapter.versionEnv?.(folder) ?? {};
  const { lines, end } = await askProgram(setup, { path, argv, env, ...limits });
  if (end.cancelled) return null;
  if (end.exitCode === 0) return { state: 'ready', path, version: versionIn(lines) };
  // It is there; on a busy machine a first start may take that long.
  if (end.timedOut !== null) {
    const note = `it did not tell its version within ${limits.totalMs / 1000} s`;
    return { state: 'ready', path, version: null, note };
  }
  const asked = [path, ...argv].join(' ');
  return {
    state: 'not-installed',
    why: cleanText(`"${asked}" ${whatHappened(end)}`).replace(/\s+/g, ' '),
    remedy: `Install it again: ${adapter.install}.`,
  };
}

function versionIn(lines: readonly string[]): string | null {
  const [version] = lines.flatMap((line) => /\d+\.\d+(?:[.+-]?\w+)*/.exec(line)?.[0] ?? []);
  return version?.slice(0, 64) ?? null;
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
 * `unknown`, an aborted one too.
 */
export async function checkLogin(setup: CliSetup, signal: AbortSignal): Promise<Login> {
  const { adapter, settings } = setup;
  const found = await stateOf(setup, signal);
  if (found.state !== 'logged-out') return found;
  // What the user puts before our arguments may choose another provider, or other settings.
  if (settings.args !== undefined && settings.args.length > 0) return unknown;
  if (losesLogin(setup)) return { ...found, remedy: ownKey };
  return { ...found, remedy: found.remedy ?? `Log in: ${adapter.login}.` };
}

const ownKey = 'Give it a key in its environment, or take its isolation out of the settings.';

async function stateOf(setup: CliSetup, signal: AbortSignal): Promise<LoginState> {
  const path = programPath(setup);
  const asked = setup.adapter.askLogin?.(userSide(setup));
  if (path === null || asked === undefined) return unknown;
  if ('state' in asked) return asked;
  const { lines, end } = await askProgram(setup, { path, ...asked, signal, totalMs: 5_000 });
  if (end.cancelled || end.timedOut !== null) return unknown;
  const { exitCode, stderrTail: stderr } = end;
  return asked.read({ exitCode, stdout: lines.join('\n'), stderr });
}

const unknown = { state: 'unknown' } as const;

interface Limits {
  readonly signal: AbortSignal;
  readonly totalMs: number;
}

/**
 * A short question to a program about itself, asked in an empty folder that is removed again; the
 * first lines of its answer. Throws `Stopped` if there is no place for that folder.
 */
export async function askProgram(
  { adapter, settings, environment: base }: CliSetup,
  question: Limits & {
    readonly path: string;
    readonly argv: readonly string[];
    env(folder: string): Readonly<Record<string, string>>;
  },
): Promise<{ readonly lines: readonly string[]; readonly end: ProcessEnd }> {
  const { path, argv, signal, totalMs } = question;
  const usual = agentEnvironment({ base, adapter, settings, request: null });
  const lines: string[] = [];
  const folder = await emptyFolder();
  try {
    const request = {
      command: path,
      args: [...(settings.args ?? []), ...argv],
      cwd: folder,
      env: { ...usual, ...question.env(folder) },
      mark: `question-${randomUUID()}`,
      input: '',
      rawOutput: null,
      limits: { firstOutputMs: Infinity, idleMs: Infinity, totalMs, graceMs: 1_000 },
    };
    const process = runProcess(request, signal);
    for (;;) {
      const step = await process.next();
      if (step.done === true) return { lines, end: step.value };
      for (const line of step.value) {
        if (typeof line === 'string' && lines.length < mostLines) lines.push(line);
      }
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

// A help has some hundred.
const mostLines = 2_000;

/** A new folder, for whoever made it to remove. Throws `Stopped` if there is no place for it. */
export async function emptyFolder(): Promise<string> {
  const path = join(tmpdir(), 'conclave-question-');
  try {
    return await mkdtemp(path);
  } catch (error) {
    if (!isSystemError(error)) throw error;
    throw new Stopped({ reason: 'cannot-write', path, code: error.code });
  }
}
