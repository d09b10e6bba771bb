// Finds the folders in which git keeps things for a work tree, and words its refusals.
import { lstatSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { Stopped } from '../model/failure.ts';
import { git, gitMissing, type GitTarget } from './git.ts';

/** Folders in which git keeps things for this work tree. Absolute but for `prefix`. */
export interface GitFolders {
  /** The root’s path below the top of the work tree: empty or ending in `/`. */
  readonly prefix: string;
  readonly own: string;
  /** Differs from `own` in a linked work tree. */
  readonly common: string;
}

/** True for a folder that the repository around it ignores as a whole. */
export async function isIgnoredFolder(target: GitTarget): Promise<boolean> {
  return (await git(target, ['check-ignore', '-q', target.root])).ok;
}

const isInside = ['rev-parse', '--is-inside-work-tree'];
const foldersQuestion = ['--absolute-git-dir', '--git-common-dir', '--show-prefix'];

/** Null where the folder is in no repository. Throws `Stopped` where git refuses the one there. */
export async function gitFolders(target: GitTarget): Promise<GitFolders | null> {
  const answer = await git(target, [...isInside, ...foldersQuestion]);
  if (!answer.ok) {
    refuseUnlessAbsent(target.root, answer.reason);
    return null;
  }
  const [inside, ...told] = answer.stdout.toString('utf8').split('\n');
  if (inside !== 'true') throw refused(noWorkTree(target.root));
  const isPlain = told.length === foldersQuestion.length + 1;
  const [own = '', common = '', prefix = ''] = isPlain ? told : await askOneByOne(target);
  return { prefix, own, common: resolve(target.root, common) };
}

/** Git separates its answers by line breaks, which the path of a folder may hold, too. */
async function askOneByOne(target: GitTarget): Promise<readonly string[]> {
  const answers = foldersQuestion.map((question) => git(target, ['rev-parse', question]));
  return (await Promise.all(answers)).map((answer) =>
    answer.ok ? answer.stdout.toString('utf8').replace(/\n$/, '') : '',
  );
}

/**
 * Throws `Stopped` where git did not answer although there is a repository: without it ignored
 * files would count and the past would be lost. Returns where there is none around `root`.
 */
function refuseUnlessAbsent(root: string, reason: string): void {
  const around = gitAround(root);
  if (reason === gitMissing) {
    if (around === null) return;
    throw refused(`${root} is in a git repository, but ${gitMissing}; install git first.`);
  }
  if (!reason.startsWith('fatal: not a git repository (or any ')) throw unreadable(root, reason);
}

/** `Stopped` for a repository that git gave up on, with the reason that it gave. */
export function unreadable(root: string, reason: string): Stopped {
  const said = reason.replace(/^fatal: /, '');
  return refused(`git cannot read ${root}: ${said}; ${remedyFor(reason)}`);
}

/** Said in a bare repository, or in one whose work tree is elsewhere. */
const noWorkTree = (root: string) =>
  `git has a repository at ${root}, but no work tree; run conclave in the work tree of that repository.`;

function refused(message: string): Stopped {
  return new Stopped({ reason: 'usage', message });
}

function remedyFor(reason: string): string {
  if (!reason.startsWith('fatal: ')) return 'try again.';
  const [, top] = /dubious ownership in repository at '(.+)'/.exec(reason) ?? [];
  return top === undefined
    ? 'repair the repository first.'
    : `if you trust it, run \`git config --global --add safe.directory '${top}'\`.`;
}

/** The `.git` of the nearest folder that has one, from `root` on upwards; null without any. */
export function gitAround(root: string): string | null {
  const path = join(root, '.git');
  if (lstatSync(path, { throwIfNoEntry: false }) !== undefined) return path;
  const parent = dirname(root);
  return parent === root ? null : gitAround(parent);
}
