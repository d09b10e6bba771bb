// Takes paths apart: names, folders, endings.
import { redactTokens } from '../model/secrets.ts';

/**
 * The path in its plain form (relative, forward slashes, no `.` or `..`), or null if it is
 * absolute, or leads out of the root or into git’s or our own folder.
 */
export function plainPath(path: string): string | null {
  if (path === '' || path.includes('\0') || /^([/\\]|[A-Za-z]:[/\\])/.test(path)) return null;
  const parts = path.split('/').filter((part) => part !== '' && part !== '.');
  const plain = parts.join('/');
  return plain === '' || parts.includes('..') || isOwnFolder(plain) ? null : plain;
}

/** True for git’s folder and ours, at any depth: they are never searched or watched. */
export function isOwnFolder(path: string): boolean {
  return /(?:^|\/)\.(?:git|workflow)(?:\/|$)/i.test(path);
}

/**
 * False for a path that contains a token: such a file is never listed, because that would reveal
 * its name.
 */
export function isPlainName(path: string): boolean {
  return redactTokens(path) === path;
}

/** The file’s name without its folders. */
export function nameOfPath(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** The folder of a path; empty for a file at the root. */
export function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

/** The folders around a path, from the nearest to the root; empty for the root itself. */
export function foldersAbove(path: string): readonly string[] {
  const above: string[] = [];
  for (let at = path; at !== ''; above.push(at)) at = folderOf(at);
  return above;
}

/** The ending without its dot in lower case, e.g. `ts`; empty if there is none. */
export function endingOf(path: string): string {
  const name = nameOfPath(path);
  const dot = name.lastIndexOf('.');
  return dot <= 0 ? '' : name.slice(dot + 1).toLowerCase();
}

/** The file’s name without its ending, e.g. `date.test` for `test/date.test.ts`. */
export function stemOf(path: string): string {
  const name = nameOfPath(path);
  const dot = name.lastIndexOf('.');
  return dot <= 0 ? name : name.slice(0, dot);
}

/** Joins folder and name into one path; an empty folder is the root. */
export function joinPath(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`;
}

/** True for files such as `index.ts` and `mod.rs` that represent their folder. */
export function isFolderEntry(path: string): boolean {
  return folderOf(path) !== '' && ['index', 'mod', '__init__'].includes(stemOf(path));
}

/** The name to show, including the folder if the name alone says nothing, e.g. `cors/index.ts`. */
export function shortName(path: string): string {
  const isBare = /^(?:index|mod|__init__)\b/.test(nameOfPath(path));
  return isBare ? path.split('/').slice(-2).join('/') : nameOfPath(path);
}
