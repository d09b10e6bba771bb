// Reads the disk without following links out of the root, a few items at a time.
import { constants, lstatSync } from 'node:fs';
import { lstat, open, readlink, realpath } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { nullIfAbsent } from '../store/system-error.ts';

/** The largest file, in bytes, that is read as text. */
const largestText = 16 * 1024 * 1024;

/** The state of a path right now, without following a link. */
type OnDisk =
  | { readonly kind: 'file'; readonly size: number }
  | { readonly kind: 'link'; readonly target: string }
  | { readonly kind: 'other' }
  | { readonly kind: 'absent' };

/** Looks at the `path` below `root`, which is a real path. */
export async function lookAt(root: string, path: string): Promise<OnDisk> {
  const absolute = join(root, path);
  const stats = await nullIfAbsent(lstat(absolute));
  if (stats === null) return { kind: 'absent' };
  if (stats.isFile()) return { kind: 'file', size: stats.size };
  if (!stats.isSymbolicLink()) return { kind: 'other' };
  const target = await nullIfAbsent(readlink(absolute));
  return target === null ? { kind: 'absent' } : { kind: 'link', target };
}

/**
 * Reads the bytes of a plain file whose folders lie in the root, or null. A link in the file’s
 * place is not followed, and a pipe or a device is not opened.
 */
export async function readPlainFile(root: string, path: string): Promise<Buffer | null> {
  const absolute = join(root, path);
  const folder = await nullIfAbsent(realpath(dirname(absolute)));
  if (folder === null || !isInside(root, folder)) return null;
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const file = await nullIfAbsent(open(absolute, flags));
  if (file === null) return null;
  try {
    const stats = await file.stat();
    return stats.isFile() && stats.size <= largestText ? await file.readFile() : null;
  } finally {
    await file.close();
  }
}

/** The size and times in ns. A program cannot set the time of change back. */
export async function stampOf(path: string | Buffer): Promise<string> {
  const stats = await nullIfAbsent(lstat(path, { bigint: true }));
  return stats === null ? 'absent' : `${stats.size} ${stats.mtimeNs} ${stats.ctimeNs}`;
}

/**
 * Identifies the content of a plain file without reading it, because each write changes the stamp;
 * null if there is no such file. The base of a session records it for large files.
 */
export function statStamp(absolute: string): string | null {
  const stats = lstatSync(absolute, { bigint: true, throwIfNoEntry: false });
  if (stats?.isFile() !== true) return null;
  const { dev, ino, size, mtimeNs, ctimeNs } = stats;
  return `stat ${dev} ${ino} ${size} ${mtimeNs} ${ctimeNs}`;
}

/** Resolves the links of a path; returns it relative to the root, or null if it leaves the root. */
export async function withoutLinks(root: string, path: string): Promise<string | null> {
  const real = await nullIfAbsent(realpath(join(root, path)));
  return real === null || !isInside(root, real) ? null : relative(root, real).split(sep).join('/');
}

/** True if the folder of a path exists, and no link leads there. */
export async function hasPlainFolder(root: string, path: string): Promise<boolean> {
  const folder = dirname(path);
  return (await withoutLinks(root, folder)) === (folder === '.' ? '' : folder);
}

/** The text of a file, or null if it is binary: a NUL in the first 8 KB. */
export function textOf(content: Buffer): string | null {
  return isText(content) ? content.toString('utf8') : null;
}

export function isText(content: Buffer): boolean {
  return !content.subarray(0, 8192).includes(0);
}

/** True if one real path lies inside another. */
export function isInside(root: string, real: string): boolean {
  return real === root || real.startsWith(root.endsWith(sep) ? root : `${root}${sep}`);
}
