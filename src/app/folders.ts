// Finds the folder of `-C`, the project around it, and the places in the user's folders.
import { lstat, realpath, stat } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { isInside } from '../git/disk.ts';
import { wrongUsage } from '../model/failure.ts';
import { sha256Of } from '../store/digest.ts';
import { isAbsent, nullIfAbsent } from '../store/system-error.ts';
import { dataFolder, homeFolder, xdgFolder } from './user-folders.ts';

/** The absolute folder of `-C`. Throws `usage` if it does not exist. */
export async function workingFolder(value = '.'): Promise<string> {
  const folder = absoluteFolder(value);
  if (await isFolder(folder)) return folder;
  throw wrongUsage(`-C: ${folder} is not a folder.`);
}

function absoluteFolder(folder: string): string {
  try {
    return resolve(folder);
  } catch (error) {
    if (!isAbsent(error)) throw error;
    throw wrongUsage('The current folder is gone; change to another folder, or name one with -C.');
  }
}

/**
 * The folder that a command works on: the nearest one from `folder` upwards that has sessions (`.workflow`) or
 * is a git work tree; otherwise `folder` itself.
 */
export async function projectRoot(folder: string): Promise<string> {
  return (await findProject(folder)) ?? folder;
}

/** Finds the nearest project folder upwards; null if there is none. */
async function findProject(folder: string, signs = ['.workflow', '.git']): Promise<string | null> {
  for (let at = folder; ; at = dirname(at)) {
    for (const sign of signs) if (await isThere(join(at, sign))) return at;
    if (at === dirname(at)) return null;
  }
}

/**
 * True if a host may use a folder, given by its real path, without asking a person: it is in a git repository
 * that is not private. Sessions do not make a folder a project, because a host can start one anywhere.
 */
export async function isRepository(real: string, environment: NodeJS.ProcessEnv): Promise<boolean> {
  const root = await findProject(real, ['.git']);
  if (root === null) return false;
  const home = await realHome(environment);
  return !isShared(root, home) && !isHidden(root, home);
}

/**
 * The real path of the folder in which this process was started, if it shows what the user works on; null for
 * the home folder, in which hosts start servers, and for other private folders.
 */
export async function findStartFolder(environment: NodeJS.ProcessEnv): Promise<string | null> {
  const real = await nullIfAbsent(realpath('.'));
  if (real === null) return null;
  const home = await realHome(environment);
  // Some programs keep their work trees in a hidden folder of the home folder.
  const isPrivate =
    isShared(real, home) || (isHidden(real, home) && !(await isThere(join(real, '.git'))));
  return isPrivate ? null : real;
}

async function realHome(environment: NodeJS.ProcessEnv): Promise<string> {
  const home = homeFolder(environment);
  return (await nullIfAbsent(realpath(home))) ?? home;
}

const systemFolders = /^\/(?:private\/)?(?:boot|dev|etc|proc|sys)(?:\/|$)/;

/** True for the home folder, folders around it, and system folders. */
function isShared(real: string, home: string): boolean {
  return isInside(real, home) || systemFolders.test(real);
}

/** True for a folder inside one such as `~/.ssh` or `~/.config`. */
function isHidden(real: string, home: string): boolean {
  return isInside(home, real) && relative(home, real).startsWith('.');
}

/** A folder of the project, relative to it, with forward slashes. */
export function folderWithin(root: string, folder: string): string {
  return relative(root, folder).replaceAll(sep, '/');
}

/** True if the path exists, even as a link to a missing target. */
async function isThere(path: string): Promise<boolean> {
  return (await nullIfAbsent(lstat(path))) !== null;
}

/** True for a folder, also behind links. */
export async function isFolder(path: string): Promise<boolean> {
  return (await nullIfAbsent(stat(path)))?.isDirectory() ?? false;
}

/** The file of the user's trust in project files. */
export const trustFile = amongData('trust.json');

/** The file of the key that binds sessions to the user. */
export const keyFile = amongData('session.key');

/** The database of the user’s conversations, with the index of saved sessions. */
export const historyFile = amongData('history.db');

/** The folder for answers from other terminals, by session. */
export const answersFolder = amongData('answers');

/** The file of the results of `conclave doctor --probe`. */
export const probesFile = amongData('probes.json');

/** The file that remembers how code is confined on this machine before a plan is approved. */
export const confinementFile = amongData('confinement.json');

/**
 * The folder for what agents write in a session until all agents of a round have answered, separate from the
 * other files; named by the hash of the session folder’s path.
 */
export const stagingPath = byHash('running');

/** The folder for the work trees of a session’s execution, named by the same hash. */
export const worktreesFolder = byHash('worktrees');

/** The folder for the files of a project’s conversations, named by the hash of its real path. */
export const conversationsFolder = byHash('conversations');

/** The file that records the plans judged by `conclave critique --hook`. */
export const critiquesFile = amongData('critiques.json');

/** The folder of the jobs that MCP servers started. */
export const jobsFolder = amongData('jobs');

/** The folder for consent texts that were too long for a form. */
export const consentsFolder = amongData('consents');

/** The folder for what we install in other programs: the packages, and records about their files. */
export const hostsFolder = amongData('hosts');

/** The folder of the user’s own roles. */
export const rolesFolder = amongSettings('roles');

/** The user's own settings file, whether or not it exists. */
export const userConfigFile = amongSettings('config.toml');

function amongData(name: string) {
  return (environment: NodeJS.ProcessEnv) => `${dataFolder(environment)}/${name}`;
}

function byHash(name: string) {
  return (environment: NodeJS.ProcessEnv, path: string) =>
    `${dataFolder(environment)}/${name}/${sha256Of(path).slice(0, 16)}`;
}

function amongSettings(name: string) {
  return (environment: NodeJS.ProcessEnv) =>
    `${xdgFolder(environment, 'XDG_CONFIG_HOME', '.config')}/conclave/${name}`;
}
