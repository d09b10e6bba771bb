import { join } from 'node:path';
import type { Base } from '../model/context.ts';
import { sha256Of } from '../store/digest.ts';
import { isText, lookAt, placeStamp, readPlainFile } from './disk.ts';
import { eachLimited } from './each-limited.ts';
import { guardedGit } from './guarded-git.ts';
import type { Repository } from './repository.ts';

/** Keeps the contents of uncommitted files by their sha256 in hex. */
export interface Snapshots {
  save(sha256: string, content: Buffer): Promise<void>;
  load(sha256: string): Promise<Buffer | null>;
}

/** Larger files are told by place and times: to hash what nobody reads would take long. In bytes. */
const largestHashed = 1024 * 1024;

interface Taking {
  readonly root: string;
  readonly snapshots: Snapshots | null;
  readonly signal: AbortSignal;
}

/**
 * The base as it is now: the commit and a hash of each uncommitted file, its text kept; a large
 * file has its `stat` stamp. Rejects with the signal’s reason when that is aborted.
 */
export async function takeBase(
  work: Taking,
  { commit, paths }: { readonly commit: string | null; readonly paths: readonly string[] },
): Promise<Base> {
  const stamps = await eachLimited(paths, async (path) => [path, await stampOf(work, path)]);
  return { commit, dirty: Object.fromEntries(stamps.filter(([, stamp]) => stamp !== null)) };
}

/** The stamp of an uncommitted link: its target is its content, as it is for git. */
export function linkStamp(target: string): string {
  return sha256Of(target);
}

/** Null for a folder: a repository inside this one. */
async function stampOf({ root, snapshots, signal }: Taking, path: string): Promise<string | null> {
  signal.throwIfAborted();
  const found = await lookAt(root, path);
  if (found.kind === 'other') return null;
  if (found.kind === 'absent') return 'deleted';
  if (found.kind === 'link') return linkStamp(found.target);
  if (found.size > largestHashed) return placeStamp(join(root, path)) ?? 'deleted';
  const content = await readPlainFile(root, path);
  if (content === null) return 'deleted';
  const sha256 = sha256Of(content);
  if (isText(content)) await snapshots?.save(sha256, content);
  return sha256;
}

/** Files whose content on the disk may be another one than at the base. */
export async function changedSince(
  { root, base }: Pick<Repository, 'root' | 'base'>,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const uncommitted = Object.entries(base.dirty)
    .filter(([path, stamp]) => stamp !== 'deleted' && placeStamp(join(root, path)) !== stamp)
    .map(([path]) => path);
  if (base.commit === null) return uncommitted;
  const answer = await guardedGit({ root, signal }, [...differences, base.commit, '--', '.']);
  const changed = answer.ok ? answer.stdout.toString('utf8').split('\0') : [];
  const known = new Set(Object.keys(base.dirty));
  return [...uncommitted, ...changed.filter((path) => path !== '' && !known.has(path))];
}

const differences =
  'diff --name-only --no-renames --no-ext-diff --relative --ignore-submodules=all -z'.split(' ');
