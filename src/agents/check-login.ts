import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { isSystemError } from '../store/system-error.ts';
import type { UserSide, LoginState } from './agent.ts';
import { askProgram } from './ask-program.ts';
import { type CliSetup, programPath } from './cli-setup.ts';
import { agentEnvironment } from './environment.ts';

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

/** What is the user’s own around one CLI, as it would find it without us. */
export function userSide({ adapter, settings, environment: base }: CliSetup): UserSide {
  const environment = agentEnvironment({ base, adapter, settings, request: null });
  return {
    home: environment['HOME'] ?? homedir(),
    environment,
    read,
    list: (path) => (existsSync(path) ? readdirSync(path) : []),
    has: existsSync,
    now: Date.now(),
  };
}

function read(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (isSystemError(error)) return null;
    throw error;
  }
}
