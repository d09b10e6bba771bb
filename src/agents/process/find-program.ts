// Finds a program by its name on the search path.
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import { isSystemError } from '../../store/system-error.ts';

/**
 * The absolute path of a program: `name` itself if it is absolute, or else the first executable of
 * that name on `searchPath`. Nothing relative counts, neither a name with a slash nor an entry of
 * the search path, so that the current folder can never supply a program. Null if there is none.
 */
export function findProgram(name: string, searchPath: string | undefined): string | null {
  if (isAbsolute(name)) return isExecutable(name) ? name : null;
  if (name.includes('/')) return null;
  const folders = (searchPath ?? '').split(delimiter).filter((folder) => isAbsolute(folder));
  return folders.map((folder) => join(folder, name)).find(isExecutable) ?? null;
}

function isExecutable(path: string): boolean {
  try {
    // Most folders of the search path do not have it, and an error takes long to make.
    if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true) return false;
    accessSync(path, constants.X_OK);
    return true;
  } catch (error) {
    // We may not enter or execute it.
    if (isSystemError(error)) return false;
    throw error;
  }
}
