// Makes a folder with those above it, also where the system refuses one in the middle.
import { mkdirSync, statSync } from 'node:fs';
import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { hasCode, isSystemError, nullIfAbsent } from './system-error.ts';

/**
 * Rejects with the error of the first folder that cannot be made. Node’s own recursive `mkdir` never
 * ends below `/proc`: a folder is there, nothing can be made in it, and the system says “not found”.
 */
export async function makeFolder(
  path: string,
  options: { readonly mode?: number } = {},
): Promise<void> {
  try {
    await mkdir(path, options);
  } catch (error) {
    if (await isFolder(path)) return;
    const above = dirname(path);
    if (!hasCode(error, ['ENOENT']) || (await isFolder(above))) throw error;
    await makeFolder(above, options);
    await makeFolder(path, options);
  }
}

/** Makes it before it returns, for callers that cannot wait. */
export function makeFolderNow(path: string, options: { readonly mode?: number } = {}): void {
  try {
    mkdirSync(path, options);
  } catch (error) {
    if (isFolderNow(path)) return;
    const above = dirname(path);
    if (!hasCode(error, ['ENOENT']) || isFolderNow(above)) throw error;
    makeFolderNow(above, options);
    makeFolderNow(path, options);
  }
}

function isFolderNow(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch (error) {
    if (isSystemError(error)) return false;
    throw error;
  }
}

async function isFolder(path: string): Promise<boolean> {
  return (await nullIfAbsent(stat(path)))?.isDirectory() ?? false;
}
