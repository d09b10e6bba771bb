// Turns errors of the operating system into failures.
import { Stopped } from '../model/failure.ts';

type SystemError = NodeJS.ErrnoException & { readonly code: string };

/**
 * True for an error of the operating system, e.g. ENOSPC, as opposed to a bug such as a wrong
 * argument type.
 */
export function isSystemError(error: unknown): error is SystemError {
  return (
    error instanceof Error &&
    'syscall' in error &&
    'code' in error &&
    typeof error.code === 'string'
  );
}

/** True for a file system error with one of the codes, e.g. `ENOENT`. */
export function hasCode(error: unknown, codes: readonly string[]): boolean {
  return isSystemError(error) && codes.includes(error.code);
}

/** Codes of a path that counts as missing: gone, unreadable, or replaced by something else. */
export const absentCodes = [
  'ENOENT',
  'ENOTDIR',
  'ELOOP',
  'EACCES',
  'EPERM',
  'EISDIR',
  'ENXIO',
  'ENAMETOOLONG',
  // The file has nothing to read now, such as the messages of the kernel.
  'EAGAIN',
] as const;

/** The result of `found`, or null if the path counts as missing. */
export async function nullIfAbsent<T>(found: Promise<T>): Promise<T | null> {
  try {
    return await found;
  } catch (error) {
    if (hasCode(error, absentCodes) || isNulInPath(error)) return null;
    throw error;
  }
}

/** True for the error with which Node refuses such a path before it asks the system; no file has one. */
function isNulInPath(error: unknown): boolean {
  return error instanceof TypeError && 'code' in error && error.code === 'ERR_INVALID_ARG_VALUE';
}

/** True if nothing exists at that path: no entry, or a file where a folder would have to be. */
export function isAbsent(error: unknown): boolean {
  return isSystemError(error) && (error.code === 'ENOENT' || error.code === 'ENOTDIR');
}

/**
 * Runs an action that writes `path`; what the system refuses becomes `cannot-write`, or
 * `cannot-begin` for what a new session needs, because it cannot be resumed yet.
 */
export async function guardWrite<T>(
  path: string,
  action: () => Promise<T>,
  { reason = 'cannot-write' }: { readonly reason?: 'cannot-write' | 'cannot-begin' } = {},
): Promise<T> {
  try {
    return await action();
  } catch (error) {
    if (!isSystemError(error)) throw error;
    // O_NOFOLLOW reports a link as ELOOP.
    if (error.code === 'ELOOP') throw new Stopped({ reason: 'link-refused', path });
    throw new Stopped({ reason, path, code: error.code });
  }
}

/** Runs an action that reads `path`; what the system refuses becomes `session-unreadable`. */
export async function guardRead<T>(
  { session, path }: { session: string; path: string },
  action: () => Promise<T>,
): Promise<T> {
  try {
    return await action();
  } catch (error) {
    if (!isSystemError(error)) throw error;
    if (error.code === 'ELOOP') throw new Stopped({ reason: 'link-refused', path });
    const message = `${path} cannot be opened (${error.code}).`;
    throw new Stopped({ reason: 'session-unreadable', session, message });
  }
}
