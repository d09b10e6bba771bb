import { constants } from 'node:fs';
import { open, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Stopped } from '../model/failure.ts';
import { isTemporary, replaceFile } from './atomic.ts';
import { inFolder, isLink, type FolderPath } from './pinned-folder.ts';
import { shown } from './printable.ts';
import { isAbsent } from './system-error.ts';

/** A session folder as a place: its root and the three folder names below. */
export type SessionPlace = Omit<FolderPath, 'made'>;

/** The parts of a path relative to the session folder. Throws `usage` where it could leave it. */
export function pathParts(relative: string): readonly string[] {
  const parts = relative.split('/').filter((part) => part !== '' && part !== '.');
  const leaves = relative.startsWith('/') || parts.includes('..');
  if (leaves || relative.includes('\0') || relative.includes('\\'))
    throw new Stopped({
      reason: 'usage',
      message: `The path ${shown(relative)} is refused: it must stay inside the session folder.`,
    });
  return parts;
}

/** Replaces a file and makes the folders above it. System errors are thrown as they are. */
export async function writeIn(
  base: SessionPlace,
  relative: string,
  data: string | Uint8Array,
): Promise<void> {
  const { folders, name } = splitPath(relative);
  await inFolder({ ...base, made: folders }, (folder) => replaceFile(folder, { name, data }));
}

/** The content of a file, or null where there is none. */
export async function readIn(base: SessionPlace, relative: string): Promise<Buffer | null> {
  const { folders, name } = splitPath(relative);
  return await ifThere(null, () =>
    inFolder(below(base, folders), async (folder) => {
      // Without O_NONBLOCK a pipe that was put there would hold us for ever.
      const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
      const file = await open(folder.at(name), O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
      try {
        return await file.readFile();
      } finally {
        await file.close();
      }
    }),
  );
}

/** Sorted names in a folder without temporary files; empty where there is none. */
export async function listIn(base: SessionPlace, relative: string): Promise<readonly string[]> {
  return await ifThere([], () =>
    inFolder(below(base, pathParts(relative)), async (folder) =>
      (await readdir(folder.at('.'))).filter((name) => !isTemporary(name)).toSorted(),
    ),
  );
}

/** Removes a file, or a folder with all that is in it; links inside are removed, not followed. */
export async function removeIn(base: SessionPlace, relative: string): Promise<void> {
  const { folders, name } = splitPath(relative);
  await ifThere(undefined, () =>
    inFolder(below(base, folders), async (folder) => {
      if (await isLink(folder.at(name)))
        throw new Stopped({ reason: 'link-refused', path: join(folder.path, name) });
      await rm(folder.at(name), { recursive: true, force: true });
      await folder.flush();
    }),
  );
}

function splitPath(relative: string): { folders: readonly string[]; name: string } {
  const parts = pathParts(relative);
  const name = parts.at(-1);
  if (name === undefined)
    throw new Stopped({ reason: 'usage', message: 'A path inside the session folder is empty.' });
  return { folders: parts.slice(0, -1), name };
}

function below(base: SessionPlace, folders: readonly string[]): FolderPath {
  return { root: base.root, existing: [...base.existing, ...folders] };
}

async function ifThere<T>(otherwise: T, action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    if (isAbsent(error)) return otherwise;
    throw error;
  }
}
