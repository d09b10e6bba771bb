// Reads the key that binds sessions to their user, and creates it once.
import { randomBytes } from 'node:crypto';
import { link, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Stopped } from '../model/failure.ts';
import { hasCode, isAbsent, isSystemError } from '../store/system-error.ts';
import { keyFile } from './folders.ts';
import { makeFolder } from '../store/make-folder.ts';

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
