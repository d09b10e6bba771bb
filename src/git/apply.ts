import { existsSync } from 'node:fs';
import { copyFile, mkdir, readdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { unlessAbsent } from '../store/system-error.ts';
import { lookAt } from './disk.ts';
import { workTreeStatus } from './git-status.ts';
import { git } from './git.ts';
import { makeWorkTree, removeWorkTree, unfinished } from './linked-tree.ts';
import { belowRoot, branchName, type SessionGit } from './session-git.ts';
import type { StartCommit } from './start-commit.ts';
import type { Applied } from './worktrees.ts';
import { gitLists, gitSays } from './writing-git.ts';

interface Bringing {
  readonly start: StartCommit;
  readonly commit: string;
  /** All that differs between the two, below the top of the work tree. */
  readonly touched: readonly string[];
}

/** See `Worktrees.apply`. */
export async function applyCommit(
  session: SessionGit,
  { start, commit }: Omit<Bringing, 'touched'>,
): Promise<Applied> {
  const state = unfinished.find((name) => existsSync(join(session.own, name)));
  if (state !== undefined) {
    const why = `git has not ended something in ${session.home.root} (${state}): finish or abort it first`;
    return { ok: false, why, files: [] };
  }
  const touched = await filesBetween(session, [start.commit, commit]);
  const bringing = { start, commit, touched };
  const isMerge = !session.isPrivate && start.carried.length === 0;
  const applied = await (isMerge ? merged : written)(session, bringing);
  return { ...applied, files: applied.files.map((path) => belowRoot(session, path)) };
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
async function merged(session: SessionGit, bringing: Bringing): Promise<Applied> {
  const { home } = session;
  const { touched, commit } = bringing;
  const status = await workTreeStatus(home, '');
  if (!status.ok) return { ok: false, why: status.failure.reason, files: [] };
  const uncommitted = new Set(status.value.entries.map(({ path }) => path));
  const inTheWay = touched.filter((path) => uncommitted.has(path));
  if (inTheWay.length > 0) return { ok: false, why: wouldOverwrite, files: inTheWay };
  const joined = await mergedCommit(session, commit);
  if (typeof joined !== 'string') return { ok: false, why: 'these files conflict', files: joined };
  const forward = await git(home, [...fastForward, joined]);
  if (!forward.ok) {
    const { reason, files } = forward;
    return { ok: false, why: files.length > 0 ? wouldOverwrite : reason, files };
  }
  const head = await git(home, ['symbolic-ref', '--short', '--quiet', 'HEAD']);
  const branch = head.ok ? head.stdout.toString().trim() : null;
  return { ok: true, how: 'merged', branch, files: touched, backup: null };
}

const wouldOverwrite = 'these files have changes that would be overwritten';

const fastForward =
  'merge --quiet --ff-only --commit --no-squash --no-stat --no-overwrite-ignore'.split(' ');

/** HEAD with the commit merged into it, or the files in conflict. */
async function mergedCommit(
  session: SessionGit,
  commit: string,
): Promise<string | readonly string[]> {
  const head = await gitSays(session.home, ['rev-parse', 'HEAD']);
  const isAhead = await git(session.home, ['merge-base', '--is-ancestor', head, commit]);
  if (isAhead.ok) return commit;
  const made = await makeWorkTree(session, name, [head, commit]);
  await removeWorkTree(session, name);
  await gitSays(session.store, ['update-ref', '-d', `refs/heads/${branchName(session, name)}`]);
  return made.conflicts.length > 0 ? made.conflicts : made.head;
}

/** No id of a task begins like this. */
const name = '_apply';

/**
 * As changes of files, where each that is touched is still what it was at the start: an index that
 * holds the start makes git compare them.
 */
async function written(session: SessionGit, bringing: Bringing): Promise<Applied> {
  const { start, commit, touched } = bringing;
  const index = join(session.folder, 'apply.index');
  const variables = { ...session.home.variables, GIT_DIR: session.own, GIT_INDEX_FILE: index };
  const place = { ...session.home, variables: { ...variables, GIT_WORK_TREE: session.home.root } };
  try {
    await rm(`${index}.lock`, { force: true });
    await gitSays(place, ['read-tree', start.commit]);
    // It ends with 1 where files differ; those may be others.
    await git(place, ['update-index', '-q', '--refresh']);
    const patch = await git(place, [
      ...'diff-tree -p --binary --full-index --no-ext-diff --no-renames'.split(' '),
      start.commit,
      commit,
    ]);
    if (!patch.ok) return { ok: false, why: patch.reason, files: [] };
    const apply = ['apply', '--index', '--whitespace=nowarn', '--allow-empty'];
    const fits = await git(place, [...apply, '--check'], patch.stdout);
    if (!fits.ok) {
      const { reason, files } = fits;
      return { ok: false, why: files.length > 0 ? changedSinceStart : reason, files };
    }
    const backup = await backedUp(session, touched);
    await gitSays(place, apply, patch.stdout);
    return { ok: true, how: 'files', branch: null, files: touched, backup };
  } finally {
    await rm(index, { force: true });
  }
}

const changedSinceStart = 'these files changed since the session began, or are in the way';

/** Copies what is there of the files; null where nothing is. */
async function backedUp(session: SessionGit, touched: readonly string[]): Promise<string | null> {
  const { root } = session.home;
  const folder = join(session.folder, 'backup');
  const before = (await unlessAbsent(readdir(folder))) ?? [];
  const target = join(folder, String(before.length + 1));
  let copied = 0;
  for (const path of touched) {
    if ((await lookAt(root, path)).kind !== 'file') continue;
    await mkdir(dirname(join(target, path)), { recursive: true });
    await copyFile(join(root, path), join(target, path));
    copied += 1;
  }
  return copied === 0 ? null : target;
}
