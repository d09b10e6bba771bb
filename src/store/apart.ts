import { mkdir, realpath, rmdir } from 'node:fs/promises';
import { filesIn } from './folder-files.ts';
import type { SessionFolder } from './session-folder.ts';
import { isSystemError } from './system-error.ts';

/**
 * A place outside of the repository for what agents write while others still answer, so that
 * none finds the answer of another. Its paths are those of the session folder.
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

/** The only folder in it; the journal has a file of its own there. */
const rounds = 'rounds';

/**
 * Makes the place for a session in `path`; null where that cannot be, or where it would lie in the
 * repository all the same.
 */
export async function apartFrom(session: SessionFolder, path: string): Promise<Apart | null> {
  try {
    await mkdir(path, { recursive: true, mode: 0o700 });
    const [place, own] = await Promise.all([realpath(path), realpath(session.path)]);
    const repository = own.slice(0, -session.relative.length);
    if (place.startsWith(repository)) {
      await removeEmpty(path);
      return null;
    }
  } catch (error) {
    if (isSystemError(error)) return null;
    throw error;
  }
  const { id, relative } = session;
  const folder = { ...filesIn({ root: path, existing: [] }, id), id, path, relative };
  return {
    path,
    folder,
    async moveIn() {
      const files = await folder.listFiles(rounds);
      await Promise.all(
        files.map(async (file) => {
          const content = await folder.readBytes(file);
          if (content !== null) await session.write(file, content);
        }),
      );
      await folder.remove(rounds);
    },
    close: () => removeEmpty(path),
  };
}

async function removeEmpty(folder: string): Promise<void> {
  try {
    await rmdir(folder);
  } catch (error) {
    // A round that was interrupted is still in it.
    if (!isSystemError(error)) throw error;
  }
}
