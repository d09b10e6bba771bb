// Keeps agents from answering for the person, by the key that binds sessions to their user.
import { randomBytes } from 'node:crypto';
import { link, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { marksAround } from '../agents/process/process-table.ts';
import { Stopped, wrongUsage } from '../model/failure.ts';
import { sha256Of } from '../store/digest.ts';
import { hasCode, isAbsent, isSystemError } from '../store/system-error.ts';
import { keyFile } from './folders.ts';
import { makeFolder } from '../store/make-folder.ts';

/** The part of a mark that identifies the user of a run without revealing the key. */
export function userMark(key: Buffer | null): string {
  return key === null ? '' : `u${sha256Of(key).slice(0, 16)}.`;
}

/**
 * True inside an agent’s run of the user with this key, or inside a check of theirs. A run whose user is
 * unknown counts, too; a process with its own key has its own sessions.
 */
export function isInsideAgent(environment: NodeJS.ProcessEnv, key: Buffer | null): boolean {
  const user = userMark(key);
  const isTheirs = ({ of, mark }: ReturnType<typeof marksAround>[number]) =>
    user !== '' && hasUser.test(mark) ? mark.includes(`.${user}`) : of === 'agent';
  return environment['CONCLAVE_INSIDE'] !== undefined || marksAround(environment).some(isTheirs);
}

const hasUser = /\.u[0-9a-f]{16}\./;

/** Throws `usage` inside an agent’s run of this user: an agent may not start or remove the user’s sessions. */
export async function refuseInside(environment: NodeJS.ProcessEnv): Promise<void> {
  if (isInsideAgent(environment, await sessionKey(environment))) throw insideEnd();
}

/** Throws `usage` inside any agent’s run: an agent may not trust anything or widen settings. */
export async function refuseAgents(environment: NodeJS.ProcessEnv): Promise<void> {
  const keys = [null, await sessionKey(environment)];
  if (keys.some((key) => isInsideAgent(environment, key))) throw insideEnd();
}

export function insideEnd(): Stopped {
  return wrongUsage(
    'Inside the run of an agent, nobody may answer for the person; do this in your own terminal.',
  );
}

/** The variable that holds the key where jobs do not share a data folder, e.g. in CI. */
export const keyVariable = 'CONCLAVE_SESSION_KEY';

/** The shortest key, in characters, that nobody can guess. */
const leastLength = 32;

/**
 * The key from the variable, otherwise from the user’s data folder, where it is created with the first session.
 * Null if the system does not allow storing a key there. Throws `config` for a key that is too short.
 */
export async function sessionKey(environment: NodeJS.ProcessEnv): Promise<Buffer | null> {
  const given = environment[keyVariable] ?? '';
  const file = keyFile(environment);
  const text = given === '' ? await keptKey(file) : given;
  if (text === null || text.length >= leastLength) return text === null ? null : Buffer.from(text);
  const message = `a key needs at least ${leastLength} characters, e.g. from: openssl rand -hex 32`;
  throw new Stopped({ reason: 'config', file: given === '' ? file : keyVariable, message });
}

async function keptKey(file: string): Promise<string | null> {
  try {
    return (await textIn(file)) ?? (await makeKey(file));
  } catch (error) {
    if (isSystemError(error)) return null;
    throw error;
  }
}

async function textIn(file: string): Promise<string | null> {
  try {
    return (await readFile(file, 'utf8')).trim();
  } catch (error) {
    if (isAbsent(error)) return null;
    throw error;
  }
}

/** Creates the key. If several processes start at once, the first creates it, and none sees a part of it. */
async function makeKey(file: string): Promise<string | null> {
  await makeFolder(dirname(file), { mode: 0o700 });
  const temporary = `${file}.${randomBytes(8).toString('hex')}`;
  try {
    const text = `${randomBytes(32).toString('hex')}\n`;
    await writeFile(temporary, text, { flag: 'wx', mode: 0o600, flush: true });
    await link(temporary, file).catch((error: unknown) => {
      if (!hasCode(error, ['EEXIST'])) throw error;
    });
  } finally {
    await rm(temporary, { force: true });
  }
  return await textIn(file);
}
