import { hash } from 'node:crypto';
import { lstatSync, type BigIntStats } from 'node:fs';
import { isContentOf } from './commit-tree.ts';

/**
 * Names a content without reading it: files with the same mark have the same content. `blob` is
 * git’s hash, `sha256` that of an uncommitted file, `stat` the place and times of a file without
 * git.
 */
export type ContentMark = `blob ${string}` | `sha256 ${string}` | `stat ${string}`;

/** A file and what its content is. */
export interface MarkedFile {
  readonly path: string;
  readonly mark: ContentMark;
}

export function isContentMark(text: string): text is ContentMark {
  return text.startsWith('blob ') || text.startsWith('sha256 ') || text.startsWith('stat ');
}

/** The time of change cannot be set back by a program, so it tells each write. */
function statMark({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): ContentMark {
  return `stat ${dev} ${ino} ${size} ${mtimeNs} ${ctimeNs}`;
}

/** The mark of a plain file as it is on the disk now, or null if it is none. */
export function statMarkAt(absolute: string): ContentMark | null {
  const stats = lstatSync(absolute, { bigint: true, throwIfNoEntry: false });
  return stats?.isFile() === true ? statMark(stats) : null;
}

/** True where this content, just read from there, is the marked one. */
export function isMarked(
  mark: ContentMark,
  read: { readonly absolute: string; readonly content: Buffer },
): boolean {
  if (mark.startsWith('stat ')) return statMarkAt(read.absolute) === mark;
  const value = mark.slice(mark.indexOf(' ') + 1);
  return mark.startsWith('blob ')
    ? isContentOf(value, read.content)
    : hash('sha256', read.content) === value;
}
