import { mkdir, readdir, realpath, rename, rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { readIn, type SessionPlace, writeIn } from './folder-files.ts';
import { inFolder } from './pinned-folder.ts';
import { filesIn, folderPlace, type SessionFolder } from './session-folder.ts';
import { hasCode, isAbsent, isSystemError, writing } from './system-error.ts';

/**
 * A place outside of the repository for what agents write while others still answer, so that
 * none comes across the answer of another. It has the paths of the session folder.
 */
export interface Apart {
  /** Absolute. */
  readonly path: string;
  readonly folder: SessionFolder;
  /** Moves all its files into the session folder; nothing happens where there are none. */
  moveIn(): Promise<void>;
  /** Removes the place if nothing is left in it. */
  close(): Promise<void>;
}

/**
 * Makes the place for a session in `path`; null where that cannot be, or where it would lie in the
 * repository all the same.
 */
export async function apartFrom(session: SessionFolder, path: string): Promise<Apart | null> {
  const to = folderPlace(session);
  const from: SessionPlace = { root: path, existing: [] };
  try {
    await mkdir(path, { recursive: true, mode: 0o700 });
    const [place, repository] = await Promise.all([realpath(path), realpath(to.root)]);
    if (place.startsWith(`${repository}/`)) {
      await removeEmpty(path);
      return null;
    }
  } catch (error) {
    if (isSystemError(error)) return null;
    throw error;
  }
  const { id, relative } = session;
  return {
    path,
    folder: { ...filesIn(from, id), id, path, relative },
    moveIn: () => writing(session.path, () => moveAll(from, to)),
    close: () => removeEmpty(path),
  };
}

/** The folder of the rounds: all that lies apart but for the records. */
const rounds = 'rounds';

async function moveAll(from: SessionPlace, to: SessionPlace): Promise<void> {
  const source = join(from.root, rounds);
  for (const round of await namesIn(source)) {
    for (const name of await namesIn(join(source, round))) {
      await move({ from, to, folders: [rounds, round], name });
    }
  }
  await rm(source, { recursive: true, force: true });
}

/** At once where the disk is the same and nothing is in the way, else file by file. */
async function move(what: {
  readonly from: SessionPlace;
  readonly to: SessionPlace;
  readonly folders: readonly string[];
  readonly name: string;
}): Promise<void> {
  const { from, to, folders, name } = what;
  const source = join(from.root, ...folders, name);
  try {
    await inFolder({ ...to, made: folders }, async (folder) => {
      await rename(source, folder.at(name));
      await folder.flush();
    });
  } catch (error) {
    if (!hasCode(error, ['EXDEV', 'ENOTEMPTY', 'EEXIST', 'ENOTDIR'])) throw error;
    const entries = await readdir(source, { recursive: true, withFileTypes: true });
    for (const entry of entries.filter((one) => one.isFile())) {
      const path = join(entry.parentPath, entry.name).slice(from.root.length + 1);
      const data = await readIn(from, path);
      if (data !== null) await writeIn(to, path, data);
    }
  }
}

async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (isAbsent(error)) return [];
    throw error;
  }
}

async function removeEmpty(folder: string): Promise<void> {
  try {
    await rmdir(folder);
  } catch (error) {
    // A round that was interrupted is still in it.
    if (!isSystemError(error)) throw error;
  }
}
