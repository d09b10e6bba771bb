// Tells what git tracks in a folder of its own work tree, or of one below.
import { realpath } from 'node:fs/promises';
import { sha256Of } from '../store/digest.ts';
import { nullIfAbsent } from '../store/system-error.ts';
import { git, type GitTarget } from './git.ts';
import { stampOf } from './disk.ts';
import { gitAround, settingsAround, unreadable } from './git-folders.ts';

/**
 * A digest of everything that git tracks in a folder below the root; null if that is nothing, or
 * there is no repository. Throws `Stopped` if git does not answer.
 */
export async function trackedDigest(
  { root, signal }: GitTarget,
  relative: string,
): Promise<string | null> {
  const folder = `${root}/${relative}`;
  if (gitAround(folder) === null) return null;
  const around = await settingsAround({ root, signal });
  const stamp = around === null ? null : await stampOf(`${around.own}/index`);
  const isOutside = stamp !== null && untracked.get(folder) === stamp;
  // The folder may be tracked under another spelling, if case does not count here.
  const asked = ['--', `:(icase)${relative}`];
  const listed = isOutside ? Buffer.alloc(0) : await list({ root, signal }, asked);
  if (listed.length === 0 && (await isSameRepository(root, folder))) {
    if (stamp !== null) untracked.set(folder, stamp);
    return null;
  }
  // A submodule on the way to it has its own index.
  const inside = await list({ root: folder, signal }, []);
  const all = Buffer.concat([listed, inside]);
  return all.length === 0 ? null : sha256Of(all);
}

/** Folders of which an index tracks nothing, with the stamp of that index. */
const untracked = new Map<string, string>();

/** False if another repository may be around the folder, perhaps because of a link. */
async function isSameRepository(root: string, folder: string): Promise<boolean> {
  const paths = await Promise.all([root, folder].map((path) => nullIfAbsent(realpath(path))));
  const [outer, inner] = paths.map((path) => (path === null ? null : gitAround(path)));
  return outer !== null && outer === inner;
}

async function list(target: GitTarget, paths: readonly string[]): Promise<Buffer> {
  const answer = await git(target, ['ls-files', '--stage', '-z', ...paths]);
  if (answer.ok) return answer.stdout;
  if (answer.reason.startsWith('fatal: not a git repository (or any ')) return Buffer.alloc(0);
  throw unreadable(target.root, answer.reason);
}
