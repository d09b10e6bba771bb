// Records the base, reads files as they were then, and says what changed since.
import { join, posix } from 'node:path';
import type { Base } from '../model/context.ts';
import { sha256Of } from '../store/digest.ts';
import { committedContent, isContentOf, type CommitTree } from './commit-tree.ts';
import { hasPlainFolder, isText, lookAt, statStamp, readPlainFile, textOf } from './disk.ts';
import { eachLimited } from '../store/each-limited.ts';
import { listChanges } from './git-status.ts';
import { isPlainName, plainPath } from './paths.ts';
import type { Repository } from './repository.ts';

/** Keeps the contents of uncommitted files by their sha256 in hex. */
export interface Snapshots {
  save(sha256: string, content: Buffer, path: string): Promise<void>;
  load(sha256: string): Promise<Buffer | null>;
}

/**
 * The largest file that is hashed, in bytes. Larger ones are known by path and times, because
 * hashing what nobody reads would take long.
 */
const largestHashed = 1024 * 1024;

interface Taking {
  readonly root: string;
  readonly snapshots: Snapshots | null;
  readonly signal: AbortSignal;
}

/**
 * Takes the base as it is now: the commit and a hash of each uncommitted file, whose text is kept;
 * a large file has its `stat` stamp. Rejects with the signal’s reason when that is aborted.
 */
export async function takeBase(
  work: Taking,
  { commit, paths }: { readonly commit: string | null; readonly paths: readonly string[] },
): Promise<Base> {
  const named = paths.filter(isPlainName);
  const stamps = await eachLimited(named, async (path) => [path, await stampOf(work, path)]);
  return { commit, dirty: Object.fromEntries(stamps.filter(([, stamp]) => stamp !== null)) };
}

/** The stamp of an uncommitted link: its target is its content, as it is for git. */
export function linkStamp(target: string): string {
  return sha256Of(target);
}

/** The stamp of an uncommitted path; null for a folder, i.e. a repository inside this one. */
async function stampOf({ root, snapshots, signal }: Taking, path: string): Promise<string | null> {
  signal.throwIfAborted();
  const found = await lookAt(root, path);
  if (found.kind === 'absent' || !(await hasPlainFolder(root, path))) return 'deleted';
  if (found.kind === 'other') return null;
  if (found.kind === 'link') return linkStamp(found.target);
  if (found.size > largestHashed) return statStamp(join(root, path)) ?? 'deleted';
  const content = await readPlainFile(root, path);
  if (content === null) return 'deleted';
  const sha256 = sha256Of(content);
  if (isText(content)) await snapshots?.save(sha256, content, path);
  return sha256;
}

/** Files whose content on the disk may differ from the base. */
export async function findChanges(
  { root, base }: Pick<Repository, 'root' | 'base'>,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const uncommitted = Object.entries(base.dirty)
    .filter(([path, stamp]) => stamp !== 'deleted' && statStamp(join(root, path)) !== stamp)
    .map(([path]) => path);
  if (base.commit === null) return uncommitted;
  const changed = await listChanges({ root, signal }, base.commit);
  return [...uncommitted, ...changed.filter((path) => !Object.hasOwn(base.dirty, path))];
}

/** Picks the paths whose bytes on the disk no longer equal those of the base. */
export async function findChangesAmong(
  repository: Pick<Repository, 'root' | 'git' | 'base' | 'read' | 'exists'>,
  { paths, signal }: { readonly paths: readonly string[]; readonly signal: AbortSignal },
): Promise<readonly string[]> {
  const { root, base, git } = repository;
  if (!git) return [];
  const others = await eachLimited(paths, async (path) => {
    const isThere = (await lookAt(root, path)).kind !== 'absent';
    const isNew = isThere !== (await repository.exists(path));
    if (!isThere && !isNew) return [];
    const content = isNew ? null : await readPlainFile(root, path);
    if (content === null) return [{ path, isNew }];
    const stamp = base.dirty[path];
    // Content that is not text is compared by its stamp, or by git.
    const isSame =
      stamp === undefined
        ? isText(content) && textOf(content) === (await repository.read(path))
        : sha256Of(content) === stamp;
    return isSame ? [] : [{ path, isNew }];
  });
  if (!others.flat().some(({ isNew }) => !isNew)) return others.flat().map(({ path }) => path);
  // Git may see a file as unchanged although its bytes differ, as with converted line ends.
  const maybe = new Set(await findChanges(repository, signal));
  return others.flat().flatMap(({ path, isNew }) => (isNew || maybe.has(path) ? [path] : []));
}

