import { lstat, stat } from 'node:fs/promises';
import { isSystemError } from '../store/system-error.ts';

/** True where something stands at the path, be it a link that leads nowhere. */
export async function isThere(path: string): Promise<boolean> {
  return (await found(lstat(path))) !== null;
}

/** True for a folder that can be looked at, also over links. */
export async function isFolder(path: string): Promise<boolean> {
  return (await found(stat(path)))?.isDirectory() ?? false;
}

/** Null where the system does not let us see anything. */
async function found<T>(look: Promise<T>): Promise<T | null> {
  try {
    return await look;
  } catch (error) {
    if (isSystemError(error)) return null;
    throw error;
  }
}
