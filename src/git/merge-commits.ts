// Merges two commits without a work tree, and tells whether one builds on the other.
import { git, type GitTarget } from './git.ts';
import { treeCommit } from './linked-tree.ts';
import type { SessionGit } from './session-git.ts';
import type { MergeTry } from './worktrees.ts';
import { GitRefused } from './writing-git.ts';

export interface MergedTree {
  readonly id: string;
  /** The files with conflict markers. */
  readonly conflicts: readonly string[];
}

/** Merges two commits into one tree. */
export async function mergedTree(
  store: GitTarget,
  commits: readonly [string, string],
): Promise<MergedTree> {
  // Renames are detected, so that carried lines do not come along under another name.
  const renames = ['-c', 'merge.renames=true', '-c', 'merge.directoryRenames=false'];
  const merged = readMerge(await git(store, [...renames, ...mergeTree, ...commits]));
  if (typeof merged !== 'string') return merged;
  throw new GitRefused(
    `Uncommitted files cannot be told apart from the work: ${merged} (it needs git 2.38 or later)`,
  );
}

/** Merges one commit into another by a new commit; null if this git needs a work tree for that. */
export async function tryMerge(
  session: SessionGit,
  { into, other, message }: { into: string; other: string; message?: string | undefined },
): Promise<MergeTry | null> {
  const answer = await git(session.store, [...mergeTree, into, other]);
  // Before git 2.38, the command has no such option.
  if (!answer.ok && answer.exitCode === 129) return null;
  const merged = readMerge(answer);
  if (typeof merged === 'string') throw new GitRefused(`${other} cannot be merged: ${merged}`);
  const { id, conflicts } = merged;
  if (conflicts.length > 0) return { commit: null, conflicts };
  const made = { parents: [into, other], message: message ?? `Merge ${other}` };
  return { commit: await treeCommit(session, id, made), conflicts };
}

const mergeTree = 'merge-tree --write-tree --name-only --no-messages -z'.split(' ');

/** The merged tree, or why there is none. */
function readMerge(answer: Awaited<ReturnType<typeof git>>): MergedTree | string {
  const said = answer.stdout?.toString('utf8') ?? '';
  const [id = '', ...conflicts] = said.split('\0').filter((part) => part !== '');
  if (/^[0-9a-f]{40,}$/.test(id)) return { id, conflicts: [...new Set(conflicts)] };
  return answer.ok ? 'it named no tree' : answer.reason;
}

/** Commits of which git has said whether one builds on the other. */
const known = new Map<string, boolean>();

/** True if a commit is another one or an ancestor of it. */
export async function isAncestor(store: GitTarget, one: string, other: string): Promise<boolean> {
  if (one === other) return true;
  const key = `${one} ${other}`;
  const told = known.get(key) ?? (await git(store, ['merge-base', '--is-ancestor', one, other])).ok;
  known.set(key, told);
  return told;
}
