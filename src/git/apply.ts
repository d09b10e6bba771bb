// Applies a commit to the user's branch: by a merge that moves it forward, or as changes of files.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { applyByFiles, backUp, filesInTheWay } from './apply-files.ts';
import {
  type HomeFiles,
  planHomeFiles,
  versionsOf,
  withHomeFiles,
  writeHomeFiles,
} from './home-files.ts';
import { workTreeStatus } from './git-status.ts';
import { git, type GitTarget } from './git.ts';
import { makeWorkTree, unfinishedFiles } from './linked-tree.ts';
import { isAncestor, tryMerge } from './merge-commits.ts';
import { applying, branchAtHome, commitsToApply, dropApplying, mergeMessage } from './rewritten.ts';
import { belowRoot, headAtHome, type SessionGit } from './session-git.ts';
import { entriesOf, setEntries } from './tree-entries.ts';
import { filesBetween, isBegunInGit, withoutCarried } from './without-carried.ts';
import type { ApplyHow, ApplyResult, MovedCommit, StartCommit } from './worktrees.ts';
import { GitRefused, gitSays } from './writing-git.ts';

interface Bringing {
  readonly start: StartCommit;
  readonly commit: string;
  readonly how: ApplyHow;
}

/** See `Worktrees.apply`. */
export async function applyCommit(session: SessionGit, bringing: Bringing): Promise<ApplyResult> {
  const { start, commit } = bringing;
  const state = unfinishedFiles.find((name) => existsSync(join(session.own, name)));
  if (state !== undefined) {
    const why = `a merge, a rebase or something similar is under way in ${session.home.root} (${state}): finish or abort it first`;
    return { ok: false, why, files: [] };
  }
  const touched = await filesBetween(session, [start.commit, commit]);
  const applied = (await isMerged(session, start))
    ? await applyByMerge(session, { ...bringing, touched })
    : await applyByFiles(session, { start, commit, touched });
  return { ...applied, files: applied.files.map((path) => belowRoot(session, path)) };
}

/** True if the work began from a commit of the user’s repository, so that it can be merged. */
async function isMerged(session: SessionGit, start: StartCommit): Promise<boolean> {
  if (session.isPrivate) return false;
  return start.carried.length === 0 || (await isBegunInGit(session, start));
}

/** See `Worktrees.onto`; conflicts are below the top of the work tree. */
export async function movedCommit(
  session: SessionGit,
  { start, commit }: Pick<Bringing, 'start' | 'commit'>,
): Promise<MovedCommit | null> {
  if (!(await isMerged(session, start))) return null;
  const { commit: own } = await withoutCarried(session, { start, commit });
  const joined = await mergedCommit(session, own);
  if (joined === null) return null;
  if (typeof joined !== 'string') {
    return { commit, isMoved: true, conflicts: joined, head: await headNow(session, own) };
  }
  if (joined === own || start.carried.length === 0) {
    return { commit: joined, isMoved: joined !== own, conflicts: [] };
  }
  const home = await planHomeFiles(session, { start, commit, own });
  // Files that moved too far stop the merge before anything is done, so nothing needs checking.
  if (home.conflicts.length > 0) return { commit, isMoved: false, conflicts: [] };
  return { commit: await withHomeFiles(session, joined, home), isMoved: true, conflicts: [] };
}

async function headNow(
  session: SessionGit,
  own: string,
): Promise<NonNullable<MovedCommit['head']>> {
  const { home } = session;
  const commit = await headAtHome(session);
  const log = ['log', '--format=%s', `--max-count=${mostSince}`, `${own}..${commit}`];
  return { commit, since: (await gitSays(home, log)).split('\n') };
}

const mostSince = 20;

/**
 * Applies by a merge that is made in a separate work tree: the user’s is only ever moved forward,
 * which git does as a whole or not at all.
 */
async function applyByMerge(
  session: SessionGit,
  { start, commit, touched, how }: Bringing & { readonly touched: readonly string[] },
): Promise<ApplyResult> {
  const { home } = session;
  const { commit: own } = await withoutCarried(session, { start, commit });
  const carried =
    start.carried.length === 0 ? null : await planHomeFiles(session, { start, commit, own });
  const apart = new Set(carried?.paths);
  const status = await workTreeStatus(home, '');
  if (!status.ok) return { ok: false, why: status.failure.reason, files: [] };
  const changed = new Set(status.value.entries.map(({ path }) => path));
  const plain = touched.filter((path) => !apart.has(path));
  const files = await filesInTheWay(home, { touched: plain, changed });
  if (files.length > 0) return { ok: false, why: 'these files would be overwritten', files };
  if (carried !== null && carried.conflicts.length > 0) {
    const versions = await versionsOf(session, commit, carried.conflicts);
    const why = `your uncommitted files changed where tasks changed them too (the versions of the tasks are in ${versions})`;
    return { ok: false, why, files: carried.conflicts };
  }
  const joined = await mergedCommit(session, own);
  if (joined === null) return { ok: false, why: unrelated, files: [] };
  if (typeof joined !== 'string') return { ok: false, why: 'these files conflict', files: joined };
  const made = await commitsToApply(session, { commit: own, joined, how });
  if (!made.ok) return { ...made, files: [] };
  return await moveForward(session, { tip: made.commit, touched, carried });
}

