/**
 * One immutable file of postings: header, postings, buckets of terms, directory of the buckets,
 * columns of the documents, payloads. Numbers are little-endian and 32 bits wide.
 *
 * A posting list is a row of varints: (gap to the block before, times 4) + count - 1, where a
 * count of 4 or more has its rest in a varint of its own. An entry of a bucket is the hash of a term
 * in two words, offset and length of its list, and the checksum of the list. Everything that is read
 * is covered by a checksum: lists by their entry, buckets by the directory, the rest by the header.
 */
export const magic = 'conclave-index';
/** Raised with every change to the format or what is written: older files are rebuilt. */
export const formatVersion = 7;

export const headerBytes = 64;
/** Start of the bucket’s entries, CRC of the bucket. */
export const directoryBytes = 8;
export const keyBytes = 16;
/** First block, length in terms, lines, kind, offset and length of the payload, its CRC. */
export const documentNumbers = 7;
export const documentBytes = keyBytes + 4 * documentNumbers;
export const termsPerBucket = 24;

/** Lines of a file that are counted together. */
export const blockLines = 20;

/** What starts the term of a name at the place that defines it, e.g. `@date` and `@=parsedate`. */
export const defining = '@';

/** A 53-bit hash of a term: only hashes are kept, so no list of terms has to be read. */
export function hashOf(term: string): number {
  if (term.startsWith(defining)) return definedHash(hashOf(term.slice(defining.length)));
  let a = seed;
  let b = otherSeed;
  for (let at = 0; at < term.length; at++) {
    const code = term.charCodeAt(at);
    a = Math.imul(a ^ code, factor);
    b = Math.imul(b ^ code, otherFactor);
  }
  const low = lowOf(a, b);
  return 2 ** 32 * highOf(b, low) + low;
}

/** The upper 21 bits are turned round. */
function definedHash(hash: number): number {
  return (2 ** 21 - 1 - Math.floor(hash / 2 ** 32)) * 2 ** 32 + (hash % 2 ** 32);
}

const seed = 0xdeadbeef;
const otherSeed = 0x41c6ce57;
const factor = 2654435761;
const otherFactor = 1597334677;

/** The lower 32 bits of a hash, from what its two halves have become. */
function lowOf(a: number, b: number): number {
  return (Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909)) >>> 0;
}

/** The upper 21 bits. */
function highOf(b: number, low: number): number {
  const mixed = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
  return 2097151 & mixed;
}
