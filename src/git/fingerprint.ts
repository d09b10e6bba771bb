import { join } from 'node:path';
import { eachLimited } from './each-limited.ts';
import { gitStamps, type GitFolders } from './git-stamps.ts';
import type { GitPlace } from './git.ts';
import type { Fingerprint } from './repository.ts';
import { stampOf } from './stamp.ts';
import { changesInSubmodules, statusAroundLinks } from './submodules.ts';
import { lookAt, watchedPaths } from './tree-look.ts';
import { walk } from './walk.ts';

/** Every path whose stamp differs, came, or went between two fingerprints, sorted. */
export function changedPaths(before: Fingerprint, after: Fingerprint): readonly string[] {
  const changed = new Set<string>();
  for (const [path, stamp] of after.stamps) {
    if (before.stamps.get(path) !== stamp) changed.add(path);
  }
  for (const path of before.stamps.keys()) if (!after.stamps.has(path)) changed.add(path);
  return [...changed].toSorted();
}

type Stamps = ReadonlyMap<string, string>;

/**
 * Takes fingerprints of one work tree. As long as a look at the times of change shows the same
 * tree as at the last one, git is not asked again.
 */
export function gitFingerprints(
  root: string,
  folders: GitFolders,
): (signal: AbortSignal) => Promise<Fingerprint> {
  let known: { paths: readonly Buffer[]; look: string; own: Stamps; taken: Fingerprint } | null =
    null;
  return async (signal) => {
    const own = await gitStamps(folders);
    if (known !== null && lookAt(known.paths) === known.look && isSame(own, known.own)) {
      return known.taken;
    }
    const place = { root, signal };
    const paths = await watchedPaths(place);
    // Looked at before git is asked: what is written in between shows at the next look.
    const look = paths === null ? '' : lookAt(paths);
    const taken = await gitFingerprint(place, folders, own);
    known = paths === null ? null : { paths, look, own, taken };
    return taken;
  };
}

function isSame(one: Stamps, other: Stamps): boolean {
  return one.size === other.size && [...one].every(([path, stamp]) => other.get(path) === stamp);
}

/**
 * With git only the uncommitted paths are looked at: a clean file that is written becomes one.
 * Files that git ignores are not seen.
 */
async function gitFingerprint(
  place: GitPlace,
  folders: GitFolders,
  own: Stamps,
): Promise<Fingerprint> {
  const status = await statusAroundLinks(place, folders.prefix);
  // The repository is gone: the walk shows every file as new, which is what happened to it.
  if (!status.ok) return plainFingerprint(place);
  const { commit, entries } = status.value;
  const stamps = new Map(own);
  stamps.set('.git/HEAD', `${own.get('.git/HEAD') ?? ''} ${commit ?? ''}`);
  const rootBytes = Buffer.from(`${place.root}/`);
  const found = await eachLimited(entries, async ({ path, raw, submodule }) => ({
    path,
    stamp: `${await stampOf(Buffer.concat([rootBytes, raw]))} ${submodule}`,
  }));
  const inside = await eachLimited(await changesInSubmodules(place, entries), async (path) => ({
    path,
    stamp: await stampOf(join(place.root, path)),
  }));
  for (const { path, stamp } of [...found, ...inside]) stamps.set(path, stamp);
  return { stamps };
}

/** Without git every file is looked at. */
export async function plainFingerprint({ root, signal }: GitPlace): Promise<Fingerprint> {
  const { files } = await walk(root, { signal });
  const stamps = await eachLimited(files, async (path): Promise<[string, string]> => [
    path,
    await stampOf(join(root, path)),
  ]);
  return { stamps: new Map(stamps) };
}
