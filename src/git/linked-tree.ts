// Makes one work tree with its merges, commits what an agent left in it, removes it.
import { lstat, readdir, readFile, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { nullIfAbsent } from '../store/system-error.ts';
import { commitInFiles } from './git-folders.ts';
import { git, type GitTarget } from './git.ts';
import { noteNoLinks } from './index-links.ts';
import { branchName, type SessionGit } from './session-git.ts';
import type { NewCommit, SquashedWork, Worktree } from './worktrees.ts';
import { GitRefused, gitLists, gitSays } from './writing-git.ts';
import { makeFolder } from '../store/make-folder.ts';

interface MergedCommits {
  readonly commits: readonly string[];
  readonly message?: string | undefined;
}

/** See `Worktrees.make`; conflicts are below the top of the work tree. */
export async function makeWorkTree(
  session: SessionGit,
  name: string,
  { commits, message }: MergedCommits,
): Promise<Worktree> {
  const [first, ...others] = commits;
  if (first === undefined) throw new Error(`${name} begins at no commit`);
  await addTree(session, name, first);
  const tree = await openWorkTree(session, name);
  if (session.withoutLinks.has(session.trees.get(first) ?? '')) await noteNoLinks(tree);
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
    const { own } = tree;
    const now = await commitInFiles({ own, common: session.common });
    head = now ?? (await gitSays(tree, ['rev-parse', 'HEAD']));
  }
  return { path, head, conflicts: [], parents: [head] };
}

const merge = 'merge --quiet --no-ff --commit --no-squash --no-stat --no-edit'.split(' ');
const unmerged = 'diff --name-only --diff-filter=U -z'.split(' ');

/** Adds a work tree. A git process left behind by a kill may still write there, so it tries twice. */
async function addTree(session: SessionGit, name: string, commit: string): Promise<void> {
  const branch = branchName(session, name);
  const options = ['--quiet', '--force', '--no-track', '-B', branch];
  const args = ['worktree', 'add', ...options, treeFolder(session, name), commit];
  await removeWorkTrees(session, [name]);
  if ((await git(session.store, args)).ok) return;
  await removeWorkTrees(session, [name]);
  await gitSays(session.store, args);
}

/** See `Worktrees.commit`. What the agent did to HEAD, index and branches is ignored. */
export async function commitWorkTree(
  session: SessionGit,
  name: string,
  { parents, message }: NewCommit,
): Promise<string | null> {
  const [first] = parents;
  if (first === undefined) throw new Error(`A commit of ${name} has no parent`);
  const tree = await openWorkTree(session, name);
  await rm(join(tree.own, 'index.lock'), { force: true });
  const linked = await dropRepositories(tree);
  await gitSays(tree, addingWithout(linked));
  const [now, [before]] = await Promise.all([
    gitSays(tree, ['write-tree']),
    treesOf(session, [first]),
  ]);
  const isSame = now === before && parents.length === 1;
  const commit = isSame ? first : await writeCommit(session, { tree: now, parents, message });
  await resetTo(tree, { branch: branchName(session, name), commit });
  if (linked.length === 0) {
    session.withoutLinks.add(now);
    await noteNoLinks(tree);
  }
  return isSame ? null : commit;
}

/** The trees of commits; git is asked for each only once. */
async function treesOf(
  { store, trees }: SessionGit,
  commits: readonly string[],
): Promise<readonly (string | undefined)[]> {
  const unknown = commits.filter((commit) => !trees.has(commit));
  if (unknown.length > 0) {
    const names = unknown.map((commit) => `${commit}^{tree}`);
    const told = (await gitSays(store, ['rev-parse', ...names])).split('\n');
    for (const [at, commit] of unknown.entries()) trees.set(commit, told[at] ?? '');
  }
  return commits.map((commit) => trees.get(commit));
}

async function writeCommit(
  { store, trees }: SessionGit,
  { tree, parents, message }: NewCommit & { readonly tree: string },
): Promise<string> {
  const ofParents = parents.flatMap((parent) => ['-p', parent]);
  const commit = await gitSays(store, ['commit-tree', ...ofParents, '-F', '-', tree], message);
  trees.set(commit, tree);
  return commit;
}

/** See `Worktrees.squash`. */
export async function squashWork(
  session: SessionGit,
  name: string,
  { commit, parent, message }: SquashedWork,
): Promise<string> {
  const { store } = session;
  const [now = '', before] = await treesOf(session, [commit, parent]);
  const made =
    now === before ? parent : await writeCommit(session, { tree: now, parents: [parent], message });
  await gitSays(store, ['update-ref', `refs/heads/${branchName(session, name)}`, made]);
  return made;
}

