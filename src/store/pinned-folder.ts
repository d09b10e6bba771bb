// Holds a folder open, so that no link can be put in its place.
import { constants, type Stats } from 'node:fs';
import { lstat, mkdir, open, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { Stopped } from '../model/failure.ts';
import { isAbsent, isSystemError } from './system-error.ts';

/** A folder held open, so that nobody can replace it in the meantime. */
export interface PinnedFolder {
  /** The path of the folder for people. */
  readonly path: string;
  /** The path by which one entry is opened; valid until the action ends. */
  at(name: string): string;
  /** Makes new, renamed and removed entries survive a power loss. */
  flush(): Promise<void>;
}

export interface FolderPath {
  /** The absolute root; links up to here are the user’s own and are followed. */
  readonly root: string;
  /** Folder names below the root that must exist. */
  readonly existing: readonly string[];
  /** Folder names below those; made (0700) if they are missing. */
  readonly made?: readonly string[];
}

/**
 * Walks from the root to a folder, refusing every link on the way (`link-refused`), and passes it
 * to the action. System errors (ENOENT for a missing folder) are thrown unchanged.
 */
export async function inFolder<T>(
  place: FolderPath,
  action: (folder: PinnedFolder) => Promise<T>,
): Promise<T> {
  const folder = await walk(place);
  try {
    return await action({
      path: folder.path,
      at: (name) => entryOf(folder, name),
      flush: () => flushFolder(folder.handle),
    });
  } finally {
    await folder.handle.close();
  }
}

/** True if the entry itself is a symbolic link; false also if it is missing. */
export async function isLink(path: string): Promise<boolean> {
  return (await statOf(path))?.isSymbolicLink() ?? false;
}

/** A file of a session, for messages about it. */
interface NamedFile {
  readonly session: string;
  readonly path: string;
}

/**
 * Throws `link-refused`, or `session-unreadable` if something other than a file is at the path: a
 * pipe would block, and a device could answer anything. A missing file is fine.
 */
export async function refuseOther(entry: string, file: NamedFile): Promise<void> {
  const found = await statOf(entry);
  if (found === null) return;
  if (found.isFile()) return refuseLarge(found, file);
  const { session, path } = file;
  if (found.isSymbolicLink()) throw new Stopped({ reason: 'link-refused', path });
  const message = `${path} is not a regular file; remove it and try again.`;
  throw new Stopped({ reason: 'session-unreadable', session, message });
}

/** Throws `session-unreadable` for a file that is too large to be read as one text. */
export function refuseLarge({ size }: Stats, { session, path }: NamedFile): void {
  if (size <= 500e6) return;
  const message = `${path} is larger than 500 MB, which no file of a session is.`;
  throw new Stopped({ reason: 'session-unreadable', session, message });
}

async function statOf(path: string): Promise<Stats | null> {
  try {
    return await lstat(path);
  } catch (error) {
    if (isAbsent(error)) return null;
    throw error;
  }
}

interface OpenFolder {
  readonly handle: FileHandle;
  readonly path: string;
}

const folderFlags = constants.O_RDONLY | constants.O_DIRECTORY;

async function walk({ root, existing, made = [] }: FolderPath): Promise<OpenFolder> {
  let here: OpenFolder = { handle: await open(root, folderFlags), path: root };
  const names = [...existing, ...made];
  for (const [index, name] of names.entries()) {
    const parent = here;
    try {
      if (index >= existing.length) await makeFolder(parent, name);
      here = await enter(parent, name);
    } finally {
      await parent.handle.close();
    }
  }
  return here;
}

async function makeFolder(parent: OpenFolder, name: string): Promise<void> {
  try {
    await mkdir(entryOf(parent, name), { mode: 0o700 });
  } catch (error) {
    if (isSystemError(error) && error.code === 'EEXIST') return;
    throw error;
  }
  await flushFolder(parent.handle);
}

async function enter(parent: OpenFolder, name: string): Promise<OpenFolder> {
  const entry = entryOf(parent, name);
  const path = join(parent.path, name);
  try {
    return { handle: await open(entry, folderFlags | constants.O_NOFOLLOW), path };
  } catch (error) {
    if (await isLink(entry)) throw new Stopped({ reason: 'link-refused', path });
    throw error;
  }
}

/**
 * The path of an entry. Node has no `openat`. On Linux `/proc/self/fd/N/name` is resolved from the
 * open folder itself, so a link that is swapped in above it has no effect; elsewhere only the check
 * before protects.
 */
function entryOf(folder: OpenFolder, name: string): string {
  if (process.platform === 'linux') return `/proc/self/fd/${folder.handle.fd}/${name}`;
  return join(folder.path, name);
}

async function flushFolder(handle: FileHandle): Promise<void> {
  try {
    await handle.sync();
  } catch (error) {
    // Some network and user-space file systems cannot flush a folder and need not.
    if (isSystemError(error) && (error.code === 'EINVAL' || error.code === 'ENOTSUP')) return;
    throw error;
  }
}
