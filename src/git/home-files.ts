// Brings what tasks changed in uncommitted files to the present state of these files.
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { nullIfAbsent } from '../store/system-error.ts';
import { git } from './git.ts';
import { topPath, type SessionGit } from './session-git.ts';
import { takeFromDisk } from './start-commit.ts';
import { entriesOf } from './tree-entries.ts';
import { mergedTree } from './merge-commits.ts';
import { commitOf, filesBetween, treeWith, withIndex } from './without-carried.ts';
import type { StartCommit } from './worktrees.ts';
import { gitSays } from './writing-git.ts';

/** How uncommitted files come home. Paths are below the top of the work tree. */
export interface HomeFiles {
  /** The files that tasks changed and that are not on the branch as tasks left them. */
  readonly paths: readonly string[];
  /** The tree with these and all carried files as they are on the disk. */
  readonly now: string;
  /** The same tree with the changes of the tasks. */
  readonly wanted: string;
  /** All carried files, and `paths`. */
  readonly all: readonly string[];
  /** The files among `paths` that will be written. */
  readonly written: readonly string[];
  /** The files that changed since the start where tasks changed them too. */
  readonly conflicts: readonly string[];
}

/** Plans the changes without making any at home. `own` is the commit without the carried files. */
export async function planHomeFiles(
  session: SessionGit,
  {
    start,
    commit,
    own,
  }: { readonly start: StartCommit; readonly commit: string; readonly own: string },
): Promise<HomeFiles> {
  const [touched, apart] = await Promise.all([
    filesBetween(session, [start.commit, commit]),
    filesBetween(session, [own, commit]),
  ]);
  const carried = start.carried.map((path) => topPath(session, path));
  const other = new Set([...apart, ...carried]);
  const paths = touched.filter((path) => other.has(path));
  const all = [...new Set([...paths, ...carried])];
  const now = await treeNow(session, start.commit, all);
  const mine = await commitOf(session, now, start.commit);
  const { id: wanted, conflicts } = await mergedTree(session.store, [mine, commit]);
  const plain = new Set(touched.filter((path) => !other.has(path)));
  const differing = await filesBetween(session, [now, wanted]);
  const written = differing.filter((path) => !plain.has(path));
  return { paths, all, now, wanted, written, conflicts };
}

/** The tree of a commit with some files as they are on the disk now. */
async function treeNow(
  session: SessionGit,
  commit: string,
  paths: readonly string[],
): Promise<string> {
  return withIndex(session, session.home, async (target) => {
    await gitSays(target, ['read-tree', commit]);
    await takeFromDisk(target, paths);
    return gitSays(target, ['write-tree']);
  });
}

/** The commit with these files as they will be at home, to be checked. */
export async function withHomeFiles(
  session: SessionGit,
  commit: string,
  { all, wanted }: HomeFiles,
): Promise<string> {
  const tree = await treeWith(session, { tree: commit, paths: all, of: wanted });
  return commitOf(session, tree, commit);
}

/** Writes the files to the user’s work tree; their previous content has already been kept. */
export async function writeHomeFiles(
  session: SessionGit,
  { written, wanted }: HomeFiles,
): Promise<void> {
  if (written.length === 0) return;
  await withIndex(session, session.home, async (target) => {
    await gitSays(target, ['read-tree', wanted]);
    const entries = await entriesOf(target, wanted);
    const there = written.filter((path) => entries.has(path));
    const names = there.map((path) => `${path}\0`).join('');
    const gone = written.filter((path) => !entries.has(path));
    for (const path of gone) await rm(join(target.root, path), { force: true });
    await gitSays(target, ['checkout-index', '--force', '-z', '--stdin'], names);
  });
}

/** Writes these files as the tasks left them to a folder of the session. Returns the folder. */
export async function versionsOf(
  { store, folder }: SessionGit,
  commit: string,
  paths: readonly string[],
): Promise<string> {
  const kept = join(folder, 'backup');
  const before = (await nullIfAbsent(readdir(kept))) ?? [];
  const place = join(kept, `${before.length + 1}-tasks`);
  for (const path of paths) {
    const blob = await git(store, ['cat-file', 'blob', `${commit}:${path}`]);
    if (!blob.ok) continue;
    await mkdir(dirname(join(place, path)), { recursive: true });
    await writeFile(join(place, path), blob.stdout);
  }
  return place;
}
