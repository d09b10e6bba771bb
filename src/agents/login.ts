import { spawn } from 'node:child_process';
import { Stopped } from '../model/failure.ts';
import { isSystemError } from '../store/system-error.ts';
import { type CliSetup, programPath, whyMissing } from './cli-setup.ts';

/**
 * Runs the CLI’s own login in this terminal, as the user would: with all of their environment. A
 * CLI without a command for it is started, so that they choose it there. Resolves when it has ended,
 * however. Throws `agent-not-ready` where it cannot be started.
 */
export async function logIn(setup: CliSetup): Promise<void> {
  const { adapter, settings, environment } = setup;
  const path = programPath(setup);
  if (path === null) {
    const remedy = `Install it: ${adapter.install}.`;
    throw new Stopped({ ...notReady(setup), why: whyMissing(setup), remedy });
  }
  const program = spawn(path, [...(settings.args ?? []), ...wordsOf(setup)], {
    stdio: 'inherit',
    env: { ...environment, ...settings.env },
  });
  const ended = Promise.withResolvers<void>();
  program.once('error', ended.reject).once('exit', () => ended.resolve());
  try {
    await ended.promise;
  } catch (error) {
    if (!isSystemError(error)) throw error;
    const why = `"${path}" could not be started (${error.code})`;
    throw new Stopped({ ...notReady(setup), why, remedy: `Install it: ${adapter.install}.` });
  }
}

/** The words after the command, e.g. `auth login`; none where a login is chosen inside. */
function wordsOf({ adapter: { command, login } }: CliSetup): readonly string[] {
  return login.startsWith(`${command} `) ? login.split(' ').slice(1) : [];
}

function notReady({ adapter: { name: agent } }: CliSetup) {
  return { reason: 'agent-not-ready', agent } as const;
}
