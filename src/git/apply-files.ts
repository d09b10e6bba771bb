// Brings a commit home as uncommitted changes of files, and keeps what these held before.
import { existsSync } from 'node:fs';
import { copyFile, mkdir, readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { nullIfAbsent } from '../store/system-error.ts';
import { wrongUsage } from '../model/failure.ts';
import { hasPlainFolder, lookAt } from './disk.ts';
import { eachLimited } from '../store/each-limited.ts';
import { git, type GitTarget } from './git.ts';
import { filesBelow } from './made-files.ts';
import { folderOf } from './paths.ts';
import { branchName, type SessionGit } from './session-git.ts';
import { withIndex } from './without-carried.ts';
import type { ApplyResult, StartCommit } from './worktrees.ts';
import { gitLists, gitSays } from './writing-git.ts';

interface Bringing {
  readonly start: StartCommit;
  readonly commit: string;
  /** All paths that differ between the two commits, below the top of the work tree. */
  readonly touched: readonly string[];
}

/** Applies a commit as changes of files, if each touched file is still what it was at the start. */
export async function applyByFiles(session: SessionGit, bringing: Bringing): Promise<ApplyResult> {
  const { start, commit, touched } = bringing;
  return await withIndex(session, session.home, async (target): Promise<ApplyResult> => {
    const files = await differingFiles(target, { commit: start.commit, touched });
    const isDone =
      files.length > 0 && (await differingFiles(target, { commit, touched })).length === 0;
    if (files.length > 0 && !isDone) return { ok: false, why: changedSinceStart, files };
    const backup = isDone ? null : await backUp(session, touched);
    if (!isDone) await change(target, [start.commit, commit]);
    // In the user’s repository, only the branch holds the work in a commit.
    const branch = branchName(session, null);
    const stays = `the branch ${branch} stays, because its result is not committed`;
    const written = { ok: true, how: 'files', branch: null, files: touched, backup } as const;
    return session.isPrivate ? written : { ...written, stays };
  });
}

const changedSinceStart = 'these files changed since the session began, or are in the way';

/** The files that differ from the commit. */
async function differingFiles(
  target: GitTarget,
  { commit, touched }: Pick<Bringing, 'commit' | 'touched'>,
): Promise<readonly string[]> {
  await gitSays(target, ['read-tree', commit]);
  // The command ends with 1 if anything differs.
  await git(target, ['update-index', '-q', '--refresh']);
  const listed = 'diff-files --name-only -z --ignore-submodules=all'.split(' ');
  const changed = new Set(await gitLists(target, listed));
  return filesInTheWay(target, { touched, changed });
}

/** The files that changed, and those whose place is taken by something that git does not track. */
export async function filesInTheWay(
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
    if (kind === 'absent' || !(await hasPlainFolder(root, at))) continue;
    if (kind !== 'other' || tracked.has(at)) return !tracked.has(at);
    // A file may take the place of a folder in which git knows every file.
    return at === path && (await filesBelow(root, at)).some((one) => !tracked.has(one));
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

/** Copies the files that exist; null if none does. */
export async function backUp(
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
