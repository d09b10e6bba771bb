// Takes fingerprints of the work tree, and says what changed between two of them.
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { nullIfAbsent } from '../store/system-error.ts';
import { stampOf } from './disk.ts';
import { eachLimited } from '../store/each-limited.ts';
import { type GitFolders, textAt } from './git-folders.ts';
import { workTreeStatus, changesInSubmodules } from './git-status.ts';
import { git, type GitTarget } from './git.ts';
import type { Fingerprint } from './repository.ts';
import { walk } from './walk.ts';

/** Every path whose stamp differs, or that came or went between two fingerprints, sorted. */
export function compareFingerprints(before: Fingerprint, after: Fingerprint): readonly string[] {
  const changed = new Set<string>();
  for (const [path, stamp] of after.stamps) {
    if (before.stamps.get(path) !== stamp) changed.add(path);
  }
  for (const path of before.stamps.keys()) if (!after.stamps.has(path)) changed.add(path);
  return [...changed].toSorted();
}

/**
 * Takes a fingerprint with git, from the uncommitted paths only: a clean file that is written
 * becomes one. Files that git ignores are not seen.
 */
export async function gitFingerprint(target: GitTarget, folders: GitFolders): Promise<Fingerprint> {
  const [own, status] = await Promise.all([
    gitStamps(target, folders),
    workTreeStatus(target, folders.prefix),
  ]);
  // The repository is gone: the walk shows every file as new, which is what happened to it.
  if (!status.ok) return plainFingerprint(target);
  const { commit, entries } = status.value;
  const stamps = new Map(own);
  stamps.set('.git/HEAD', `${own.get('.git/HEAD') ?? ''} ${commit ?? ''}`);
  const rootBytes = Buffer.from(`${target.root}/`);
  const found = await eachLimited(entries, async ({ path, raw, submodule }) => ({
    path,
    stamp: `${await stampOf(Buffer.concat([rootBytes, raw]))} ${submodule}`,
  }));
  const inside = await eachLimited(await changesInSubmodules(target, entries), async (path) => ({
    path,
    stamp: await stampOf(join(target.root, path)),
  }));
  for (const { path, stamp } of [...found, ...inside]) stamps.set(path, stamp);
  return { stamps };
}

/** Takes a fingerprint without git, from every file. */
export async function plainFingerprint({ root, signal }: GitTarget): Promise<Fingerprint> {
  const { files } = await walk(root, { signal });
  const stamps = await eachLimited(files, async (path): Promise<[string, string]> => [
    path,
    await stampOf(join(root, path)),
  ]);
  return { stamps: new Map(stamps) };
}

/**
 * Stamps of what an agent could change besides the files of the work tree: HEAD, settings, hooks,
 * the rules for ignoring and converting files, branches and the stash. The index, tags and remote
 * branches are left out, because editors refresh and fetch in the background. Branches are stamped
 * by what they point at, so that git’s own packing of references is not a change; the branches of
 * an execution are left out, too.
 */
async function gitStamps(
  target: GitTarget,
  folders: GitFolders,
): Promise<ReadonlyMap<string, string>> {
  const { own, common } = folders;
  const [head, config, worktree, exclude, attributes, hooks, branches] = await Promise.all([
    textAt(`${own}/HEAD`),
    stampOf(`${common}/config`),
    stampOf(`${own}/config.worktree`),
    stampOf(`${common}/info/exclude`),
    stampOf(`${common}/info/attributes`),
    hookStamps(`${common}/hooks`),
    branchStamps(target, common),
  ]);
  return new Map([
    ['.git/HEAD', head],
    ['.git/config', config],
    ['.git/config.worktree', worktree],
    ['.git/info/exclude', exclude],
    ['.git/info/attributes', attributes],
    ...hooks,
    ...branches,
  ]);
}

async function hookStamps(folder: string): Promise<readonly (readonly [string, string])[]> {
  const names = (await nullIfAbsent(readdir(folder))) ?? [];
  const hooks = names.filter((name) => !name.endsWith('.sample'));
  return Promise.all(
    hooks.map(async (name) => [`.git/hooks/${name}`, await stampOf(`${folder}/${name}`)] as const),
  );
}

async function branchStamps(
  target: GitTarget,
  common: string,
): Promise<ReadonlyMap<string, string>> {
  // The tables also change with the branches of an execution, so git has to read them.
  const isInTables = (await stampOf(`${common}/reftable/tables.list`)) !== 'absent';
  const [packed, loose, stash] = await Promise.all([
    isInTables ? listedBranches(target) : textAt(`${common}/packed-refs`),
    nullIfAbsent(readdir(`${common}/refs/heads`, { recursive: true, withFileTypes: true })),
    textAt(`${common}/refs/stash`),
  ]);
  const stamps = new Map([['.git/refs/stash', stash]]);
  const named = /^([0-9a-f]+) (refs\/heads\/.+|refs\/stash)$/gm;
  for (const [, id, name] of packed.matchAll(named)) {
    if (id !== undefined && name !== undefined && !isOfExecution(name)) {
      stamps.set(`.git/${name}`, id);
    }
  }
  const files = (loose ?? []).filter((entry) => entry.isFile() && !entry.name.endsWith('.lock'));
  for (const { parentPath, name } of files) {
    const path = `${parentPath}/${name}`;
    const shown = `.git${path.slice(common.length)}`;
    if (!isOfExecution(shown)) stamps.set(shown, await textAt(path));
  }
  return stamps;
}

/** True for a branch of an execution, whatever its prefix is. */
function isOfExecution(ref: string): boolean {
  return /refs\/heads\/(?:conclave\/|.*\/MCP-[^/]+-\d{4}-\d\d-\d\d-\w{4}(?:\.[^/]+)?$)/.test(ref);
}

/** The branches in the form of `packed-refs`. */
async function listedBranches(target: GitTarget): Promise<string> {
  const format = '--format=%(objectname) %(refname)';
  const answer = await git(target, ['for-each-ref', format, 'refs/heads', 'refs/stash']);
  return answer.ok ? answer.stdout.toString() : '';
}
