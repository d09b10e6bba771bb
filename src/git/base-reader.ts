import { join, posix } from 'node:path';
import { sha256Of } from '../store/digest.ts';
import { linkStamp, type Snapshots } from './base.ts';
import { committedContent, isContentOf, type CommitTree } from './commit-tree.ts';
import { lookAt, placeStamp, readPlainFile, textOf } from './disk.ts';
import { eachLimited } from './each-limited.ts';
import { plainPath } from './paths.ts';
import type { Repository } from './repository.ts';

interface BaseSource {
  readonly root: string;
  /** Uncommitted files by path, with their stamps in the base; see `takeBase`. */
  readonly dirty: ReadonlyMap<string, string>;
  readonly tree: CommitTree;
  readonly snapshots: Snapshots | null;
  readonly signal: AbortSignal;
}

/** The files of a git repository as they were at the base, whatever the disk says now. */
export function baseReader(source: BaseSource): Pick<Repository, 'files' | 'read' | 'exists'> {
  let files: Promise<readonly string[]> | null = null;
  return {
    files: () => (files ??= filesAt(source)),
    async read(path) {
      const file = await resolved(source, path);
      const content = file === null ? null : await contentAt(source, file);
      return content === null ? null : textOf(content);
    },
    exists: async (path) => (await resolved(source, path)) !== null,
  };
}

/** Sorted. Links are left out: what they lead to inside the root is listed under its own name. */
async function filesAt(source: BaseSource): Promise<readonly string[]> {
  const { tree, dirty } = source;
  const committed = [...tree].filter(([path, { isLink }]) => !isLink && !dirty.has(path));
  const uncommitted = await eachLimited([...dirty], async ([path, stamp]) => {
    const isPlain = stamp !== 'deleted' && (await linkAt(source, path)) === undefined;
    return isPlain ? [path] : [];
  });
  return [...committed.map(([path]) => path), ...uncommitted.flat()].toSorted();
}

const mostLinks = 8;

/** The path of the plain file that a path means at the base, over links inside the root. */
async function resolved(source: BaseSource, path: string): Promise<string | null> {
  let plain = plainPath(path);
  for (let links = 0; plain !== null && links < mostLinks; links++) {
    const target = await linkAt(source, plain);
    if (target === undefined) return isFileAt(source, plain) ? plain : null;
    if (target === null || posix.isAbsolute(target)) return null;
    plain = plainPath(posix.join(posix.dirname(plain), target));
  }
  return null;
}

/** Where a link leads, null if that is not known any more, undefined if it is no link. */
async function linkAt(source: BaseSource, path: string): Promise<string | null | undefined> {
  const stamp = source.dirty.get(path);
  if (stamp !== undefined) {
    const found = await lookAt(source.root, path);
    return found.kind === 'link' && linkStamp(found.target) === stamp ? found.target : undefined;
  }
  const file = source.tree.get(path);
  if (file?.isLink !== true) return undefined;
  const target = await committedContent(source, file);
  return target === null ? null : target.toString('utf8');
}

function isFileAt({ dirty, tree }: BaseSource, path: string): boolean {
  const stamp = dirty.get(path);
  return stamp === undefined ? tree.has(path) : stamp !== 'deleted';
}

/** The disk is only believed where its content is the one that the base names. */
async function contentAt(source: BaseSource, path: string): Promise<Buffer | null> {
  const { root, dirty, tree, snapshots } = source;
  const stamp = dirty.get(path);
  const disk = await readPlainFile(root, path);
  if (stamp !== undefined) {
    const now = stamp.startsWith('stat ') ? placeStamp(join(root, path)) : sha256In(disk);
    if (now === stamp) return disk;
    const kept = (await snapshots?.load(stamp)) ?? null;
    return sha256In(kept) === stamp ? kept : null;
  }
  const file = tree.get(path);
  if (file === undefined) return null;
  return disk !== null && isContentOf(file.id, disk) ? disk : committedContent(source, file);
}

function sha256In(content: Buffer | null): string | null {
  return content === null ? null : sha256Of(content);
}
