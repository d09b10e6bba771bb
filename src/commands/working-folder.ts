import { existsSync } from 'node:fs';
import { isAbsolute, resolve } from 'node:path';
import { Stopped } from '../model/failure.ts';
import { isAbsent } from '../store/system-error.ts';
import { isFolder } from './on-disk.ts';

/** The absolute folder of `-C`. Throws `usage` where there is none. */
export async function workingFolder(value: string | undefined): Promise<string> {
  const folder = absoluteFolder(value ?? '.');
  await checkFolder(folder);
  return folder;
}

/** Throws `usage` for what is no folder. */
export async function checkFolder(folder: string): Promise<void> {
  if (await isFolder(folder)) return;
  throw new Stopped({ reason: 'usage', message: `-C takes a folder, and ${folder} is none.` });
}

/** Throws `usage` where it is one in the current folder, and that is gone or has no name for us. */
export function absoluteFolder(folder: string): string {
  if (isAbsolute(folder)) return resolve(folder);
  const current = currentFolder();
  const absolute = resolve(current, folder);
  if (absolute.includes('\uFFFD') && !existsSync(current)) {
    const message =
      'The path of the current folder is not UTF-8; change to another one, or name it with -C.';
    throw new Stopped({ reason: 'usage', message });
  }
  return absolute;
}

function currentFolder(): string {
  try {
    return process.cwd();
  } catch (error) {
    if (!isAbsent(error)) throw error;
    const message = 'The current folder is gone; change to another one, or name it with -C.';
    throw new Stopped({ reason: 'usage', message });
  }
}
