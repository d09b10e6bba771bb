// Makes a folder and those above it, even where the system refuses one in the middle.
import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { hasCode, isSystemError } from './system-error.ts';

/** Makes the folder like `makeFolderNow`, and rejects where that throws. */
export async function makeFolder(
  path: string,
  options: { readonly mode?: number } = {},
): Promise<void> {
  makeFolderNow(path, options);
}

/**
 * Makes the folder. Throws the error of the first folder that cannot be made. Node’s own recursive
 * `mkdir` never ends below `/proc`, where a folder exists, nothing can be made in it, and the
 * system says “not found”. Each is tried twice, because other processes may make the folder above
 * it in between.
 */
export function makeFolderNow(path: string, options: { readonly mode?: number } = {}): void {
  const fault = faultOf(() => mkdirSync(path, options));
  if (fault === null || isFolder(path)) return;
  if (!hasCode(fault, ['ENOENT'])) throw fault;
  const above = dirname(path);
  if (!isFolder(above)) makeFolderNow(above, options);
  const second = faultOf(() => mkdirSync(path, options));
  if (second !== null && !isFolder(path)) throw second;
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch (error) {
    if (isSystemError(error)) return false;
    throw error;
  }
}

/** Does something; returns the error of the system, or null if it worked. */
function faultOf(act: () => unknown): Error | null {
  try {
    act();
    return null;
  } catch (error) {
    if (isSystemError(error)) return error;
    throw error;
  }
}
