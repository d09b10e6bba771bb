// Finds and removes the branches of an execution, but none that the user has checked out.
import { readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { wrongUsage } from '../model/failure.ts';
import { textAt } from './git-folders.ts';
import { nullIfAbsent } from '../store/system-error.ts';
import type { SessionGit } from './session-git.ts';
import { gitSays } from './writing-git.ts';

interface FoundBranch {
  readonly branch: string;
  readonly commit: string;
  /** The user’s work tree in which it is checked out; empty if there is none. */
  readonly path: string;
}

export async function branchesIn(
  { store }: SessionGit,
  patterns: readonly string[],
): Promise<readonly FoundBranch[]> {
  const refs = patterns.map((pattern) => `refs/heads/${pattern}`);
  const format = '--format=%(objectname) %(refname:lstrip=2)%00%(worktreepath)%00';
  const listed = await gitSays(store, ['for-each-ref', format, ...refs]);
  const lines = listed.matchAll(/([0-9a-f]+) ([^\0]+)\0([^\0]*)\0/g);
  return [...lines].map(([, commit = '', branch = '', path = '']) => ({ branch, commit, path }));
}

/** Removes the branches of these names that exist, and refs besides, all at once. */
export async function removeBranches(
  session: SessionGit,
  names: readonly string[],
  refs: readonly string[] = [],
): Promise<void> {
  const branches = names.filter((name) => session.branches.has(name));
  const all = [...branches.map((branch) => `refs/heads/${branch}`), ...refs];
  if (all.length === 0) return;
  await refuseInUse(session, branches);
  const orders = all.map((ref) => `delete ${ref}\n`).join('');
  await gitSays(session.store, ['update-ref', '--stdin'], orders);
  for (const branch of branches) session.branches.delete(branch);
}

/** Refuses branches that the user has checked out: a branch in use is not moved. */
export async function refuseInUse(session: SessionGit, branches: readonly string[]): Promise<void> {
  const used = await checkedOut(session);
  const named = branches.map((branch) => ({ branch, path: used?.get(branch) ?? '' }));
  refuseCheckedOut(used === null ? await branchesIn(session, branches) : named);
}

function refuseCheckedOut(branches: readonly Omit<FoundBranch, 'commit'>[]): void {
  const used = branches.find(({ path }) => path !== '');
  if (used === undefined) return;
  throw wrongUsage(
    `The branch ${used.branch} is checked out in ${used.path}; switch to another one there.`,
  );
}

/** The branches that are checked out, each with its work tree; null if only git can tell. */
async function checkedOut(session: SessionGit): Promise<ReadonlyMap<string, string> | null> {
  const { common, own, home } = session;
  const found = new Map<string, string>();
  const first = own === common ? home.root : dirname(common);
  const linked = (await nullIfAbsent(readdir(join(common, 'worktrees')))) ?? [];
  for (const folder of [common, ...linked.map((name) => join(common, 'worktrees', name))]) {
    const head = await textAt(join(folder, 'HEAD'));
    // This is how HEAD reads if branches are kept in tables.
    if (head === 'ref: refs/heads/.invalid') return null;
    const file = folder === common ? join(first, '.git') : await textAt(join(folder, 'gitdir'));
    if (file !== '') found.set(head.replace(/^ref: refs\/heads\//, ''), dirname(file));
  }
  return found;
}
