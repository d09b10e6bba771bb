// Finds and reads the instructions of a role: the user’s own, a trusted project’s, or a built-in one.
import { isUtf8 } from 'node:buffer';
import { readFile, readdir, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { settingsTable } from '../model/settings.ts';
import { rolesFolder } from './folders.ts';
import type { Workplace } from './workplace.ts';
import { wrongUsage } from '../model/failure.ts';
import { packageRoot } from '../prompts/package-root.ts';
import { hasCode, nullIfAbsent } from '../store/system-error.ts';
import { listed } from '../model/wording.ts';

/** Reads a role’s text; a project’s roles count only if its settings are trusted. Throws like `readRole`. */
export async function roleText(
  name: string,
  { root, environment, settings }: Workplace,
): Promise<string> {
  const ofProject = { path: join(root, '.workflow/roles'), within: root };
  const ofUser = { path: rolesFolder(environment), within: null };
  const own = settings.files.project?.trusted === true ? [ofProject, ofUser] : [ofUser];
  return await readRole(name, roleFolders(own));
}

/** The text of the role in which agents plan; null if none is set. Throws like `readRole`. */
export async function planningRole(workplace: Workplace): Promise<string | null> {
  const name = workplace.settings.read(settingsTable.workflow.role);
  return name === undefined ? null : await roleText(name, workplace);
}

/** The folders with roles; the first wins. Those of a project count only if it is trusted. */
type RoleFolders = readonly RoleFolder[];

interface RoleFolder {
  readonly path: string;
  /** The folder that links in it may not leave; null for the user’s own folder, where any link is allowed. */
  readonly within: string | null;
}

/** The largest file of a role, in bytes. */
const longestRole = 64 * 1024;

/** All folders of roles: the own ones before the built-in ones. */
function roleFolders(own: RoleFolders): RoleFolders {
  return [...own, { path: join(packageRoot(), 'templates', 'roles'), within: null }];
}

/** Reads the text of a role. Throws `usage` with the list of roles, or with what is wrong with its file. */
async function readRole(name: string, folders: RoleFolders): Promise<string> {
  if (/^[A-Za-z0-9][\w-]*$/.test(name)) {
    for (const { path, within } of folders) {
      for (const ending of ['md', 'txt']) {
        const text = await roleIn(join(path, `${name}.${ending}`), within);
        if (text !== null) return text;
      }
    }
  }
  const names = await rolesIn(folders);
  throw wrongUsage(`There is no role ${JSON.stringify(name)}. Known roles: ${listed(names)}.`);
}

/** The names of all roles, sorted. */
async function rolesIn(folders: RoleFolders): Promise<readonly string[]> {
  const names = await Promise.all(
    folders.map(async ({ path }) => (await nullIfAbsent(readdir(path))) ?? []),
  );
  const roles = names
    .flat()
    .flatMap((name) => /^([A-Za-z0-9][\w-]*)\.(?:md|txt)$/.exec(name)?.[1] ?? []);
  return [...new Set(roles)].toSorted();
}

async function isInside(file: string, folder: string): Promise<boolean> {
  const [target, real] = await Promise.all([realpath(file), realpath(folder)]);
  return target.startsWith(`${real}/`);
}

async function roleIn(file: string, within: string | null): Promise<string | null> {
  const found = await nullIfAbsent(stat(file));
  if (found === null) return null;
  if (within !== null && !(await isInside(file, within))) {
    throw wrongUsage(`The role file ${file} leads out of the project; replace it by a copy.`);
  }
  if (!found.isFile()) throw wrongUsage(`The role file ${file} is not a file.`);
  if (found.size > longestRole) {
    throw wrongUsage(
      `The role file ${file} has ${found.size} bytes, but at most ${longestRole} are allowed; shorten it.`,
    );
  }
  const bytes = await readFile(file).catch((error: unknown) => {
    if (!hasCode(error, ['EACCES', 'EPERM'])) throw error;
    throw wrongUsage(`The role file ${file} cannot be read; check its permissions.`);
  });
  if (isUtf8(bytes) && !bytes.includes(0)) return bytes.toString('utf8').trim();
  throw wrongUsage(`The role file ${file} is not UTF-8 text; save it as UTF-8.`);
}