const unrelated =
  'git cannot merge it into what is checked out, which has no commit in common with it: check out the branch as it was before';

/** Moves the branch forward, then writes what tasks changed in uncommitted files; run again, it continues. */
async function moveForward(
  session: SessionGit,
  {
    tip,
    touched,
    carried,
  }: {
    readonly tip: string;
    readonly touched: readonly string[];
    readonly carried: HomeFiles | null;
  },
): Promise<ApplyResult> {
  const { home } = session;
  const before = await headAtHome(session);
  const staged = carried === null ? [] : await stagedOnly(home, { tip, carried });
  if (staged.length > 0) {
    const why = 'what is staged of these files would be lost; commit or unstage it first';
    return { ok: false, why, files: staged };
  }
  const backup = carried === null ? null : await backUp(session, carried.written);
  const why = await fastForward(session, { tip, carried });
  if (why !== null) return { ok: false, why, files: [] };
  if (carried !== null) await writeHomeFiles(session, carried);
  const isMoved = before !== tip || carried === null || carried.written.length === 0;
  return {
    ok: true,
    how: isMoved ? 'merged' : 'files',
    branch: isMoved ? await branchAtHome(session) : null,
    files: touched,
    backup,
    ...(carried === null || carried.written.length === 0
      ? {}
      : { uncommitted: carried.written.map((path) => belowRoot(session, path)) }),
  };
}

/** The files that the branch changes and whose staged content exists nowhere else. */
async function stagedOnly(
  home: GitTarget,
  { tip, carried }: { readonly tip: string; readonly carried: HomeFiles },
): Promise<readonly string[]> {
  const [index, ...elsewhere] = await Promise.all([
    entriesOf(home, null),
    entriesOf(home, 'HEAD'),
    entriesOf(home, tip),
    entriesOf(home, carried.now),
  ]);
  const [head, after] = elsewhere;
  return carried.paths.filter(
    (path) =>
      head?.get(path) !== after?.get(path) &&
      elsewhere.every((entries) => entries.get(path) !== index.get(path)),
  );
}

/**
 * Moves what is checked out forward. The separate files stay as they are on the disk: git leaves a
 * file alone if its index entry is already at the new commit, and accepts a deletion only if the
 * file is gone. Returns why it failed, with everything as it was, or null.
 */
async function fastForward(
  session: SessionGit,
  { tip, carried }: { readonly tip: string; readonly carried: HomeFiles | null },
): Promise<string | null> {
  const { home } = session;
  const forwards = [...forward, tip];
  if (carried === null) return reasonOf(await git(home, forwards));
  const [index, after, head] = await Promise.all([
    entriesOf(home, null),
    entriesOf(home, tip),
    entriesOf(home, 'HEAD'),
  ]);
  const moving = carried.paths.filter((path) => head.get(path) !== after.get(path));
  const going = { ...carried, written: moving.filter((path) => !after.has(path)) };
  await setEntries(home, moving, after);
  await writeHomeFiles(session, going);
  const why = reasonOf(await git(home, forwards));
  if (why === null) return null;
  await writeHomeFiles(session, { ...going, wanted: carried.now });
  await setEntries(home, moving, index);
  return why;
}

function reasonOf(answer: Awaited<ReturnType<typeof git>>): string | null {
  return answer.ok ? null : answer.reason;
}

const forward =
  'merge --quiet --ff-only --commit --no-squash --no-stat --no-overwrite-ignore'.split(' ');

/** HEAD with the commit merged into it, or the files in conflict. */
async function mergedCommit(
  session: SessionGit,
  commit: string,
): Promise<string | readonly string[] | null> {
  const head = await headAtHome(session);
  if (await isAncestor(session.home, head, commit)) return commit;
  if (await isAncestor(session.home, commit, head)) return head;
  try {
    const message = await mergeMessage(session);
    const merged = await tryMerge(session, { into: head, other: commit, message });
    if (merged !== null) return merged.commit ?? merged.conflicts;
    const made = await makeWorkTree(session, applying, { commits: [head, commit], message });
    return made.conflicts.length > 0 ? made.conflicts : made.head;
  } catch (error) {
    if (error instanceof GitRefused) return null;
    throw error;
  } finally {
    await dropApplying(session);
  }
}
