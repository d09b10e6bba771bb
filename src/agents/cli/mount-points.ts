// Removes the empty folders that a sandbox leaves where it had mounted something.
import { lstatSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import { hasCode } from '../../store/system-error.ts';

/**
 * Remembers which of these names are missing in the folders. The function that is returned removes
 * those that are there by then, as long as nothing is in them.
 */
export function mountPoints(folders: readonly string[], names: readonly string[]): () => void {
  const missing = folders
    .flatMap((folder) => names.map((name) => join(folder, name)))
    .filter((path) => lstatSync(path, { throwIfNoEntry: false }) === undefined);
  return () => {
    for (const path of missing) removeIfEmpty(path);
  };
}

function removeIfEmpty(path: string): void {
  try {
    rmdirSync(path);
  } catch (error) {
    // Missing, a file, or something is in it: then it is the work of the agent.
    if (!hasCode(error, ['ENOENT', 'ENOTDIR', 'ENOTEMPTY', 'EACCES', 'EPERM', 'EBUSY']))
      throw error;
  }
}
