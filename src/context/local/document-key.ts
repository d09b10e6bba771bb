import { hash } from 'node:crypto';
import type { ContentMark } from '../../git/content-mark.ts';
import type { FileTraits } from '../file-kinds.ts';
import { isReadWhole } from './file-text.ts';
import { hashOf, keyBytes } from './segment-format.ts';

/** Numbers of 32 bits that a key has. */
export const keyWords = keyBytes / 4;

interface Marked {
  readonly mark: ContentMark;
  readonly traits: FileTraits;
}

/** The key of a file’s content as one character for each byte. */
export function documentKey({ mark, traits }: Marked): string {
  room.writeUInt32LE(tagOf(traits));
  const isHash = mark.startsWith('blob ');
  room.write(isHash ? mark.slice(5, 5 + hashDigits) : hash('sha256', mark), 4, 'hex');
  return room.toString('latin1');
}

/** For one key: a new place for each would take longer than all the rest. */
const room = Buffer.alloc(keyBytes);
const hashDigits = 2 * (keyBytes - 4);

/**
 * Writes the key under which a file’s content stands in the index: how it is read, and then its
 * mark. The same content is indexed anew for another language, and where more or less of it is
 * searched.
 */
export function writeKey(
  { mark, traits }: Marked,
  { to, at }: { readonly to: Uint32Array; readonly at: number },
): void {
  to[at] = tagOf(traits);
  // The hash of git tells contents apart as well as another one of it would.
  const isHash = mark.startsWith('blob ');
  const hex = isHash ? mark : hash('sha256', mark);
  const start = isHash ? 5 : 0;
  for (let word = 1; word < keyWords; word++) to[at + word] = wordIn(hex, start + 8 * (word - 1));
}

/** The number that four bytes in hex stand for, the lowest first. */
function wordIn(hex: string, at: number): number {
  let word = 0;
  for (let byte = 3; byte >= 0; byte--) {
    const high = digitOf(hex.charCodeAt(at + 2 * byte));
    word = (word << 8) | (high << 4) | digitOf(hex.charCodeAt(at + 2 * byte + 1));
  }
  return word;
}

function digitOf(code: number): number {
  return code < 58 ? code - 48 : code - 87;
}

/** A tree has few kinds of files. */
const tags = new WeakMap<FileTraits, number>();

function tagOf(traits: FileTraits): number {
  const known = tags.get(traits);
  if (known !== undefined) return known;
  const part = isReadWhole(traits) ? 'whole' : 'head';
  const tag = hashOf(`${traits.ending} ${part}`) % 2 ** 32;
  tags.set(traits, tag);
  return tag;
}