interface BaseSource {
  readonly root: string;
  /** Uncommitted files by path, with their stamps in the base; see `takeBase`. */
  readonly dirty: ReadonlyMap<string, string>;
  readonly tree: CommitTree;
  readonly snapshots: Snapshots | null;
  readonly signal: AbortSignal;
}

/** Reads the files of a git repository as they were at the base, whatever the disk says now. */
export function baseReader(source: BaseSource): Pick<Repository, 'files' | 'read' | 'exists'> {
  let files: Promise<readonly string[]> | null = null;
  return {
    files: () => (files ??= filesAt(source)),
    async read(path) {
      const file = await resolve(source, path);
      const content = file === null ? null : await contentAt(source, file);
      return content === null ? null : textOf(content);
    },
    exists: async (path) => (await resolve(source, path)) !== null,
  };
}

/**
 * Lists the files, sorted. Links are left out: what they lead to inside the root is listed under
 * its own name.
 */
async function filesAt(source: BaseSource): Promise<readonly string[]> {
  const { tree, dirty } = source;
  const committed = [...tree].filter(([path, { isLink }]) => !isLink && !dirty.has(path));
  const uncommitted = await eachLimited([...dirty], async ([path, stamp]) => {
    const isPlain = stamp !== 'deleted' && (await linkAt(source, path)) === undefined;
    return isPlain ? [path] : [];
  });
  return [...committed.map(([path]) => path), ...uncommitted.flat()].filter(isPlainName).toSorted();
}

const mostLinks = 8;

/** The path of the plain file that a path means at the base, over links inside the root. */
async function resolve(source: BaseSource, path: string): Promise<string | null> {
  let plain = plainPath(path);
  for (let links = 0; plain !== null && links < mostLinks; links++) {
    const target = await linkAt(source, plain);
    if (target === undefined) return isFileAt(source, plain) ? plain : null;
    if (target === null || posix.isAbsolute(target)) return null;
    plain = plainPath(posix.join(posix.dirname(plain), target));
  }
  return null;
}

/** The target of a link, null if that is no longer known, undefined if it is not a link. */
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

/** The content at the base. The disk is only trusted if its content is the one that the base names. */
async function contentAt(source: BaseSource, path: string): Promise<Buffer | null> {
  const { root, dirty, tree, snapshots } = source;
  const stamp = dirty.get(path);
  if (stamp !== undefined) return uncommittedContent({ root, snapshots }, { path, stamp });
  const file = tree.get(path);
  if (file === undefined) return null;
  const disk = await readPlainFile(root, path);
  return disk !== null && isContentOf(file.id, disk) ? disk : committedContent(source, file);
}

/** The bytes of an uncommitted file that has this stamp in the base; null if they are gone. */
export async function uncommittedContent(
  { root, snapshots }: Pick<BaseSource, 'root' | 'snapshots'>,
  { path, stamp }: { readonly path: string; readonly stamp: string },
): Promise<Buffer | null> {
  const disk = await readPlainFile(root, path);
  const now = stamp.startsWith('stat ') ? statStamp(join(root, path)) : sha256In(disk);
  if (now === stamp) return disk;
  const kept = (await snapshots?.load(stamp)) ?? null;
  return sha256In(kept) === stamp ? kept : null;
}

function sha256In(content: Buffer | null): string | null {
  return content === null ? null : sha256Of(content);
}
