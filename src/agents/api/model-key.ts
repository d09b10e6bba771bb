// Gets the key for a model from a variable or from a program of the user.
import { runProgram } from '../../store/run-program.ts';
import { type ApiSetup, findKey } from './api-setup.ts';

/** Thrown if a program could not give a key; the message is for people. */
export class NoKey extends Error {}

/** A key that a program is printing or has printed. */
interface PrintedKey {
  readonly key: Promise<string>;
  /** The number of calls that wait for it. */
  waiting: number;
  /** Ends the program; does nothing once it has ended. */
  stop(): void;
}

/** The keys by program and its variables; a key is kept nowhere else. */
const printed = new Map<string, PrintedKey>();

/**
 * The key for a model; null if none is needed. A program that prints one is run once in this
 * process for all who need it, and ended when nobody waits any more. Throws `NoKey`.
 */
export async function keyFor(setup: ApiSetup, signal: AbortSignal): Promise<string | null> {
  const found = findKey(setup);
  switch (found.state) {
    case 'found':
      return found.key;
    case 'not-needed':
      return null;
    case 'missing':
      throw new NoKey(found.why);
    case 'command':
      return await keyOf(found.command, setup, signal);
  }
}

async function keyOf(
  command: readonly [string, ...string[]],
  { environment, settings }: ApiSetup,
  signal: AbortSignal,
): Promise<string> {
  signal.throwIfAborted();
  const name = JSON.stringify([command, settings.env ?? {}]);
  const asked = printed.get(name) ?? startPrinting(command, { ...environment, ...settings.env });
  printed.set(name, asked);
  const aborted = Promise.withResolvers<never>();
  const leave = () => aborted.reject(signal.reason);
  signal.addEventListener('abort', leave, { once: true });
  asked.waiting += 1;
  try {
    return await Promise.race([asked.key, aborted.promise]);
  } catch (error) {
    // A program that failed once may work next time, e.g. after a keyring was opened.
    const isLast = asked.waiting === 1;
    if ((isLast || !signal.aborted) && printed.get(name) === asked) printed.delete(name);
    if (isLast) asked.stop();
    throw error;
  } finally {
    asked.waiting -= 1;
    signal.removeEventListener('abort', leave);
  }
}

function startPrinting(
  command: readonly [string, ...string[]],
  env: NodeJS.ProcessEnv,
): PrintedKey {
  const nobody = new AbortController();
  const key = printKey(command, env, nobody.signal);
  // Nobody may still be waiting to hear of a failure.
  key.catch(() => undefined);
  return { key, waiting: 0, stop: () => nobody.abort() };
}

const keyMs = 60_000;

async function printKey(
  [command, ...args]: readonly [string, ...string[]],
  env: NodeJS.ProcessEnv,
  stopped: AbortSignal,
): Promise<string> {
  const time = AbortSignal.timeout(keyMs);
  const signal = AbortSignal.any([stopped, time]);
  const call = { command, args, env, maxOutput: 64 * 1024, signal };
  const end = await runProgram(call).catch((error: unknown) => {
    if (!time.aborted) throw error;
    throw new NoKey(`key_command "${command}" did not end within ${keyMs / 1000} s`);
  });
  const key = end.stdout.toString('utf8').split('\n', 1)[0]?.trim() ?? '';
  if (end.exitCode !== 0) {
    const how = end.exitCode === null ? 'could not be run' : `ended with exit code ${end.exitCode}`;
    throw new NoKey(`key_command "${command}" ${how}`);
  }
  if (key === '') throw new NoKey(`key_command "${command}" printed no key`);
  return key;
}
