import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import type { Base } from '../model/context.ts';
import { sha256Of } from '../store/digest.ts';
import { hasCode, absentCodes } from '../store/system-error.ts';
import { isText, largestText, lookAt, placeStamp, readPlainFile } from './disk.ts';
import { eachLimited } from './each-limited.ts';
import { guardedGit } from './guarded-git.ts';
import type { StatusEntry } from './git-status.ts';
import type { Repository } from './repository.ts';

/** Keeps the contents of uncommitted files by their sha256 in hex. */
export interface Snapshots {
  save(sha256: string, content: Buffer): Promise<void>;
  load(sha256: string): Promise<Buffer | null>;
}

/** Text files up to this size are kept; larger and binary ones are only hashed. In bytes. */
const largestSnapshot = 1024 * 1024;

interface Taking {
  readonly root: string;
  readonly snapshots: Snapshots | null;
  readonly signal: AbortSignal;
  /** True for a base that nobody records: each file has its `stat` stamp in place of a hash. */
  readonly isPassing: boolean;
}

/**
 * The base as it is now: the commit and a hash of each uncommitted file, its text kept; a file that
 * is too large to be read has its `stat` stamp. Rejects with the signal’s reason when that is aborted.
 */
export async function takeBase(
  work: Taking,
  status: {
    readonly commit: string | null;
    readonly entries: readonly Pick<StatusEntry, 'path' | 'readable'>[];
  },
): Promise<Base> {
  const entries = status.entries.filter((entry) => entry.readable);
  const stamps = await eachLimited(entries, async ({ path }) => ({
    path,
    stamp: await stampOf(work, path),
  }));
  const dirty = stamps.flatMap(({ path, stamp }) => (stamp === null ? [] : [[path, stamp]]));
  return { commit: status.commit, dirty: Object.fromEntries(dirty) };
}

/** The stamp of an uncommitted link: its target is its content, as it is for git. */
export function linkStamp(target: string): string {
  return sha256Of(target);
}

/** Null for a folder: a repository inside this one. */
async function stampOf(
  { root, snapshots, signal, isPassing }: Taking,
  path: string,
): Promise<string | null> {
  signal.throwIfAborted();
  const found = await lookAt(root, path);
  if (found.kind === 'other') return null;
  if (found.kind === 'absent') return 'deleted';
  if (found.kind === 'link') return linkStamp(found.target);
  // To hash what nobody reads would keep a session from starting.
  const isUnread = isPassing || found.size > largestText;
  if (isUnread) return placeStamp(join(root, path)) ?? 'deleted';
  if (found.size > largestSnapshot) return hashOfLarge(join(root, path), signal);
  const content = await readPlainFile(root, path);
  if (content === null) return 'deleted';
  const sha256 = sha256Of(content);
  if (isText(content)) await snapshots?.save(sha256, content);
  return sha256;
}

/** A file that cannot be read is for this session as good as deleted. */
async function hashOfLarge(absolute: string, signal: AbortSignal): Promise<string> {
  const hash = createHash('sha256');
  try {
    for await (const chunk of createReadStream(absolute)) {
      signal.throwIfAborted();
      hash.update(chunk);
    }
  } catch (error) {
    if (hasCode(error, absentCodes)) return 'deleted';
    throw error;
  }
  return hash.digest('hex');
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
