// Replaces a file so that no reader sees half of it, and sweeps the left-overs of killed writers.
import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { readdir, rename, rm, unlink, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { Stopped } from '../model/failure.ts';
import { inFolder, isLink, type PinnedFolder } from './pinned-folder.ts';
import { isAbsent, isSystemError, guardWrite } from './system-error.ts';

/**
 * Replaces a file (0600) so that readers and a crash see the old or the new content, never a
 * part. Throws `Stopped`: `cannot-write` with the errno, or `link-refused` if it is a link.
 */
export async function writeAtomic(path: string, data: string | Uint8Array): Promise<void> {
  const target = resolve(path);
  await guardWrite(target, () =>
    inFolder({ root: dirname(target), existing: [] }, (folder) =>
      replaceFile(folder, { name: basename(target), data }),
    ),
  );
}

/** Replaces a file in a folder that is already open. System errors are thrown unchanged. */
export async function replaceFile(
  folder: PinnedFolder,
  file: { name: string; data: string | Uint8Array },
): Promise<void> {
  await putFile(folder, file);
  await folder.flush();
}

/** Replaces a file in the same way, but its name survives a power loss only once the folder is flushed. */
export async function putFile(
  folder: PinnedFolder,
  { name, data }: { name: string; data: string | Uint8Array },
): Promise<void> {
  if (await isLink(folder.at(name)))
    throw new Stopped({ reason: 'link-refused', path: join(folder.path, name) });
  const temporary = folder.at(temporaryName(name));
  try {
    await writeNew(temporary, data);
    await rename(temporary, folder.at(name));
  } catch (error) {
    await discard(temporary);
    throw error;
  }
}

/** True for the names of `writeAtomic`’s temporary files. */
export function isTemporary(name: string): boolean {
  return /^\..+\.[0-9a-f]{16}\.tmp$/.test(name);
}

/**
 * Removes the temporary files that killed processes left in a folder and its subfolders; returns
 * how many. Never follows links. The caller holds the lock, because a live writer’s file would be
 * removed, too.
 */
export async function sweepTemporary(folder: string): Promise<number> {
  return await guardWrite(folder, () => sweep({ root: resolve(folder), existing: [] }));
}

// A long name is shortened so that the additions still fit into the 255 bytes of a file name.
function temporaryName(name: string): string {
  return `.${name.slice(0, 60)}.${randomBytes(8).toString('hex')}.tmp`;
}

async function writeNew(path: string, data: string | Uint8Array): Promise<void> {
  const { O_CREAT, O_EXCL, O_NOFOLLOW, O_WRONLY } = constants;
  const flag = O_CREAT | O_EXCL | O_NOFOLLOW | O_WRONLY;
  await writeFile(path, data, { flag, mode: 0o600, flush: true });
}

async function discard(temporary: string): Promise<void> {
  try {
    await unlink(temporary);
  } catch (error) {
    // The caller reports the first error; what cannot be removed now is swept at the next start.
    if (!isSystemError(error)) throw error;
  }
}

async function sweep(place: { root: string; existing: readonly string[] }): Promise<number> {
  try {
    return await inFolder(place, async (folder) => {
      let removed = 0;
      for (const entry of await readdir(folder.at('.'), { withFileTypes: true })) {
        if (entry.isDirectory())
          removed += await sweep({ ...place, existing: [...place.existing, entry.name] });
        else if (entry.isFile() && isTemporary(entry.name)) {
          await rm(folder.at(entry.name), { force: true });
          removed += 1;
        }
      }
      return removed;
    });
  } catch (error) {
    if (isAbsent(error)) return 0;
    throw error;
  }
}
