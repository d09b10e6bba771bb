// Says whether a CLI is logged in, remembers refused logins, and runs its own login in the terminal.
import { join } from 'node:path';
import { Stopped } from '../../model/failure.ts';
import { runInTerminal } from '../../store/run-program.ts';
import { isSystemError } from '../../store/system-error.ts';
import { type CliSetup, losesLogin, programPath, userSide, whyMissing } from './cli-setup.ts';
import { sha256Of } from '../../store/digest.ts';
import { writeUserJson } from '../../store/small-file.ts';

/** A login with its remedy, if it is certainly missing. */
export type Login =
  | { readonly state: 'stored' | 'unknown' }
  | { readonly state: 'logged-out'; readonly why: string; readonly remedy: string };

/** Judges the login of a CLI. Only for display and the default seats, because only a run shows the truth. */
export function loginOf(setup: CliSetup): Login {
  const { adapter, settings } = setup;
  const found = adapter.loginState?.(userSide(setup)) ?? unknown;
  // The user’s own arguments may choose another provider or other settings.
  const mayBeOther = settings.args !== undefined && settings.args.length > 0;
  if (programPath(setup) === null || (mayBeOther && found.state !== 'stored')) return unknown;
  const { unserved } = adapter;
  if (unserved !== undefined && isRefused(setup)) {
    return { state: 'logged-out', why: unserved.why, remedy: unserved.remedy };
  }
  if (found.state !== 'logged-out') return found;
  if (losesLogin(setup)) return { ...found, remedy: ownKey };
  return { ...found, remedy: found.remedy ?? `Log in: ${adapter.login}.` };
}

const ownKey = 'Give it a key in its environment, or take its isolation out of the settings.';

const unknown = { state: 'unknown' } as const;

/**
 * Runs the CLI’s own login in this terminal, with the user’s whole environment. A CLI without a
 * login command is started, so that the user can choose the login inside. Resolves when it has
 * ended, successfully or not. Throws `agent-not-ready` if it cannot be started.
 */
export async function logIn(setup: CliSetup): Promise<void> {
  const { adapter, settings, environment } = setup;
  const path = programPath(setup);
  if (path === null) {
    const remedy = `Install it: ${adapter.install}.`;
    throw new Stopped({ ...notReady(setup), why: whyMissing(setup), remedy });
  }
  const { fault } = await runInTerminal({
    command: path,
    args: [...(settings.args ?? []), ...wordsOf(setup)],
    env: { ...environment, ...settings.env },
  });
  if (isSystemError(fault)) {
    const why = `"${path}" could not be started (${fault.code})`;
    throw new Stopped({ ...notReady(setup), why, remedy: `Install it: ${adapter.install}.` });
  }
}

/** The words after the command, e.g. `auth login`; empty if the login is chosen inside. */
function wordsOf({ adapter: { command, login } }: CliSetup): readonly string[] {
  return login.startsWith(`${command} `) ? login.split(' ').slice(1) : [];
}

function notReady({ adapter: { name: agent } }: CliSetup) {
  return { reason: 'agent-not-ready', agent } as const;
}

/** Remembers the login that a run would use if this failure says that it is no longer served. */
export async function rememberRefusal(setup: CliSetup, failure: string): Promise<void> {
  const { unserved } = setup.adapter;
  const file = fileOf(setup);
  if (file === null || unserved === undefined || !failure.includes(unserved.why)) return;
  try {
    await writeUserJson(file, {});
  } catch (error) {
    // The next run is told the same.
    if (!(error instanceof Stopped)) throw error;
  }
}

/** True for a login that was refused for good, as long as it has not changed. */
function isRefused(setup: CliSetup): boolean {
  const file = fileOf(setup);
  return file !== null && userSide(setup).has(file);
}

/** The file named after the login; null if a run would use no such login. */
function fileOf(setup: CliSetup): string | null {
  const { refusals, adapter } = setup;
  const account = adapter.unserved?.account(userSide(setup)) ?? null;
  return account === null || refusals === undefined ? null : join(refusals, sha256Of(account));
}
