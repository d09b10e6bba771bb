// Asks a program for its version and its help, and remembers the version for a day.
import { randomUUID } from 'node:crypto';
import { readFile, realpath, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cleanText } from '../../model/clean-text.ts';
import { Stopped } from '../../model/failure.ts';
import { isObject, jsonIn } from '../../model/json.ts';
import { digestOf, sha256Of } from '../../store/digest.ts';
import { writeUserJson } from '../../store/small-file.ts';
import { isSystemError, nullIfAbsent } from '../../store/system-error.ts';
import { temporaryFolder } from '../../store/temporary-folder.ts';
import { type Readiness, switchedOff } from '../agent.ts';
import { type CliSetup, programPath, whyMissing } from './cli-setup.ts';
import { errorLine } from '../phrases.ts';
import { agentEnvironment } from '../process/environment.ts';
import type { ProcessEnd } from '../process/start-program.ts';

interface CliReadiness {
  readonly ready: (signal: AbortSignal) => Promise<Readiness>;
  /** The version that `ready` found; null before, or if it is unknown. */
  readonly version: () => string | null;
}

/**
 * Finds out whether a CLI can be used. It is asked once per process, for at most `versionMs`; if a
 * caller’s signal ends that early, the next caller asks again.
 */
export function cliReadiness(setup: CliSetup, versionMs = 10_000): CliReadiness {
  let asked: Promise<Readiness | null> | null = null;
  let version: string | null = null;
  async function ready(signal: AbortSignal): Promise<Readiness> {
    signal.throwIfAborted();
    const current = (asked ??= ask(setup, { signal, totalMs: versionMs }).catch(
      (error: unknown) => {
        asked = null;
        throw error;
      },
    ));
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
 * Asks a program for its version, which shows that it can be started. Null if the signal was aborted
 * meanwhile.
 */
async function ask(setup: CliSetup, limits: Limits): Promise<Readiness | null> {
  const { adapter, settings } = setup;
  if (settings.enabled === false) return switchedOff(adapter.name, settings.enabledBy);
  const path = programPath(setup);
  if (path === null) {
    const remedy = `Install it: ${adapter.install}.`;
    return { state: 'not-installed', why: whyMissing(setup), remedy };
  }
  const known = await knownVersion(setup, path);
  if (known !== null) return readyWith(setup, path, known);
  const argv = ['--version'];
  const { lines, end } = await askProgram(setup, { path, argv, ...limits });
  if (end.cancelled) return null;
  if (end.exitCode === 0) {
    const version = versionIn(lines);
    await rememberVersion(setup, path, version);
    return readyWith(setup, path, version);
  }
  // On a busy machine the first start may take that long.
  if (end.timedOut !== null) {
    const note = `it did not report its version within ${limits.totalMs / 1000} s`;
    return { state: 'ready', path, version: null, note };
  }
  const asked = [path, ...argv].join(' ');
  return {
    state: 'not-installed',
    why: cleanText(`"${asked}" ${whatHappened(end)}`).replace(/\s+/g, ' '),
    remedy: `Install it again: ${adapter.install}.`,
  };
}

/** The state of a program that told its version. */
function readyWith({ adapter }: CliSetup, path: string, version: string | null): Readiness {
  const fault = version === null ? null : (adapter.misfit?.(version) ?? null);
  if (fault === null) return { state: 'ready', path, version };
  const remedy = `Install it: ${adapter.install}.`;
  return { state: 'not-installed', why: `"${path}" cannot be used: ${fault}`, remedy };
}

/** The time a version is remembered, in ms: a script may start another program, which can change without it. */
const rememberedMs = 86_400_000;

/** Reads the version that this very file reported within the last day; null if it has to be asked. */
async function knownVersion(setup: CliSetup, path: string): Promise<string | null> {
  const file = versionFile(setup, path);
  const text = file === null ? null : await nullIfAbsent(readFile(file, 'utf8'));
  const known = text === null ? null : jsonIn(text);
  if (!isObject(known) || known['program'] !== (await identityOf(path))) return null;
  if (!(Math.abs(Date.now() - Number(known['at'])) < rememberedMs)) return null;
  const { version } = known;
  return typeof version === 'string' ? versionIn([version]) : null;
}

async function rememberVersion(setup: CliSetup, path: string, version: string | null) {
  const file = versionFile(setup, path);
  const program = await identityOf(path);
  if (file === null || program === null || version === null) return;
  await unlessRefused(writeUserJson(file, { program, version, at: Date.now() }));
}

/** Forgets the version of a program whose run failed, so that the next call asks for it. */
export async function forgetVersion(setup: CliSetup): Promise<void> {
  const path = programPath(setup);
  const file = path === null ? null : versionFile(setup, path);
  if (file !== null) await unlessRefused(rm(file, { force: true }));
}

/** Waits for a change of what is remembered, which may be refused: the program is then asked each time. */
async function unlessRefused(change: Promise<unknown>): Promise<void> {
  try {
    await change;
  } catch (error) {
    if (!(error instanceof Stopped) && !isSystemError(error)) throw error;
  }
}

/** The file with the version of a program; null where its arguments, or its dialogue, choose what runs. */
function versionFile({ versions, settings, dialogue }: CliSetup, path: string): string | null {
  const isItself = (settings.args ?? []).length === 0 && dialogue === undefined;
  return versions === undefined || !isItself ? null : join(versions, sha256Of(path));
}

/** Tells a program file from any other that has been there: an update makes another one. */
async function identityOf(path: string): Promise<string | null> {
  const real = await nullIfAbsent(realpath(path));
  const found = real === null ? null : await nullIfAbsent(stat(real));
  if (found === null) return null;
  const { ino, size, mtimeMs, ctimeMs } = found;
  return digestOf([real, ino, size, mtimeMs, ctimeMs]);
}

function versionIn(lines: readonly string[]): string | null {
  const [version] = lines.flatMap((line) => /\d+\.\d+(?:[.+-]?\w+)*/.exec(line)?.[0] ?? []);
  return version?.slice(0, 64) ?? null;
}

function whatHappened({ spawnError, signal, exitCode, stderrTail }: ProcessEnd): string {
  if (spawnError !== null) return `could not be started (${spawnError.code})`;
  const how =
    signal === null ? `ended with exit code ${exitCode ?? 'unknown'}` : `was ended by ${signal}`;
  const said = errorLine(stderrTail).slice(0, 200);
  return said === '' ? how : `${how}: ${said}`;
}

interface Limits {
  readonly signal: AbortSignal;
  readonly totalMs: number;
}

/**
 * Runs a program for its version or help, in a temporary empty folder. Throws `Stopped` if that folder
 * cannot be made.
 */
export async function askProgram(
  { adapter, settings, environment: base }: CliSetup,
  question: Limits & {
    readonly path: string;
    readonly argv: readonly string[];
    /** True if it may use its files in the user’s home, as a run does. */
    readonly isAtHome?: boolean;
  },
): Promise<{ readonly lines: readonly string[]; readonly end: ProcessEnd }> {
  const { path, argv, signal, totalMs, isAtHome = false } = question;
  const usual = agentEnvironment({ base, adapter, settings, request: null });
  const lines: string[] = [];
  const { runProcess } = await import('../process/start-program.ts');
  const folder = await emptyFolder();
  try {
    const request = {
      command: path,
      args: [...(settings.args ?? []), ...argv],
      cwd: folder,
      env: { ...usual, ...(isAtHome ? {} : adapter.versionEnv?.(folder)) },
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

// A help text has some hundred lines.
const mostLines = 2_000;

/** A new temporary folder, which the caller removes. Throws `Stopped` if it cannot be made. */
export async function emptyFolder(): Promise<string> {
  try {
    return await temporaryFolder('question');
  } catch (error) {
    if (!isSystemError(error)) throw error;
    throw new Stopped({ reason: 'cannot-write', path: tmpdir(), code: error.code });
  }
}
