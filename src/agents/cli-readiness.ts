import { cleanText } from '../model/clean-text.ts';
import type { AgentAdapter, Readiness } from './agent.ts';
import { askProgram } from './ask-program.ts';
import { type CliSetup, programPath, whyMissing } from './cli-setup.ts';
import { agentEnvironment } from './environment.ts';
import type { ProcessEnd } from './process/run-process.ts';

export interface CliReadiness {
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
