import { readdir, readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { unlessAbsent } from '../store/system-error.ts';
import { noWorkTree, refuseUnlessAbsent } from './git-refusal.ts';
import { git, type GitPlace } from './git.ts';
import { stampOf } from './stamp.ts';

/** Where git keeps things for this work tree. Absolute but for `prefix`. */
export interface GitFolders {
  /** The root’s place below the top of the work tree: empty or ending in `/`. */
  readonly prefix: string;
  readonly own: string;
  /** Another one than `own` in a linked work tree. */
  readonly common: string;
  /** The commit that is checked out; null before the first. */
  readonly head: string | null;
  /** The id of the tree that it has. */
  readonly tree: string | null;
}

/** True for a folder that the repository around it ignores as a whole. */
export async function isIgnoredFolder(place: GitPlace): Promise<boolean> {
  return (await git(place, ['check-ignore', '-q', place.root])).ok;
}

/** Null where the place is in no repository. Throws `Stopped` where git refuses the one there. */
export async function gitFolders(place: GitPlace): Promise<GitFolders | null> {
  const asked = [
    '--is-inside-work-tree',
    '--absolute-git-dir',
    '--git-common-dir',
    '--show-prefix',
    '--revs-only',
    'HEAD',
    'HEAD^{tree}',
  ];
  const answer = await git(place, ['rev-parse', ...asked]);
  if (!answer.ok) {
    refuseUnlessAbsent(place.root, answer.reason);
    return null;
  }
  const said = answer.stdout.toString('utf8').split('\n');
  const [inside, own = '', common = '', prefix = '', head = '', tree = ''] = said;
  if (inside !== 'true') throw noWorkTree(place.root);
  return {
    prefix,
    own,
    common: resolve(place.root, common),
    head: head || null,
    tree: tree || null,
  };
}

/**
 * Stamps of what an agent could change behind the work tree’s back: HEAD, settings, hooks,
 * branches and the stash. The index, tags and remote branches are left out, because editors
 * refresh and fetch in the background. Branches are stamped by what they point at, so that git’s
 * own packing of references is no change.
 */
export async function gitStamps(folders: GitFolders): Promise<ReadonlyMap<string, string>> {
  const { own, common } = folders;
  const [head, config, worktree, hooks, branches] = await Promise.all([
    textAt(`${own}/HEAD`),
    stampOf(`${common}/config`),
    stampOf(`${own}/config.worktree`),
    hookStamps(`${common}/hooks`),
    branchStamps(common),
  ]);
  return new Map([
    ['.git/HEAD', head],
    ['.git/config', config],
    ['.git/config.worktree', worktree],
    ...hooks,
    ...branches,
  ]);
}

async function hookStamps(folder: string): Promise<readonly (readonly [string, string])[]> {
  const names = (await unlessAbsent(readdir(folder))) ?? [];
  const hooks = names.filter((name) => !name.endsWith('.sample'));
  return Promise.all(
    hooks.map(async (name) => [`.git/hooks/${name}`, await stampOf(`${folder}/${name}`)] as const),
  );
}

async function branchStamps(common: string): Promise<ReadonlyMap<string, string>> {
  const [packed, loose, stash, tables] = await Promise.all([
    textAt(`${common}/packed-refs`),
    unlessAbsent(readdir(`${common}/refs/heads`, { recursive: true, withFileTypes: true })),
    textAt(`${common}/refs/stash`),
    stampOf(`${common}/reftable/tables.list`),
  ]);
  const stamps = new Map([
    ['.git/refs/stash', stash],
    ['.git/reftable', tables],
  ]);
  for (const [, id, name] of packed.matchAll(/^([0-9a-f]+) (refs\/heads\/.+|refs\/stash)$/gm)) {
    if (id !== undefined && name !== undefined) stamps.set(`.git/${name}`, id);
  }
  const files = (loose ?? []).filter((entry) => entry.isFile() && !entry.name.endsWith('.lock'));
  for (const { parentPath, name } of files) {
    const path = `${parentPath}/${name}`;
    stamps.set(`.git${path.slice(common.length)}`, await textAt(path));
  }
  return stamps;
}

/** Empty where there is none. */
async function textAt(path: string): Promise<string> {
  return ((await unlessAbsent(readFile(path, 'utf8'))) ?? '').trim();
}
