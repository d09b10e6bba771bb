import { isSystemError } from '../store/system-error.ts';

/** True for a file system error with one of the codes, e.g. `ENOENT`. */
export function hasCode(error: unknown, codes: readonly string[]): boolean {
  return isSystemError(error) && codes.includes(error.code);
}

/** A path that is gone, cannot be opened, or is not what it was: as good as not there. */
export const absentCodes = [
  'ENOENT',
  'ENOTDIR',
  'ELOOP',
  'EACCES',
  'EPERM',
  'EISDIR',
  'ENXIO',
  'ENAMETOOLONG',
] as const;

/** What `reading` gives, or null where the path is as good as not there. */
export async function unlessAbsent<T>(reading: Promise<T>): Promise<T | null> {
  try {
    return await reading;
  } catch (error) {
    if (hasCode(error, absentCodes)) return null;
    throw error;
  }
}
