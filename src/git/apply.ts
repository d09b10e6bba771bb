// Applies a commit to the user's branch: by a merge that moves it forward, or as changes of files.
import { existsSync } from 'node:fs';
import { copyFile, mkdir, readdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { nullIfAbsent } from '../store/system-error.ts';
import { wrongUsage } from '../model/failure.ts';
import { eachLimited, lookAt } from './disk.ts';
import { workTreeStatus } from './git-status.ts';
import { git, type GitTarget } from './git.ts';
import { folderOf } from './paths.ts';
import {
  commitWorkTree,
  makeWorkTree,
  openWorkTree,
  removeWorkTrees,
  unfinishedFiles,
} from './linked-tree.ts';
import { belowRoot, branchName, type SessionGit } from './session-git.ts';
import type { ApplyHow, ApplyResult, MovedCommit, StartCommit } from './worktrees.ts';
import { gitLists, gitSays } from './writing-git.ts';

interface Bringing {
  readonly start: StartCommit;
  readonly commit: string;
  readonly how: ApplyHow;
  /** All that differs between the two, below the top of the work tree. */
  readonly touched: readonly string[];
}

/** See `Worktrees.apply`. */
export async function applyCommit(
  session: SessionGit,
  { start, commit, how }: Omit<Bringing, 'touched'>,
): Promise<ApplyResult> {
  const state = unfinishedFiles.find((name) => existsSync(join(session.own, name)));
  if (state !== undefined) {
    const why = `a merge, rebase or the like is under way in ${session.home.root} (${state}): finish or abort it first`;
    return { ok: false, why, files: [] };
  }
  const touched = await filesBetween(session, [start.commit, commit]);
  const bringing = { start, commit, touched, how };
  const applied = await (isMerged(session, start) ? applyByMerge : applyByFiles)(session, bringing);
  return { ...applied, files: applied.files.map((path) => belowRoot(session, path)) };
}

function isMerged({ isPrivate }: SessionGit, { carried }: StartCommit): boolean {
  return !isPrivate && carried.length === 0;
}

/** See `Worktrees.onto`; conflicts are below the top of the work tree. */
export async function movedCommit(
  session: SessionGit,
  { start, commit }: Pick<Bringing, 'start' | 'commit'>,
): Promise<MovedCommit | null> {
  if (!isMerged(session, start)) return null;
  const joined = await mergedCommit(session, commit);
  return typeof joined === 'string'
    ? { commit: joined, isMoved: joined !== commit, conflicts: [] }
    : { commit, isMoved: true, conflicts: joined };
}

/** Below the top of the work tree. */
export function filesBetween(
  { store }: SessionGit,
  commits: readonly [from: string, to: string],
): Promise<readonly string[]> {
  return gitLists(store, [...'diff-tree -r -z --name-only --no-renames'.split(' '), ...commits]);
}

/**
 * The merge is made in a work tree of its own, so that the user’s is only ever moved forward, which
 * git does as a whole or not at all.
 */
async function applyByMerge(session: SessionGit, bringing: Bringing): Promise<ApplyResult> {
  const { home } = session;
  const { touched, commit, how } = bringing;
  const status = await workTreeStatus(home, '');
  if (!status.ok) return { ok: false, why: status.failure.reason, files: [] };
  const changed = new Set(status.value.entries.map(({ path }) => path));
  const files = await inTheWay(home, { touched, changed });
  if (files.length > 0) return { ok: false, why: 'these files would be overwritten', files };
  const joined = await mergedCommit(session, commit);
  if (typeof joined !== 'string') return { ok: false, why: 'these files conflict', files: joined };
  const tip = how === 'merge' ? joined : await rewritten(session, { commit, joined, how });
  const forward = await git(home, [...fastForward, tip]);
  if (!forward.ok) return { ok: false, why: forward.reason, files };
  const head = await git(home, ['symbolic-ref', '--short', '--quiet', 'HEAD']);
  const branch = head.ok ? head.stdout.toString().trim() : null;
  return { ok: true, how: 'merged', branch, files: touched, backup: null };
}

const fastForward =
  'merge --quiet --ff-only --commit --no-squash --no-stat --no-overwrite-ignore'.split(' ');

/** HEAD with the commit merged into it, or the files in conflict. */
async function mergedCommit(
  session: SessionGit,
  commit: string,
): Promise<string | readonly string[]> {
  const head = await gitSays(session.home, ['rev-parse', 'HEAD']);
  const isBehind = await git(session.home, ['merge-base', '--is-ancestor', head, commit]);
  if (isBehind.ok) return commit;
  try {
    const made = await makeWorkTree(session, applying, { commits: [head, commit] });
    if (made.conflicts.length > 0) return made.conflicts;
    if (made.head === head) return head;
    const message = `Merge ${branchName(session, null)}`;
    const merge = { parents: [head, commit], message };
    return (await commitWorkTree(session, applying, merge)) ?? head;
  } finally {
    await dropApplying(session);
  }
}

/**
 * Puts the content of the merge on what is checked out: as one commit, or as the commits of the
 * tasks in their order. Where one of these does not apply by itself, as its merge was resolved by
 * hand, the rest of the content comes in one last commit.
 */
async function rewritten(
  session: SessionGit,
  { commit, joined, how }: { commit: string; joined: string; how: 'squash' | 'linear' },
): Promise<string> {
  const { home } = session;
  const head = await gitSays(home, ['rev-parse', 'HEAD']);
  const list = ['rev-list', '--reverse', '--topo-order', '--no-merges', commit, `^${head}`];
  const own = (await gitSays(home, list)).split('\n').filter((one) => one !== '');
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

/** Returns the commits that did not apply. */
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

/** One more commit, where the content is not yet that of the merge. */
async function finish(
  session: SessionGit,
  { tree, joined, left }: { tree: GitTarget; joined: string; left: readonly string[] },
): Promise<string> {
  const head = await gitSays(tree, ['rev-parse', 'HEAD']);
  const [now, wanted] = await Promise.all(
    [head, joined].map((one) => gitSays(tree, ['rev-parse', `${one}^{tree}`])),
  );
  if (now === wanted) return head;
  const format = ['log', '--no-walk=unsorted', '--format=%s'];
  const subjects = left.length === 0 ? '' : await gitSays(tree, [...format, ...left]);
  const trailers =
    left.length === 0
      ? ''
      : await gitSays(tree, [
          'log',
          '--no-walk=unsorted',
          '--format=%(trailers:key=Conclave-Task)',
          ...left,
        ]);
  const about = left.length === 1 ? subjects : `Carry out the plan of ${session.session}`;
  const parts = [
    about,
    left.length === 1 ? '' : bulletsOf(subjects),
    trailers.replaceAll(/\n+/g, '\n').trim(),
  ];
  const message = parts.filter((part) => part !== '').join('\n\n');
  return await gitSays(tree, ['commit-tree', '-p', head, '-F', '-', `${joined}^{tree}`], message);
}

function bulletsOf(lines: string): string {
  return lines
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => `- ${line}`)
    .join('\n');
}

/** No id of a task begins like this. */
const applying = '_apply';

/** Takes away the work tree and the branch of an `apply`, also of one that was killed. */
export async function dropApplying(session: SessionGit): Promise<void> {
  await removeWorkTrees(session, [applying]);
  await gitSays(session.store, ['update-ref', '-d', `refs/heads/${branchName(session, applying)}`]);
}

/** As changes of files, where each that is touched is still what it was at the start. */
async function applyByFiles(session: SessionGit, bringing: Bringing): Promise<ApplyResult> {
  const { start, commit, touched } = bringing;
  const { home, own, folder } = session;
  const index = join(folder, 'apply.index');
  await rm(`${index}.lock`, { force: true });
  const variables = { GIT_DIR: own, GIT_WORK_TREE: home.root, GIT_INDEX_FILE: index };
  const target = { ...home, variables: { ...home.variables, ...variables } };
  try {
    const files = await differing(target, { commit: start.commit, touched });
    const isDone = files.length > 0 && (await differing(target, { commit, touched })).length === 0;
    if (files.length > 0 && !isDone) return { ok: false, why: changedSinceStart, files };
    const backup = isDone ? null : await backUp(session, touched);
    if (!isDone) await change(target, [start.commit, commit]);
    return { ok: true, how: 'files', branch: null, files: touched, backup };
  } finally {
    await rm(index, { force: true });
  }
}

const changedSinceStart = 'these files changed since the session began, or are in the way';

/** Those of the files that are not as in the commit. */
async function differing(
  target: GitTarget,
  { commit, touched }: Pick<Bringing, 'commit' | 'touched'>,
): Promise<readonly string[]> {
  await gitSays(target, ['read-tree', commit]);
  // It ends with 1 where anything differs.
  await git(target, ['update-index', '-q', '--refresh']);
  const listed = 'diff-files --name-only -z --ignore-submodules=all'.split(' ');
  const changed = new Set(await gitLists(target, listed));
  return inTheWay(target, { touched, changed });
}

/** Those that changed, and those in whose place something stands that git does not know. */
async function inTheWay(
  target: GitTarget,
  { touched, changed }: Pick<Bringing, 'touched'> & { readonly changed: ReadonlySet<string> },
): Promise<readonly string[]> {
  const tracked = new Set(await gitLists(target, ['ls-files', '-z']));
  const found = await eachLimited(touched, async (path) =>
    changed.has(path) || (await isBlocked(target.root, { path, tracked })) ? [path] : [],
  );
  return found.flat();
}

async function isBlocked(
  root: string,
  { path, tracked }: { readonly path: string; readonly tracked: ReadonlySet<string> },
): Promise<boolean> {
  for (let at = path; at !== ''; at = folderOf(at)) {
    const { kind } = await lookAt(root, at);
    if (kind !== 'absent') return (at === path || kind !== 'other') && !tracked.has(at);
  }
  return false;
}

async function change(
  target: GitTarget,
  commits: readonly [from: string, to: string],
): Promise<void> {
  const diff = 'diff-tree -p --binary --full-index --no-ext-diff --no-textconv --no-renames';
  const patch = await git(target, [...diff.split(' '), ...commits]);
  if (!patch.ok) throw wrongUsage(patch.reason);
  if (patch.stdout.length > 0)
    await gitSays(target, ['apply', '--whitespace=nowarn'], patch.stdout);
}

/** Copies what is there of the files; null where nothing is. */
async function backUp(
  { home, folder }: SessionGit,
  touched: readonly string[],
): Promise<string | null> {
  const before = (await nullIfAbsent(readdir(join(folder, 'backup')))) ?? [];
  const copy = join(folder, 'backup', String(before.length + 1));
  for (const path of touched) {
    if ((await lookAt(home.root, path)).kind !== 'file') continue;
    await mkdir(dirname(join(copy, path)), { recursive: true });
    await copyFile(join(home.root, path), join(copy, path));
  }
  return existsSync(copy) ? copy : null;
}
