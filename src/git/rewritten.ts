// Puts the work of an execution on top of HEAD, as one commit or as one commit per task.
import { joinedSubject, mergeSubject } from '../model/commit-style.ts';
import { git, type GitTarget } from './git.ts';
import { makeWorkTree, openWorkTree, removeWorkTrees } from './linked-tree.ts';
import { branchName, type SessionGit } from './session-git.ts';
import { gitSays } from './writing-git.ts';

/**
 * Puts the content of the merge on what is checked out: as one commit, or as the commits of the
 * tasks in their order. If one of these does not apply on its own, because its merge was resolved
 * by hand, the rest of the content comes in one last commit.
 */
export async function rewritten(
  session: SessionGit,
  { commit, joined, how }: { commit: string; joined: string; how: 'squash' | 'linear' },
): Promise<string> {
  const { home } = session;
  const head = await gitSays(home, ['rev-parse', 'HEAD']);
  const own = await commitsOf(session, commit, head);
  if (own.length === 0) return joined;
  try {
    await makeWorkTree(session, applying, { commits: [head] });
    const tree = await openWorkTree(session, applying);
    const left = how === 'linear' ? await pick(tree, own) : own;
    return await finish(session, { tree, joined, left });
  } finally {
    await dropApplying(session);
  }
}

/** Applies the commits one by one. Returns those that did not apply. */
async function pick(tree: GitTarget, commits: readonly string[]): Promise<readonly string[]> {
  for (const [at, one] of commits.entries()) {
    const picked = await git(tree, [
      'cherry-pick',
      '--allow-empty',
      '--keep-redundant-commits',
      one,
    ]);
    if (picked.ok) continue;
    await gitSays(tree, ['cherry-pick', '--abort']);
    return commits.slice(at);
  }
  return [];
}

/** Adds one more commit if the content still differs from that of the merge. */
async function finish(
  session: SessionGit,
  { tree, joined, left }: { tree: GitTarget; joined: string; left: readonly string[] },
): Promise<string> {
  const head = await gitSays(tree, ['rev-parse', 'HEAD']);
  const [now, wanted] = await Promise.all(
    [head, joined].map((one) => gitSays(tree, ['rev-parse', `${one}^{tree}`])),
  );
  if (now === wanted) return head;
  const message = await messageOf(session, left);
  return await gitSays(tree, ['commit-tree', '-p', head, '-F', '-', `${joined}^{tree}`], message);
}

/** The commits below that are not in the head, without merges, in their order. */
export async function commitsOf(
  { store }: SessionGit,
  commit: string,
  head: string,
): Promise<readonly string[]> {
  const list = ['rev-list', '--reverse', '--topo-order', '--no-merges', commit, `^${head}`];
  return (await gitSays(store, list)).split('\n').filter((one) => one !== '');
}

/** Writes the message of one commit that combines several, with the first line of each. */
export async function messageOf(session: SessionGit, left: readonly string[]): Promise<string> {
  const { store } = session;
  const format = ['log', '--no-walk=unsorted', '--format=%s'];
  const subjects = left.length === 0 ? '' : await gitSays(store, [...format, ...left]);
  const trailers =
    left.length === 0
      ? ''
      : await gitSays(store, [
          'log',
          '--no-walk=unsorted',
          '--format=%(trailers:key=Conclave-Task)',
          ...left,
        ]);
  const about =
    left.length === 1 ? subjects : joinedSubject(titleIn(session), subjects.split('\n'));
  const parts = [
    about,
    left.length === 1 ? '' : bulletsOf(subjects),
    trailers.replaceAll(/\n+/g, '\n').trim(),
  ];
  return parts.filter((part) => part !== '').join('\n\n');
}

function titleIn({ title = 'Carry out an approved plan' }: SessionGit): string {
  return title;
}

/** Writes the message of the commit that merges the work into what is checked out. */
export async function mergeMessage(session: SessionGit): Promise<string> {
  const { home } = session;
  const head = await git(home, ['symbolic-ref', '--short', '--quiet', 'HEAD']);
  const into = head.ok ? head.stdout.toString().trim() : 'what is checked out';
  return mergeSubject(titleIn(session), into);
}

function bulletsOf(lines: string): string {
  return lines
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => `- ${line}`)
    .join('\n');
}

/** A name that cannot collide, because no task id begins like this. */
export const applying = '_apply';

/** Removes the work tree and the branch of an `apply`, including one that was killed. */
export async function dropApplying(session: SessionGit): Promise<void> {
  await removeWorkTrees(session, [applying]);
  await gitSays(session.store, ['update-ref', '-d', `refs/heads/${branchName(session, applying)}`]);
}
