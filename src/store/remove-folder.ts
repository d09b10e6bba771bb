// Removes a folder in which a program may have locked files away.
import { chmod, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isSystemError } from './system-error.ts';

/** Removes a folder with everything in it, also what its owner may not enter or write to. */
export async function removeFolder(path: string): Promise<void> {
  try {
    await rm(path, { recursive: true, force: true });
  } catch (error) {
    if (!isSystemError(error)) throw error;
    await unlock(path);
    await rm(path, { recursive: true, force: true });
  }
}

async function unlock(folder: string): Promise<void> {
  await chmod(folder, 0o700);
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) await unlock(join(folder, entry.name));
  }
}
