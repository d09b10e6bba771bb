import { hash } from 'node:crypto';
import type { ContentMark } from '../content-mark.ts';
import { endingOf } from '../paths.ts';
import { keyBytes } from './segment-format.ts';

/**
 * The key under which a file’s content stands in the index, as one character for each byte. The
 * same content is indexed anew for another language.
 */
export function documentKey(path: string, mark: ContentMark): string {
  return hash('sha256', `${endingOf(path)} ${mark}`, 'binary').slice(0, keyBytes);
}
