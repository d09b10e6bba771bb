import { join, posix } from 'node:path';
import { sha256Of } from '../store/digest.ts';
import { linkStamp, type Snapshots } from './base.ts';
import { isContentMark, isMarked, type ContentMark, type MarkedFile } from './content-mark.ts';
import { committedContent, isContentOf, type CommitTree } from './commit-tree.ts';
import { lookAt, readPlainFile, textOf } from './disk.ts';
import { eachLimited } from './each-limited.ts';
import { plainPath } from './paths.ts';

/** The files of a git repository as they were at the base, whatever the disk says now. */
interface BaseReader {
  files(): Promise<readonly string[]>;
  marks(): Promise<readonly MarkedFile[]>;
  read(path: string): Promise<string | null>;
  exists(path: string): Promise<boolean>;
}

interface BaseSource {
  readonly root: string;
  /** Uncommitted files by path, with their stamps in the base; see `takeBase`. */
  readonly dirty: ReadonlyMap<string, string>;
  readonly tree: CommitTree;
  readonly snapshots: Snapshots | null;
  readonly signal: AbortSignal;
}

const mostLinks = 8;

export function baseReader(source: BaseSource): BaseReader {
  let files: Promise<readonly MarkedFile[]> | null = null;
  let paths: Promise<readonly string[]> | null = null;
  const marks = (): Promise<readonly MarkedFile[]> => (files ??= filesAt(source));
  return {
    files: () => (paths ??= marks().then((marked) => marked.map(({ path }) => path))),
    marks,
    async read(path) {
      const file = await resolved(source, path);
      if (file === null) return null;
      const content = await contentAt(source, file);
      return content === null ? null : textOf(content);
    },
    exists: async (path) => (await resolved(source, path)) !== null,
  };
}

/**
 * In the order of their paths. Links are left out: what they lead to inside the root is listed under
 * its own name.
 */
async function filesAt(source: BaseSource): Promise<readonly MarkedFile[]> {
  const { tree, dirty } = source;
  const gone = new Set([...dirty.keys()].map((path) => tree.get(path)));
  const same = tree.files.filter((file) => !file.link && !gone.has(file));
  const changed = await eachLimited([...dirty], async ([path, stamp]) => {
    const isPlain = stamp !== 'deleted' && (await linkAt(source, path)) === undefined;
    return isPlain ? [{ path, mark: markOf(stamp) }] : [];
  });
  const added = changed.flat();
  return added.length === 0 ? same : [...same, ...added].toSorted(byPath);
}

/** Of a file that is neither deleted nor a link. */
function markOf(stamp: string): ContentMark {
  return isContentMark(stamp) ? stamp : `sha256 ${stamp}`;
}

function byPath(a: MarkedFile, b: MarkedFile): number {
  return a.path < b.path ? -1 : 1;
}

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
  if (file?.link !== true) return undefined;
  const target = await committedContent(source, file);
  return target === null ? null : target.toString('utf8');
}

function isFileAt({ dirty, tree }: BaseSource, path: string): boolean {
  const stamp = dirty.get(path);
  return stamp === undefined ? tree.get(path) !== undefined : stamp !== 'deleted';
}

/** The disk is only believed where its content hashes to what the base names. */
async function contentAt(source: BaseSource, path: string): Promise<Buffer | null> {
  const { root, dirty, tree, snapshots } = source;
  const stamp = dirty.get(path);
  const disk = await readPlainFile(root, path);
  if (stamp !== undefined) {
    const absolute = join(root, path);
    if (disk !== null && isMarked(markOf(stamp), { absolute, content: disk })) return disk;
    const kept = (await snapshots?.load(stamp)) ?? null;
    return kept !== null && sha256Of(kept) === stamp ? kept : null;
  }
  const file = tree.get(path);
  if (file === undefined) return null;
  return disk !== null && isContentOf(file.mark.slice(5), disk)
    ? disk
    : committedContent(source, file);
}
