import { hash } from 'node:crypto';
import type { ContentMark } from '../content-mark.ts';
import { endingOf } from '../paths.ts';
import { isReadWhole } from './file-text.ts';
import { keyBytes } from './segment-format.ts';

/**
 * The key under which a file’s content stands in the index, as one character for each byte. The
 * same content is indexed anew for another language, and where more or less of it is searched.
 */
export function documentKey(path: string, mark: ContentMark): string {
  const read = isReadWhole(path) ? 'whole' : 'head';
  return hash('sha256', `${endingOf(path)} ${read} ${mark}`, 'binary').slice(0, keyBytes);
}
