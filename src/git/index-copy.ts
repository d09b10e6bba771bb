import { randomUUID } from 'node:crypto';
import {
  type BigIntStats,
  closeSync,
  constants,
  existsSync,
  fstatSync,
  futimesSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { isSystemError } from '../store/system-error.ts';
import { racyEntries, type RacyEntry } from './racy-entries.ts';

/** Git’s index as it was read. */
export interface ReadIndex {
  /** Absolute. */
  readonly file: string;
  /** The length of an id. */
  readonly idBytes: number;
  readonly bytes: Buffer;
  /** What git compares by contents; null where that cannot be told. */
  readonly racy: readonly RacyEntry[] | null;
  readonly stamp: string;
}

/** A copy of git’s index that counts as younger than all files. */
export interface IndexCopy {
  /** Absolute. */
  readonly file: string;
  /** What git would compare by contents if it had the index itself; below the prefix. */
  readonly racy: readonly RacyEntry[];
  /** Whether the index is still the one that was read, and the copy was there all the time. */
  isCurrent(): boolean;
  remove(): void;
}

/** For fewer entries than these git is quick enough. */
const worthCopy = 16;
/** In bytes; a larger one takes longer than it may be worth. */
const largestIndex = 32 * 1024 * 1024;

/** Null where it cannot be read, or is too large. Synchronous on purpose: git is waiting for it. */
export function readIndex(file: string, idBytes: number): ReadIndex | null {
  return unlessRefused(() => {
    // A pipe in its place is not waited for.
    const open = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const stats = fstatSync(open, { bigint: true });
      if (!stats.isFile() || stats.size > largestIndex) return null;
      const bytes = readFileSync(open);
      // Whole ms: the time as one number would be rounded up to the next second.
      const written = Number(stats.mtimeNs / 1_000_000n) / 1000;
      // Git takes no entry as racy where the time is none.
      const racy = written >= 1 ? racyEntries({ bytes, written, idBytes }) : null;
      return { file, idBytes, bytes, racy, stamp: stampOf(stats) };
    } finally {
      closeSync(open);
    }
  });
}

/**
 * Copies the index into the folder, if that spares git many contents and can be done; else null.
 * `prefix` is where the entries start that are asked for, empty or ending in `/`.
 */
export function copyIndex(
  index: ReadIndex,
  { prefix, folder }: { readonly prefix: string; readonly folder: string },
): IndexCopy | null {
  const racy = (index.racy ?? []).filter(({ path }) => path.startsWith(prefix));
  if (racy.length < worthCopy) return null;
  return unlessRefused(() => {
    const file = writeCopy(folder, { bytes: index.bytes, racy });
    return {
      file,
      racy,
      // Without the copy git would have found nothing tracked.
      isCurrent: () => existsSync(file) && stampAt(index.file) === index.stamp,
      remove: () => rmSync(file, { force: true }),
    };
  });
}

/** Null where the system does not do it. */
function unlessRefused<T>(action: () => T): T | null {
  try {
    return action();
  } catch (error) {
    if (isSystemError(error)) return null;
    throw error;
  }
}

function writeCopy(
  folder: string,
  { bytes, racy }: { readonly bytes: Buffer; readonly racy: readonly RacyEntry[] },
): string {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, `index-${randomUUID()}.tmp`);
  const now = Math.floor(Date.now() / 1000);
  const younger = racy.reduce((latest, { changed }) => Math.max(latest, changed + 1), now);
  const open = openSync(path, 'wx', 0o600);
  try {
    writeFileSync(open, bytes);
    futimesSync(open, now, younger);
  } catch (error) {
    rmSync(path, { force: true });
    throw error;
  } finally {
    closeSync(open);
  }
  return path;
}

function stampAt(file: string): string | null {
  const stats = statSync(file, { bigint: true, throwIfNoEntry: false });
  return stats === undefined ? null : stampOf(stats);
}

function stampOf({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return `${dev} ${ino} ${size} ${mtimeNs} ${ctimeNs}`;
}