/** See `Worktrees.clean`. After a commit of everything, only what no commit holds is removed. */
export async function cleanWorkTree(
  session: SessionGit,
  name: string,
  { commit, isCommitted }: { readonly commit: string; readonly isCommitted: boolean },
): Promise<void> {
  const tree = await openWorkTree(session, name);
  await rm(join(tree.own, 'index.lock'), { force: true });
  if (!isCommitted) await resetTo(tree, { branch: branchName(session, name), commit });
  // Repositories that an agent made inside are removed, too.
  await gitSays(tree, ['clean', '--quiet', '-ffd']);
}

/**
 * Removes the `.git` of repositories that an agent made inside: git would leave out their files.
 * Returns the submodules.
 */
async function dropRepositories(tree: GitTarget): Promise<readonly string[]> {
  const { linked, unknown } = await repositoriesIn(tree);
  if (unknown.length === 0) return linked;
  for (const path of unknown) await rm(join(tree.root, path, '.git'), { recursive: true });
  return await dropRepositories(tree);
}

/**
 * The command that adds all differences to the index of the place. Inside a repository git would
 * start what the settings there name, and those may be an agent’s: submodules stay unchanged.
 */
export async function addingAll(tree: GitTarget): Promise<readonly string[]> {
  const { linked, unknown } = await repositoriesIn(tree);
  return addingWithout([...linked, ...unknown]);
}

function addingWithout(repositories: readonly string[]): readonly string[] {
  const excluded = repositories.map((path) => `:(exclude,literal)${path}`);
  return ['add', '--all', '--ignore-errors', '--', '.', ...excluded];
}

/** The repositories inside a work tree: those in its index, and those that it does not know. */
export async function repositoriesIn(tree: GitTarget): Promise<{
  readonly linked: readonly string[];
  readonly unknown: readonly string[];
}> {
  const args = 'ls-files -z --stage --others --exclude-standard'.split(' ');
  const listed = await gitLists(tree, args);
  return {
    linked: listed
      .filter((entry) => entry.startsWith('160000 '))
      .map((entry) => entry.replace(/^.*?\t/, '')),
    unknown: listed.filter((entry) => entry.endsWith('/')),
  };
}

/** Points HEAD at the branch and the branch at the commit, and resets index and tracked files to it. */
async function resetTo(
  tree: WorkTreeTarget,
  { branch, commit }: { readonly branch: string; readonly commit: string },
): Promise<void> {
  const { own } = tree;
  const ref = `refs/heads/${branch}`;
  for (const state of unfinishedFiles) await rm(join(own, state), { recursive: true, force: true });
  const head = await readFile(join(own, 'HEAD'), 'utf8');
  if (head.trim() !== `ref: ${ref}`) await gitSays(tree, ['symbolic-ref', 'HEAD', ref]);
  await gitSays(tree, ['reset', '--quiet', '--hard', commit]);
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
  const all = join(session.folder, 'trees');
  const folders = names?.map((name) => treeFolder(session, name)) ?? [all];
  const remove = { recursive: true, force: true, maxRetries: 5 };
  for (const folder of folders) await rm(folder, remove);
  for (const { own, path } of await linkedTrees(session)) {
    if (folders.includes(path) || folders.includes(dirname(path))) await rm(own, remove);
  }
}

interface WorkTreeTarget extends GitTarget {
  readonly own: string;
}

/**
 * Directs git at a work tree. Its git folder is given explicitly: an agent can write the `.git` of
 * the tree, which could lead to settings that start programs.
 */
export async function openWorkTree(session: SessionGit, name: string): Promise<WorkTreeTarget> {
  const root = treeFolder(session, name);
  const linked = (await linkedTrees(session)).find(({ path }) => path === root);
  if (linked === undefined) throw new GitRefused(`The work tree ${root} is gone; run it again.`);
  const { own } = linked;
  const variables = { ...session.store.variables, GIT_DIR: own, GIT_WORK_TREE: root };
  return { ...session.store, root, variables, own };
}

/** See `Worktrees.isThere`. */
export async function isLinked(session: SessionGit, name: string): Promise<boolean> {
  const root = treeFolder(session, name);
  const isKnown = (await linkedTrees(session)).some(({ path }) => path === root);
  return isKnown && (await nullIfAbsent(lstat(join(root, '.git')))) !== null;
}

/** The path of the session’s repository folder inside a work tree. */
export function workTreePath(session: SessionGit, name: string): string {
  return resolve(treeFolder(session, name), session.prefix);
}

export function treeFolder({ folder }: SessionGit, name: string): string {
  return join(folder, 'trees', name);
}

interface LinkedTree {
  /** Its git folder. */
  readonly own: string;
  readonly path: string;
}

export async function linkedTrees({ common }: SessionGit): Promise<readonly LinkedTree[]> {
  const names = (await nullIfAbsent(readdir(join(common, 'worktrees')))) ?? [];
  const trees = names.map(async (name): Promise<LinkedTree[]> => {
    const own = join(common, 'worktrees', name);
    const file = await nullIfAbsent(readFile(join(own, 'gitdir'), 'utf8'));
    return file === null ? [] : [{ own, path: dirname(file.trim()) }];
  });
  return (await Promise.all(trees)).flat();
}
