// Reads what the submodules of a work tree hold, and tells their changes as patches.
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, rm, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { makeFolder } from '../store/make-folder.ts';
import { nullIfAbsent } from '../store/system-error.ts';
import { lookAt, withoutLinks } from './disk.ts';
import { git, type GitTarget } from './git.ts';
import { indexListing, linksIn } from './index-links.ts';
import { addingAll, openWorkTree } from './linked-tree.ts';
import { joinPath } from './paths.ts';
import { belowRoot, type SessionGit } from './session-git.ts';
import type { SubmodulePatch, SubmoduleStates } from './worktrees.ts';
import { gitSays, prepareWriting } from './writing-git.ts';

/** See `Worktrees.submodules`. */
export async function submoduleStates(session: SessionGit, name: string): Promise<SubmoduleStates> {
  const found = await submodulesOf(session, name);
  return new Map(found.map(({ path, tree }) => [belowRoot(session, path), tree]));
}

/** See `Worktrees.submoduleChanges`. */
export async function submoduleChanges(
  session: SessionGit,
  name: string,
  before: SubmoduleStates | null,
): Promise<readonly SubmodulePatch[]> {
  const patches: SubmodulePatch[] = [];
  for (const one of await submodulesOf(session, name)) {
    const path = belowRoot(session, one.path);
    const from = before?.get(path) ?? (await recordedTree(one));
    if (from === one.tree) continue;
    const diff = 'diff-tree -r -p --binary --full-index --no-ext-diff --no-textconv'.split(' ');
    patches.push({ path, patch: await gitSays(one.target, [...diff, from, one.tree]) });
  }
  return patches;
}

interface Submodule {
  /** The path below the top of the work tree. */
  readonly path: string;
  /** The commit that is recorded for it. */
  readonly recorded: string;
  /** Its present content as a git tree. */
  readonly tree: string;
  readonly target: GitTarget;
  /** The index that git reads there. */
  readonly index: string;
}

/** All submodules in the index, including nested ones. One that was replaced by a link is left out. */
async function submodulesOf(session: SessionGit, name: string): Promise<readonly Submodule[]> {
  const top = await openWorkTree(session, name);
  const found: Submodule[] = [];
  const open = [{ target: top as GitTarget, path: '', index: join(top.own, 'index') }];
  for (const { target, path: outer, index } of open) {
    const links = await linksIn({ root: target.root, index }, () => gitSays(target, indexListing));
    for (const { path: inner, recorded } of links) {
      const path = joinPath(outer, inner);
      if ((await withoutLinks(top.root, path)) !== path) continue;
      if ((await lookAt(top.root, path)).kind !== 'other') continue;
      const opened = await apart(session, { root: join(top.root, path), recorded });
      found.push({ path, recorded, ...opened });
      open.push({ ...opened, path });
    }
  }
  return found;
}

/**
 * Reads a submodule through a repository of our own that borrows its objects, so that no filter or
 * hook from settings an agent can write is ever started.
 */
async function apart(
  session: SessionGit,
  { root, recorded }: { readonly root: string; readonly recorded: string },
): Promise<Pick<Submodule, 'tree' | 'target' | 'index'>> {
  const folder = join(session.folder, 'submodules');
  await makeFolder(folder);
  const { signal } = session;
  const format = recorded.length === 64 ? 'sha256' : 'sha1';
  const own = join(folder, `${format}.git`);
  const init = ['init', '--quiet', '--bare', '--template=', `--object-format=${format}`, own];
  await gitSays({ root: folder, signal }, init);
  const store = await prepareWriting({ root: own, signal, variables: { GIT_DIR: own } });
  // The index is kept, so that what has not changed is not read again.
  const index = join(
    folder,
    `${createHash('sha256').update(root).digest('hex').slice(0, 16)}.index`,
  );
  const variables = {
    ...store.variables,
    GIT_WORK_TREE: root,
    GIT_INDEX_FILE: index,
    GIT_ALTERNATE_OBJECT_DIRECTORIES: (await objectsOf(root)) ?? '',
  };
  const target = { ...store, root, variables };
  // The commit is unknown if the submodule was never checked out; the next look may find it.
  const isKnown = existsSync(index) || (await git(target, ['read-tree', recorded])).ok;
  await git(target, await addingAll(target));
  const tree = await gitSays(target, ['write-tree', '--missing-ok']);
  if (!isKnown) await rm(index, { force: true });
  return { target, tree, index };
}

/** The objects folder of a submodule that is checked out, or null. */
async function objectsOf(root: string): Promise<string | null> {
  const path = join(root, '.git');
  const { kind } = await lookAt(root, '.git');
  const text = kind === 'file' ? ((await nullIfAbsent(readFile(path, 'utf8'))) ?? '') : '';
  const [, leads] = /^gitdir: (.+)/.exec(text) ?? [];
  const folder = join(leads === undefined ? path : resolve(root, leads), 'objects');
  return (await nullIfAbsent(stat(folder)))?.isDirectory() === true ? folder : null;
}

/** The tree of the recorded commit; empty for a submodule that was never checked out. */
async function recordedTree({ target, recorded }: Submodule): Promise<string> {
  const known = await git(target, ['rev-parse', '--verify', '--quiet', `${recorded}^{tree}`]);
  return known.ok ? known.stdout.toString().trim() : await gitSays(target, ['mktree'], '');
}
