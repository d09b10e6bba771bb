import { randomUUID } from 'node:crypto';
import {
  type BigIntStats,
  closeSync,
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
import { sweep } from './left-over.ts';
import { racyEntries, type RacyEntry } from './racy-entries.ts';

/** A copy of git’s index that counts as younger than all files. */
export interface IndexCopy {
  /** Absolute. */
  readonly file: string;
  /** What git would compare by contents if it had the index itself; below the prefix. */
  readonly racy: readonly RacyEntry[];
  /** Whether the index is still that of the copy, and the copy was there all the time. */
  isCurrent(): boolean;
  remove(): void;
}

/** For fewer entries than these git is quick enough. */
const worthCopy = 16;
/** In bytes; a larger one is worth more than the contents of the files. */
const largestIndex = 32 * 1024 * 1024;

/**
 * Copies the index into the folder, if that spares git many contents and can be done; else null.
 * `prefix` is where the entries start that are asked for, empty or ending in `/`.
 */
export function copyIndex(
  index: { readonly file: string; readonly idBytes: number; readonly prefix: string },
  folder: string,
): IndexCopy | null {
  try {
    const read = readIndex(index);
    if (read === null) return null;
    const racy = read.racy.filter(({ path }) => path.startsWith(index.prefix));
    if (racy.length < worthCopy) return null;
    const file = writeCopy(folder, { bytes: read.bytes, racy });
    return {
      file,
      racy,
      // Without the copy git would have found nothing tracked.
      isCurrent: () => existsSync(file) && stampAt(index.file) === read.stamp,
      remove: () => rmSync(file, { force: true }),
    };
  } catch (error) {
    if (isSystemError(error)) return null;
    throw error;
  }
}

/** Synchronous on purpose: git waits for it. */
function readIndex({ file, idBytes }: { readonly file: string; readonly idBytes: number }): {
  readonly bytes: Buffer;
  readonly racy: readonly RacyEntry[];
  readonly stamp: string;
} | null {
  const open = openSync(file, 'r');
  try {
    const stats = fstatSync(open, { bigint: true });
    const written = Number(stats.mtimeNs / 1_000_000_000n);
    // Git takes no entry as racy where the time is none.
    if (written <= 0 || stats.size > largestIndex) return null;
    const bytes = readFileSync(open);
    const racy = racyEntries({ bytes, written, idBytes });
    return racy === null ? null : { bytes, racy, stamp: stampOf(stats) };
  } finally {
    closeSync(open);
  }
}

function writeCopy(
  folder: string,
  { bytes, racy }: { readonly bytes: Buffer; readonly racy: readonly RacyEntry[] },
): string {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  sweep(folder);
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
