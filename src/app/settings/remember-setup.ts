// Remembers the set-up of a repository in the user's settings file.
import { appendFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { isSystemError } from '../../store/system-error.ts';
import { userConfigFile } from '../folders.ts';
import { homeFolder } from '../user-folders.ts';
import { readConfigFile } from './config-file.ts';
import { keyOf } from './leaf.ts';
import { makeFolder } from '../../store/make-folder.ts';

/** Adds it as a table at the end of the file. Returns why it could not; null where it did. */
export async function rememberSetUp(
  root: string,
  argv: readonly string[],
  environment: NodeJS.ProcessEnv,
): Promise<string | null> {
  const file = userConfigFile(environment);
  const table = `[${keyOf(['projects', root])}]`;
  const lines = `${table}\nsetup = ${JSON.stringify(argv)}`;
  const known = await readConfigFile(file, homeFolder(environment));
  if (known?.leaves.some(({ key }) => key.startsWith(keyOf(['projects', root]))) === true) {
    return `The set-up is not remembered, as ${file} has ${table} already.`;
  }
  try {
    await makeFolder(dirname(file));
    await appendFile(file, `\n# Taken when a plan was carried out.\n${lines}\n`);
    return null;
  } catch (error) {
    if (!isSystemError(error)) throw error;
    return `The set-up is not remembered, as ${file} cannot be written (${error.code}).`;
  }
}
