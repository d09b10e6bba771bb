// Says whether a CLI is logged in, and runs its own login in the terminal.
import { Stopped } from '../../model/failure.ts';
import { runInTerminal } from '../../store/run-program.ts';
import { isSystemError } from '../../store/system-error.ts';
import { type CliSetup, losesLogin, programPath, userSide, whyMissing } from './cli-setup.ts';

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
