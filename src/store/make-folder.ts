// Makes a folder and those above it, even where the system refuses one in the middle.
import { mkdirSync, statSync } from 'node:fs';
import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { hasCode, isSystemError, nullIfAbsent } from './system-error.ts';

/**
 * Makes the folder. Rejects with the error of the first folder that cannot be made. Node’s own
 * recursive `mkdir` never ends below `/proc`, where a folder exists, nothing can be made in it, and
 * the system says “not found”. Each is tried twice, because others may make the folder above it in
 * between.
 */
export async function makeFolder(
  path: string,
  options: { readonly mode?: number } = {},
): Promise<void> {
  const make = () => mkdir(path, options).then(() => null, caught);
  const first = await make();
  if (first === null || (await isFolder(path))) return;
  if (!hasCode(first.error, ['ENOENT'])) throw first.error;
  const above = dirname(path);
  if (!(await isFolder(above))) await makeFolder(above, options);
  const second = await make();
  if (second !== null && !(await isFolder(path))) throw second.error;
}

/** Makes the folder before it returns, for callers that cannot wait. */
export function makeFolderNow(path: string, options: { readonly mode?: number } = {}): void {
  const make = () => {
    try {
      mkdirSync(path, options);
      return null;
    } catch (error) {
      return caught(error);
    }
  };
  const first = make();
  if (first === null || isFolderNow(path)) return;
  if (!hasCode(first.error, ['ENOENT'])) throw first.error;
  const above = dirname(path);
  if (!isFolderNow(above)) makeFolderNow(above, options);
  const second = make();
  if (second !== null && !isFolderNow(path)) throw second.error;
}

function caught(error: unknown): { readonly error: unknown } {
  return { error };
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
