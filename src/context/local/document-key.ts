import { hash } from 'node:crypto';
import type { ContentMark } from '../content-mark.ts';
import { endingOf } from '../paths.ts';
import { isReadWhole } from './file-text.ts';
import { keyBytes } from './segment-format.ts';

const tagBytes = 4;

/**
 * The key under which a file’s content stands in the index, as one character for each byte: how it
 * is read, and then its mark. The same content is indexed anew for another language, and where more
 * or less of it is searched.
 */
export function documentKey(path: string, mark: ContentMark): string {
  const tag = tagOf(`${endingOf(path)} ${isReadWhole(path) ? 'whole' : 'head'}`);
  // The hash of git tells contents apart as well as another one of it would.
  const own = mark.startsWith('blob ')
    ? Buffer.from(mark.slice(5, 5 + 2 * (keyBytes - tagBytes)), 'hex').toString('latin1')
    : hash('sha256', mark, 'binary');
  return (tag + own).slice(0, keyBytes);
}

/** A tree has few kinds of files. */
const tags = new Map<string, string>();

function tagOf(kind: string): string {
  const known = tags.get(kind);
  if (known !== undefined) return known;
  const tag = hash('sha256', kind, 'binary').slice(0, tagBytes);
  tags.set(kind, tag);
  return tag;
}
