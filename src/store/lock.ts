// Gives each session one owner.
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { hostname } from 'node:os';
import type { DatabaseSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import { Stopped, wrongUsage } from '../model/failure.ts';
import { Timestamp } from '../model/ids.ts';
import { readAs } from '../model/json.ts';
import { sweepTemporary } from './atomic.ts';
import type { FolderFiles, FolderRoot } from './folder-files.ts';
import { inFolder, refuseOther } from './pinned-folder.ts';
import { folderRoot, type SessionFolder } from './session-folder.ts';
import { isDamage, sqliteBusy, sqliteCode } from './history-database.ts';
import { isSystemError, guardWrite } from './system-error.ts';

const lockName = 'lock.sqlite';
const ownerName = 'owner.json';
// The shape is strict, because it is shown to the user and any process could have written it.
const Owner = z.object({
  pid: z.int().min(1),
  host: z.string().regex(/^[\u{21}-\u{7e}]{1,255}$/u),
  since: Timestamp,
});
type Owner = z.infer<typeof Owner>;

// Without a reference, a connection would be garbage-collected, and its lock with it.
const held = new Set<DatabaseSync>();

/** Takes the lock; nothing is ever written, so the file stays empty and has no journal next to it. */
const exclusively = 'PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE';

/** A folder that can have one owner: that of a session or of a conversation. */
export type LockedFolder = Pick<SessionFolder, 'id' | 'path'> & FolderFiles;

/**
 * Makes this process the sole owner of a session until `release`; the kernel frees the lock when
 * the process dies. Throws `session-busy` at once (finding the owner’s name may take 200 ms),
 * `cannot-write`, `link-refused` or `session-unreadable`. While it is held, this process must not
 * read `lock.sqlite`: closing any descriptor of a file drops all its locks on that file.
 */
export async function lockSession(
  folder: LockedFolder,
  place: FolderRoot = folderRoot(folder),
): Promise<{ release(): Promise<void> }> {
  const path = folder.absolute(lockName);
  await guardWrite(path, () => makeLockFile(folder, place));
  const free = await win(folder, path);
  let isHeld = true;
  const release = async (): Promise<void> => {
    if (!isHeld) return;
    isHeld = false;
    try {
      // The name is removed before the lock is freed: afterwards the file could be the next owner’s.
      await folder.remove(ownerName);
    } finally {
      free();
    }
  };
  try {
    await folder.writeJson(ownerName, thisProcess());
  } catch (error) {
    free();
    throw error;
  }
  return { release };
}

/** Locks a file until the returned function is called, or this process dies; null if it is locked. */
export async function tryLock(path: string): Promise<(() => void) | null> {
  const { DatabaseSync } = await import('node:sqlite');
  const database = new DatabaseSync(path, { timeout: 0 });
  held.add(database);
  const release = () => {
    if (held.delete(database)) database.close();
  };
  try {
    database.exec(exclusively);
    return release;
  } catch (error) {
    release();
    if (sqliteCode(error) === sqliteBusy) return null;
    throw error;
  }
}

/** Runs an action as the sole owner of a session. Throws like `lockSession`. */
export async function withLock<T>(folder: SessionFolder, action: () => Promise<T>): Promise<T> {
  const lock = await lockSession(folder);
  try {
    return await action();
  } finally {
    await lock.release();
  }
}

/** True while a living process owns the session; one on another host is assumed to live. */
export async function hasOwner(folder: LockedFolder): Promise<boolean> {
  return (await livingOwner(folder)) !== null;
}

/** True if the last owner was killed before it could remove its name, or still lives. */
export async function wasKilled(folder: SessionFolder): Promise<boolean> {
  return (await folder.read(ownerName)) !== null;
}

/** Removes the owner’s name and unfinished writes, for a process that ends without `release`. */
export async function leaveSession(folder: SessionFolder): Promise<void> {
  const owner = await livingOwner(folder);
  if (owner?.pid !== process.pid || owner.host !== hostname()) return;
  await folder.remove(ownerName);
  await sweepTemporary(folder.path);
}

/** Uses O_EXCL, so that an existing file, which this process may have locked, is never opened here. */
async function makeLockFile(folder: LockedFolder, place: FolderRoot): Promise<void> {
  const { O_CREAT, O_EXCL, O_NOFOLLOW, O_RDWR } = constants;
  await inFolder(place, async (pinned) => {
    await refuseOther(pinned.at(lockName), {
      session: folder.id,
      path: folder.absolute(lockName),
    });
    try {
      const file = await open(pinned.at(lockName), O_CREAT | O_EXCL | O_NOFOLLOW | O_RDWR, 0o600);
      await file.close();
    } catch (error) {
      if (isSystemError(error) && error.code === 'EEXIST') return;
      throw error;
    }
  });
}

const mostTries = 12;

/**
 * Takes the lock. Two processes that try at the same instant can turn each other away, so a busy
 * lock without a living owner is tried again after a moment of random length, for some 200 ms at most. A new owner
 * takes a few ms to write its name, and a killed one leaves its name behind: only a living one is
 * believed.
 */
async function win(folder: LockedFolder, path: string): Promise<() => void> {
  const nobody = { pid: null, host: null, since: null };
  for (let tries = 1; ; tries += 1) {
    const free = await begin(folder, path);
    if (free !== null) return free;
    const owner = await livingOwner(folder);
    if (owner !== null || tries === mostTries) {
      throw new Stopped({ reason: 'session-busy', session: folder.id, ...(owner ?? nobody) });
    }
    await wait(5 + Math.random() * 25);
  }
}

/** Locks the file, or returns null if another one holds the lock. */
async function begin(folder: LockedFolder, path: string): Promise<(() => void) | null> {
  try {
    return await tryLock(path);
  } catch (error) {
    const code = sqliteCode(error);
    throw code === null ? error : lockFailure({ folder, path, code });
  }
}

/** The longest path, with the name of the journal next to it, that SQLite opens. */
const longestPath = 500;
const cannotOpen = 14;
const errnoOf: Readonly<Record<number, string>> = {
  3: 'EACCES',
  8: 'EROFS',
  10: 'EIO',
  13: 'ENOSPC',
  14: 'EACCES',
};

function lockFailure(at: { folder: LockedFolder; path: string; code: number }): Stopped {
  const { folder, path, code } = at;
  if (isDamage(code))
    return new Stopped({
      reason: 'session-unreadable',
      session: folder.id,
      message: `${path} is damaged; remove it and try again.`,
    });
  const length = Buffer.byteLength(path);
  if (code === cannotOpen && length > longestPath)
    return wrongUsage(
      `The path of session ${folder.id} has ${length} bytes, of which its lock takes at most ${longestPath}; move the repository to a shorter path.`,
    );
  return new Stopped({ reason: 'cannot-write', path, code: errnoOf[code] ?? `SQLITE_${code}` });
}

async function livingOwner(folder: LockedFolder): Promise<Owner | null> {
  const owner = readAs(Owner, await folder.read(ownerName));
  return owner !== null && (owner.host !== hostname() || lives(owner.pid)) ? owner : null;
}

function lives(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // EPERM: the process lives and belongs to another user.
    return isSystemError(error) && error.code === 'EPERM';
  }
}

function thisProcess(): Owner {
  const since = new Date(performance.timeOrigin).toISOString();
  return { pid: process.pid, host: hostname(), since };
}
