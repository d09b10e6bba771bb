// Finds the folders in which git keeps things for a work tree, and words its refusals.
import { existsSync, lstatSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { Stopped } from '../model/failure.ts';
import { quoteForShell } from '../model/wording.ts';
import { nullIfAbsent } from '../store/system-error.ts';
import { lookAt, stampOf } from './disk.ts';
import { git, gitMissing, type GitTarget } from './git.ts';

/** The folders in which git keeps data for this work tree. All but `prefix` are absolute. */
export interface GitFolders {
  /** The root’s path below the top of the work tree: empty or ending in `/`. */
  readonly prefix: string;
  readonly own: string;
  /** Differs from `own` in a linked work tree. */
  readonly common: string;
}

/** True for a folder that the surrounding repository ignores as a whole. */
export async function isIgnoredFolder(target: GitTarget): Promise<boolean> {
  return (await git(target, ['check-ignore', '-q', target.root])).ok;
}

const isInside = ['rev-parse', '--is-inside-work-tree'];
const foldersQuestion = ['--absolute-git-dir', '--git-common-dir', '--show-prefix'];

/** Folders that git reported, by root. */
const known = new Map<string, { readonly stamp: string; readonly folders: GitFolders }>();

/**
 * The git folders; null if the folder is in no repository. Throws `Stopped` if git refuses the
 * repository. Git is asked again after its settings there have changed.
 */
export async function gitFolders(target: GitTarget): Promise<GitFolders | null> {
  const place = await settingsAround(target);
  const last = known.get(target.root);
  if (last !== undefined && last.stamp === place?.stamp) return last.folders;
  const folders = await askFolders(target);
  if (place !== null && folders?.own === place.own) {
    known.set(target.root, { stamp: place.stamp, folders });
  }
  return folders;
}

async function askFolders(target: GitTarget): Promise<GitFolders | null> {
  const answer = await git(target, [...isInside, ...foldersQuestion]);
  if (!answer.ok) {
    refuseUnlessAbsent(target.root, answer.reason);
    return null;
  }
  const [inside, ...told] = answer.stdout.toString('utf8').split('\n');
  if (inside !== 'true') throw refusal(noWorkTree(target.root));
  const isPlain = told.length === foldersQuestion.length + 1;
  const [own = '', common = '', prefix = ''] = isPlain ? told : await askOneByOne(target);
  return { prefix, own, common: resolve(target.root, common) };
}

/** Asks for one folder at a time: git separates its answers by line breaks, which a path may contain, too. */
async function askOneByOne(target: GitTarget): Promise<readonly string[]> {
  const answers = foldersQuestion.map((question) => git(target, ['rev-parse', question]));
  return (await Promise.all(answers)).map((answer) =>
    answer.ok ? answer.stdout.toString('utf8').replace(/\n$/, '') : '',
  );
}

/**
 * Throws `Stopped` if git did not answer although there is a repository: without it, ignored files
 * would count and the past would be lost. Returns if there is none around `root`.
 */
function refuseUnlessAbsent(root: string, reason: string): void {
  const around = gitAround(root);
  if (reason === gitMissing) {
    if (around === null) return;
    throw refusal(`${root} is in a git repository, but ${gitMissing}; install git first.`);
  }
  if (!reason.startsWith('fatal: not a git repository (or any ')) throw unreadable(root, reason);
}

/** Makes the `Stopped` for a repository that git gave up on, with git’s reason. */
export function unreadable(root: string, reason: string): Stopped {
  const said = reason.replace(/^fatal: /, '');
  return refusal(`git cannot read ${root}: ${said}; ${remedyFor(reason)}`);
}

/** The message for a bare repository, or one whose work tree is elsewhere. */
const noWorkTree = (root: string) =>
  `git has a repository at ${root}, but no work tree; run conclave in the work tree of that repository.`;

function refusal(message: string): Stopped {
  return new Stopped({ reason: 'usage', message });
}

function remedyFor(reason: string): string {
  if (!reason.startsWith('fatal: ')) return 'try again.';
  const [, top] = /dubious ownership in repository at '(.+)'/.exec(reason) ?? [];
  return top === undefined
    ? 'repair the repository first.'
    : `if you trust it, run \`git config --global --add safe.directory ${quoteForShell(top)}\`.`;
}

/** The `.git` of the nearest folder that has one, from `root` upwards, or null. */
export function gitAround(root: string): string | null {
  const path = join(root, '.git');
  if (lstatSync(path, { throwIfNoEntry: false }) !== undefined) return path;
  const parent = dirname(root);
  return parent === root ? null : gitAround(parent);
}

/** The folders that the nearest `.git` leads to, as its files say. */
export interface SettingsAround extends Pick<GitFolders, 'own' | 'common'> {
  /** Changes with the settings of the repository, and with what is checked out if `own` is `common`. */
  readonly stamp: string;
}

/**
 * Finds the files that hold git’s settings for a folder, or of the repository that git is told to use. Null if
 * there is none, or if these are not plain files of git.
 */
export async function settingsAround({
  root,
  variables,
}: GitTarget): Promise<SettingsAround | null> {
  const around = variables?.['GIT_DIR'] ?? gitAround(root);
  if (around === null || !existsSync(around)) return null;
  const own = lstatSync(around).isDirectory() ? around : await linkedFolder(around);
  if (own === null) return null;
  const shared = await nullIfAbsent(readFile(join(own, 'commondir'), 'utf8'));
  // Only a linked work tree shares the settings of another folder.
  if ((shared === null) !== (own === around)) return null;
  const common = shared === null ? own : resolve(own, shared.trim());
  const files = [
    [common, 'config'],
    [own, 'config.worktree'],
    ...(shared === null ? [[own, 'HEAD']] : []),
  ];
  const found = await Promise.all(
    files.map(async ([folder = '', name = '']) => ({
      isLink: (await lookAt(folder, name)).kind === 'link',
      stamp: await stampOf(join(folder, name)),
    })),
  );
  if (found.some(({ isLink }) => isLink)) return null;
  return { own, common, stamp: [common, ...found.map(({ stamp }) => stamp)].join('\n') };
}

async function linkedFolder(file: string): Promise<string | null> {
  if (!lstatSync(file).isFile()) return null;
  const [, leads] = /^gitdir: (.+?)\n*$/s.exec(await readFile(file, 'utf8')) ?? [];
  return leads === undefined ? null : resolve(dirname(file), leads);
}

/** The commit that is checked out, read from files; null if only git can tell. */
export async function commitInFiles({
  own,
  common,
}: Pick<GitFolders, 'own' | 'common'>): Promise<string | null> {
  const head = await textAt(join(own, 'HEAD'));
  const [, branch] = /^ref: (refs\/heads\/.+)$/.exec(head) ?? [];
  const id = branch === undefined ? head : await textAt(join(common, branch));
  return /^[0-9a-f]{40,64}$/.test(id) ? id : null;
}

/** The text of a file; empty if it does not exist. */
export async function textAt(path: string): Promise<string> {
  return ((await nullIfAbsent(readFile(path, 'utf8'))) ?? '').trim();
}
