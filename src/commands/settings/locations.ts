import { realpath } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative } from 'node:path';
import { Stopped } from '../../model/failure.ts';
import { isSystemError } from '../../store/system-error.ts';
import { isThere } from '../working-folder.ts';
import { dataFolder, folderOf } from './data-folder.ts';

const projectFileName = 'conclave.toml';

/** The user's own settings file, whether or not it is there. */
export function userConfigFile(environment: NodeJS.ProcessEnv): string {
  return join(folderOf(environment, 'XDG_CONFIG_HOME', '.config'), 'conclave', 'config.toml');
}

/** Where the user's trust in project files is kept. */
export function trustFile(environment: NodeJS.ProcessEnv): string {
  return join(dataFolder(environment), 'trust.json');
}

/**
 * The nearest `conclave.toml` from a folder up to the root of its repository, or only in that
 * folder where there is no repository. Throws `config` for a link that leads out of the project.
 */
export async function findProjectFile(cwd: string): Promise<string | null> {
  const folders = await foldersUpToRoot(await realpath(cwd));
  const root = folders.at(-1) ?? cwd;
  for (const folder of folders) {
    const file = join(folder, projectFileName);
    if (!(await isThere(file))) continue;
    await refuseLinkOut(file, root);
    return file;
  }
  return null;
}

async function foldersUpToRoot(start: string): Promise<readonly string[]> {
  const folders: string[] = [];
  for (let folder = start; ; folder = dirname(folder)) {
    folders.push(folder);
    if (await isThere(join(folder, '.git'))) return folders;
    if (dirname(folder) === folder) return [start];
  }
}

async function refuseLinkOut(file: string, root: string): Promise<void> {
  const target = await targetOf(file);
  if (target !== null && isInside(target, root)) return;
  throw new Stopped({
    reason: 'config',
    file,
    message: 'this is a symbolic link that leads out of the project, which is refused.',
  });
}

/** Null for a link that leads nowhere, or where we may not go. */
async function targetOf(file: string): Promise<string | null> {
  try {
    return await realpath(file);
  } catch (error) {
    if (isSystemError(error)) return null;
    throw error;
  }
}

function isInside(path: string, root: string): boolean {
  const inner = relative(root, path);
  return inner !== '' && inner !== '..' && !inner.startsWith('../') && !isAbsolute(inner);
}
