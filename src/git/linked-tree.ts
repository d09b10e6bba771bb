// Makes one work tree with its merges, commits what an agent left in it, removes it.
import { existsSync } from 'node:fs';
import { lstat, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { nullIfAbsent } from '../store/system-error.ts';
import { stampOf } from './disk.ts';
import { commitInFiles, textAt } from './git-folders.ts';
import { git, type GitTarget } from './git.ts';
import { noteNoLinks } from './index-links.ts';
import { branchName, type SessionGit } from './session-git.ts';
import type { NewCommit, SquashedWork, Worktree } from './worktrees.ts';
import { GitRefused, gitLists, gitSays } from './writing-git.ts';
import { makeFolder } from '../store/make-folder.ts';

interface MergedCommits {
  readonly commits: readonly string[];
  readonly message?: string | undefined;
  /** The work tree that is used again; null for none. */
  readonly free?: string | null;
}

/** See `Worktrees.make`; conflicts are below the top of the work tree. */
export async function makeWorkTree(
  session: SessionGit,
  name: string,
  { commits, message, free = null }: MergedCommits,
): Promise<Worktree> {
  const [first, ...others] = commits;
  if (first === undefined) throw new Error(`${name} begins at no commit`);
  if (!(await layTree(session, { free, name, commit: first }))) await addTree(session, name, first);
  session.branches.add(branchName(session, name));
  const tree = await openWorkTree(session, name);
  if (session.withoutLinks.has(first)) await noteNoLinks(tree);
  const path = workTreePath(session, name);
  await makeFolder(path);
  let head = first;
  for (const other of others) {
    const merged = await git(tree, [...merge, '-m', message ?? `Merge ${other}`, other]);
    if (!merged.ok) {
      const conflicts = await gitLists(tree, unmerged);
      if (conflicts.length === 0) {
        throw new GitRefused(`${other} cannot be merged: ${merged.reason}`);
      }
      return { path, head, conflicts, parents: [head, other] };
    }
    head = await headOf(session, tree);
  }
  return { path, head, conflicts: [], parents: [head] };
}

const merge = 'merge --quiet --no-ff --commit --no-squash --no-stat --no-edit'.split(' ');
const unmerged = 'diff --name-only --diff-filter=U -z'.split(' ');

async function headOf({ common }: SessionGit, tree: WorkTreeTarget): Promise<string> {
  const { own } = tree;
  return (await commitInFiles({ own, common })) ?? (await gitSays(tree, ['rev-parse', 'HEAD']));
}

/** Adds a work tree by git. A git process left behind by a kill may still write there, so it tries twice. */
async function addTree(session: SessionGit, name: string, commit: string): Promise<void> {
  const root = treeFolder(session, name);
  const options = ['--quiet', '--force', '--no-track', '-B', branchName(session, name)];
  const args = ['worktree', 'add', ...options, root, commit];
  await removeWorkTrees(session, [name]);
  if (!(await git(session.store, args)).ok) {
    await removeWorkTrees(session, [name]);
    await gitSays(session.store, args);
  }
  const own = ownFolder(session, name);
  await rename((await textAt(join(root, '.git'))).replace('gitdir: ', ''), own);
  await writeFile(join(root, '.git'), `gitdir: ${own}\n`);
}

/**
 * Makes a work tree as git would, with one command, and of one that nothing needs any more, so that git writes
 * only the files that differ: of what git keeps for that nothing stays but the index, and of its files nothing that
 * is in no commit. False if that cannot be done.
 */
async function layTree(
  session: SessionGit,
  {
    free,
    name,
    commit,
  }: { readonly free: string | null; readonly name: string; readonly commit: string },
): Promise<boolean> {
  const [own, root] = [ownFolder(session, name), treeFolder(session, name)];
  // Git alone copies settings of one work tree, such as the files that it leaves out, and keeps HEAD in tables.
  const onlyByGit = [join(session.own, 'config.worktree'), join(session.common, 'reftable')];
  if (onlyByGit.some((path) => existsSync(path))) return false;
  if (free !== name) await removeWorkTrees(session, [name]);
  if (free !== null) {
    const [known, from] = [ownFolder(session, free), treeFolder(session, free)];
    const found = await Promise.all([known, from].map((path) => nullIfAbsent(lstat(path))));
    if (!found.every((one) => one?.isDirectory())) return false;
    for (const entry of await readdir(known)) {
      if (entry !== 'index') await rm(join(known, entry), { recursive: true });
    }
    await rm(join(from, '.git'), { recursive: true, force: true });
    await rename(known, own);
    await rename(from, root);
  }
  await makeFolder(own);
  await makeFolder(root);
  await writeFile(join(own, 'gitdir'), `${join(root, '.git')}\n`);
  await writeFile(join(own, 'commondir'), '../..\n');
  await writeFile(join(own, 'HEAD'), `ref: refs/heads/${branchName(session, name)}\n`);
  await writeFile(join(root, '.git'), `gitdir: ${own}\n`);
  const tree = await openWorkTree(session, name);
  const isReset = (await git(tree, ['reset', '--quiet', '--hard', commit])).ok;
  return isReset && (free === null || (await git(tree, ['clean', '--quiet', '-ffdx'])).ok);
}

/**
 * See `Worktrees.commit`. What the agent did to HEAD, index and branches is ignored. `isClean` if nothing but
 * ignored files is left besides the commit.
 */
export async function commitWorkTree(
  session: SessionGit,
  name: string,
  { parents, message }: NewCommit,
): Promise<{ readonly commit: string | null; readonly isClean: boolean }> {
  const [first, ...others] = parents;
  if (first === undefined) throw new Error(`A commit of ${name} has no parent`);
  const tree = await openWorkTree(session, name);
  await rm(join(tree.own, 'index.lock'), { force: true });
  // Where nothing differs git would not meet the lock, and whoever works here next would.
  if (existsSync(join(tree.own, 'HEAD.lock'))) {
    throw new GitRefused(`A git that was killed left ${join(tree.own, 'HEAD.lock')}; remove it.`);
  }
  const found = await dropRepositories(tree);
  const { linked, isHiding, hasFolders } = found;
  await pointTo(session, tree, { branch: branchName(session, name), commit: first });
  const merged = others.map((other) => `${other}\n`).join('');
  if (merged !== '') await writeFile(join(tree.own, 'MERGE_HEAD'), merged);
  await gitSays(tree, addingWithout(found, linked));
  const commit = (await commitIndex(tree, message)) ? await headOf(session, tree) : null;
  if (isHiding) {
    // A new index hides nothing.
    await rm(join(tree.own, 'index'));
    await gitSays(tree, ['reset', '--quiet', '--hard', commit ?? first]);
  }
  if (linked.length === 0) {
    session.withoutLinks.add(commit ?? first);
    await noteNoLinks(tree);
  }
  return { commit, isClean: !hasFolders };
}

/** Commits the index; false if it holds what HEAD holds. */
async function commitIndex(tree: GitTarget, message: string): Promise<boolean> {
  const args = ['commit', '--quiet', '--no-verify', '--cleanup=verbatim', '-F', '-'];
  const made = await git(tree, args, `${message}\n`);
  if (made.ok) return true;
  const compare = 'diff-index --cached --quiet --ignore-submodules=none HEAD'.split(' ');
  if (made.exitCode === 1 && (await git(tree, compare)).ok) return false;
  throw new GitRefused(`"git commit" failed in ${tree.root}: ${made.reason}`);
}

/** See `Worktrees.squash`. */
export async function squashWork(
  session: SessionGit,
  { commit, parent, message }: SquashedWork,
): Promise<string> {
  const made = await treeCommit(session, `${commit}^{tree}`, { parents: [parent], message });
  if (session.withoutLinks.has(commit)) session.withoutLinks.add(made);
  return made;
}

/** Makes a commit of a tree, which no branch shows. */
export function treeCommit(
  { store }: SessionGit,
  tree: string,
  { parents, message }: NewCommit,
): Promise<string> {
  const ofParents = parents.flatMap((parent) => ['-p', parent]);
  return gitSays(store, ['commit-tree', ...ofParents, '-F', '-', tree], message);
}

/** A work tree as a command of this process left it. */
export interface LeftTree {
  /** The commit that is checked out. */
  readonly commit: string;
  /** What was done last; a commit may leave folders without any file. */
  readonly by: 'merge' | 'commit' | 'clean';
  /** True if something may have run in it since. */
  readonly isTouched: boolean;
  /** The stamp of its index. */
  readonly index: string;
}

/** The stamp of the index of a work tree, by which a change of it is seen. */
export async function indexStamp(session: SessionGit, name: string): Promise<string> {
  return await stampOf(join((await openWorkTree(session, name)).own, 'index'));
}

/** See `Worktrees.clean`. */
export async function cleanWorkTree(
  session: SessionGit,
  name: string,
  { commit, left }: { readonly commit: string; readonly left: LeftTree | undefined },
): Promise<void> {
  const tree = await openWorkTree(session, name);
  await rm(join(tree.own, 'index.lock'), { force: true });
  const branch = branchName(session, name);
  const isAt = left?.commit === commit && (await isPointedTo(session, tree, { branch, commit }));
  const isSame = isAt && left.index === (await stampOf(join(tree.own, 'index')));
  const isTouched = left?.isTouched !== false;
  if (isSame && isTouched && (await gitLists(tree, changed)).length === 0) return;
  if (!isSame || isTouched) {
    await pointTo(session, tree, { branch, commit: null });
    await gitSays(tree, ['reset', '--quiet', '--hard', commit]);
    if (session.withoutLinks.has(commit)) await noteNoLinks(tree);
  }
  // Repositories that an agent made inside are removed, too.
  if (isTouched || left?.by === 'commit') await gitSays(tree, ['clean', '--quiet', '-ffd']);
}

/** Lists what differs from the index, and untracked files and folders, empty ones included. */
const changed = 'ls-files -z --modified --others --directory --exclude-standard'.split(' ');

/**
 * Removes the `.git` of repositories that an agent made inside: git would leave out their files.
 * Returns the submodules.
 */
async function dropRepositories(tree: GitTarget): Promise<KnownRepositories> {
  const found = await repositoriesIn(tree);
  if (found.unknown.length === 0) return found;
  for (const path of found.unknown) await rm(join(tree.root, path, '.git'), { recursive: true });
  return await dropRepositories(tree);
}

/**
 * The command that adds all differences to the index of the place. Inside a repository git would
 * start what the settings there name, and those may be an agent’s: submodules stay unchanged.
 */
export async function addingAll(tree: GitTarget): Promise<readonly string[]> {
  const found = await repositoriesIn(tree);
  return addingWithout(found, [...found.linked, ...found.unknown]);
}

function addingWithout(
  { isHiding }: Pick<KnownRepositories, 'isHiding'>,
  repositories: readonly string[],
): readonly string[] {
  const excluded = repositories.map((path) => `:(exclude,literal)${path}`);
  // Git refuses new files where the user’s work tree leaves files out.
  const outside = isHiding ? ['--sparse'] : [];
  return ['add', '--all', '--ignore-errors', ...outside, '--', '.', ...excluded];
}

interface KnownRepositories {
  readonly linked: readonly string[];
  readonly unknown: readonly string[];
  /** True if the index keeps git from looking at some files. */
  readonly isHiding: boolean;
  /** True if there are folders without a file that the index knows, which may be empty. */
  readonly hasFolders: boolean;
}

/** The repositories inside a work tree: those in its index, and those that it does not know. */
export async function repositoriesIn(tree: GitTarget): Promise<KnownRepositories> {
  const args = 'ls-files -z -v --stage --others --exclude-standard'.split(' ');
  const short = await gitLists(tree, [...args, '--directory']);
  const hasFolders = short.some(isFolder);
  const listed = hasFolders ? await gitLists(tree, args) : short;
  return {
    linked: listed
      .filter((entry) => /^[^?] 160000 /.test(entry))
      .map((entry) => entry.replace(/^.*?\t/s, '')),
    unknown: listed.filter(isFolder).map((entry) => entry.slice(2)),
    isHiding: listed.some((entry) => /^[a-zS] /.test(entry)),
    hasFolders,
  };
}

const isFolder = (entry: string) => /^\? .*\/$/s.test(entry);

interface PlaceOfHead {
  readonly branch: string;
  /** The commit that the branch is to be at; null leaves it where it is. */
  readonly commit: string | null;
}

/** Points HEAD at the branch, and the branch at the commit, without a look at index and files. */
async function pointTo(
  session: SessionGit,
  tree: WorkTreeTarget,
  { branch, commit }: PlaceOfHead,
): Promise<void> {
  const { own } = tree;
  const ref = `refs/heads/${branch}`;
  for (const state of unfinishedFiles) await rm(join(own, state), { recursive: true, force: true });
  const head = await readFile(join(own, 'HEAD'), 'utf8');
  if (head.trim() !== `ref: ${ref}`) await gitSays(tree, ['symbolic-ref', 'HEAD', ref]);
  if (commit === null || (await isPointedTo(session, tree, { branch, commit }))) return;
  await gitSays(tree, ['update-ref', ref, commit]);
}

/** True if the files of git say that HEAD is at this branch, and the branch at this commit. */
async function isPointedTo(
  { common }: SessionGit,
  { own }: WorkTreeTarget,
  { branch, commit }: PlaceOfHead,
): Promise<boolean> {
  const head = await readFile(join(own, 'HEAD'), 'utf8');
  const isThere = head.trim() === `ref: refs/heads/${branch}`;
  return isThere && (await commitInFiles({ own, common })) === commit;
}

/** Files that git keeps during an unfinished operation. */
export const unfinishedFiles = [
  'MERGE_HEAD',
  'CHERRY_PICK_HEAD',
  'REVERT_HEAD',
  'BISECT_LOG',
  'rebase-merge',
  'rebase-apply',
];

/** Removes work trees, whatever state they are in; null removes all of the session. */
export async function removeWorkTrees(
  session: SessionGit,
  names: readonly string[] | null,
): Promise<void> {
  const folders =
    names === null
      ? [
          join(session.folder, 'trees'),
          ...(await namesOfTrees(session)).map((name) => ownFolder(session, name)),
        ]
      : names.flatMap((name) => [treeFolder(session, name), ownFolder(session, name)]);
  for (const folder of folders) await rm(folder, { recursive: true, force: true, maxRetries: 5 });
}

interface WorkTreeTarget extends GitTarget {
  readonly own: string;
}

/**
 * Directs git at a work tree. Its git folder is given explicitly: an agent can write the `.git` of
 * the tree, which could lead to settings that start programs.
 */
export async function openWorkTree(session: SessionGit, name: string): Promise<WorkTreeTarget> {
  const [own, root] = [ownFolder(session, name), treeFolder(session, name)];
  if ((await textAt(join(own, 'gitdir'))) !== join(root, '.git')) {
    throw new GitRefused(`The work tree ${root} is gone; run it again.`);
  }
  const variables = { ...session.store.variables, GIT_DIR: own, GIT_WORK_TREE: root };
  return { ...session.store, root, variables, own };
}

/** See `Worktrees.isThere`. */
export async function isLinked(session: SessionGit, name: string): Promise<boolean> {
  const file = join(treeFolder(session, name), '.git');
  const isKnown = (await textAt(join(ownFolder(session, name), 'gitdir'))) === file;
  return isKnown && existsSync(file);
}

/** The path of the session’s repository folder inside a work tree. */
export function workTreePath(session: SessionGit, name: string): string {
  return resolve(treeFolder(session, name), session.prefix);
}

export function treeFolder({ folder }: SessionGit, name: string): string {
  return join(folder, 'trees', name);
}

/** The folder in which git keeps the state of a work tree; git itself takes any name for it. */
function ownFolder({ common, session }: SessionGit, name: string): string {
  return join(common, 'worktrees', `${session}.${name}`);
}

/** The names of the work trees of the session that git knows. */
export async function namesOfTrees({ common, session }: SessionGit): Promise<readonly string[]> {
  const all = (await nullIfAbsent(readdir(join(common, 'worktrees')))) ?? [];
  const start = `${session}.`;
  return all.flatMap((name) => (name.startsWith(start) ? name.slice(start.length) : []));
}
