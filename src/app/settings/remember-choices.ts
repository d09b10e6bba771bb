// Remembers in the user's settings file what was chosen for one repository.
import { appendFile, readFile, realpath } from 'node:fs/promises';
import { dirname } from 'node:path';
import { writeAtomic } from '../../store/atomic.ts';
import { makeFolder } from '../../store/make-folder.ts';
import { isSystemError } from '../../store/system-error.ts';
import { userConfigFile } from '../folders.ts';
import { homeFolder } from '../user-folders.ts';
import { readConfigFile } from './config-file.ts';
import { keyOf } from './leaf.ts';

/** Settings of `[projects."/path"]`. */
export interface ProjectChoices {
  readonly setup?: readonly string[] | undefined;
  readonly commit_style?: string | undefined;
}

/**
 * Adds them to the table of the repository, which is made at the end of the file where there is none.
 * Returns why it could not; null where it did.
 */
export async function rememberChoices(
  root: string,
  choices: ProjectChoices,
  environment: NodeJS.ProcessEnv,
): Promise<string | null> {
  const file = userConfigFile(environment);
  const path = keyOf(['projects', root]);
  const header = `[${path}]`;
  const chosen = Object.entries(choices).filter(([, value]) => value !== undefined);
  const lines = chosen.map(([name, value]) => `${name} = ${JSON.stringify(value)}`);
  if (lines.length === 0) return null;
  const known = await readConfigFile(file, homeFolder(environment));
  const own = (known?.leaves ?? []).map(({ key }) => key).filter((key) => key.startsWith(path));
  const taken = chosen.flatMap(([name]) => (own.includes(`${path}.${name}`) ? name : []));
  if (taken.length > 0)
    return `It is not remembered, as ${file} has ${header} ${taken[0]} already.`;
  try {
    if (own.length > 0) return await addToTable(file, header, lines);
    await makeFolder(dirname(file));
    await appendFile(
      file,
      ['', '# Taken when a plan was carried out.', header, ...lines, ''].join('\n'),
    );
    return null;
  } catch (error) {
    if (!isSystemError(error)) throw error;
    return `It is not remembered, as ${file} cannot be written (${error.code}).`;
  }
}

/** Below the head of the table; where that is written in another way, it is left to the user. */
async function addToTable(
  file: string,
  header: string,
  lines: readonly string[],
): Promise<string | null> {
  const text = (await readFile(file, 'utf8')).split('\n');
  const at = text.findIndex((line) => line.trim() === header);
  if (at === -1) return `It is not remembered; add to ${header} in ${file}: ${lines.join(', ')}`;
  // The file of a user may be a link to where it is kept.
  await writeAtomic(await realpath(file), text.toSpliced(at + 1, 0, ...lines).join('\n'));
  return null;
}
