import { crc32 } from 'node:zlib';
import {
  bucketOf,
  checksum,
  directoryBytes,
  entryBytes,
  formatVersion,
  headerBytes,
  keyBytes,
  magic,
  termsPerBucket,
} from './segment-format.ts';

/** Everything of a segment in memory: the log of postings in the order they were seen. */
interface Collected {
  /** Of the terms, in the order of their numbers. */
  readonly hashes: Float64Array;
  readonly terms: Uint32Array;
  readonly blocks: Uint32Array;
  readonly counts: Uint16Array;
  readonly blockCount: number;
  readonly documents: {
    readonly keys: Buffer;
    readonly columns: Uint32Array;
    readonly payloads: Buffer;
  };
}

/** The parts of the file in their order. */
export function encodeSegment(collected: Collected): readonly Buffer[] {
  const { hashes } = collected;
  const { payloads } = collected.documents;
  const lists = postingLists(collected, hashes.length);
  const { buckets, directory } = encodeBuckets(hashes, lists);
  const documents = encodeDocuments(collected.documents);
  const header = Buffer.alloc(headerBytes);
  header.write(magic, 0, 'latin1');
  const numbers = [
    formatVersion,
    collected.documents.keys.length / keyBytes,
    collected.blockCount,
    lists.bytes.length,
    buckets.length,
    directory.length / directoryBytes,
    payloads.length,
    crc32(documents, crc32(directory)),
  ];
  for (const [at, number] of numbers.entries()) header.writeUInt32LE(number, 16 + 4 * at);
  header.writeUInt32LE(crc32(header.subarray(0, headerBytes - 4)), headerBytes - 4);
  return [header, lists.bytes, buckets, directory, documents, payloads];
}

interface Lists {
  readonly bytes: Buffer;
  /** Where the list of each term starts; one more for the end of the last. */
  readonly starts: Uint32Array;
}

/** Sorts the log by term, keeping the order of the blocks, and packs it. */
function postingLists({ terms, blocks, counts }: Collected, termCount: number): Lists {
  const places = new Uint32Array(termCount + 1);
  for (const term of terms) places[term + 1] = (places[term + 1] ?? 0) + 1;
  for (let term = 0; term < termCount; term++) {
    places[term + 1] = (places[term + 1] ?? 0) + (places[term] ?? 0);
  }
  const ordered = { blocks: new Uint32Array(terms.length), counts: new Uint16Array(terms.length) };
  const next = places.slice();
  for (let at = 0; at < terms.length; at++) {
    const term = terms[at] ?? 0;
    const place = next[term] ?? 0;
    ordered.blocks[place] = blocks[at] ?? 0;
    ordered.counts[place] = counts[at] ?? 0;
    next[term] = place + 1;
  }
  // A varint of 32 bits has at most five bytes, the rest of a count of 16 bits three.
  const bytes = Buffer.allocUnsafe(8 * terms.length);
  const starts = new Uint32Array(termCount + 1);
  let end = 0;
  for (let term = 0; term < termCount; term++) {
    starts[term] = end;
    let before = 0;
    const last = places[term + 1] ?? 0;
    for (let place = places[term] ?? 0; place < last; place++) {
      const block = ordered.blocks[place] ?? 0;
      const more = (ordered.counts[place] ?? 1) - 1;
      end = writeVarint(bytes, end, (block - before) * 4 + Math.min(3, more));
      if (more >= 3) end = writeVarint(bytes, end, more - 3);
      before = block;
    }
  }
  starts[termCount] = end;
  return { bytes: bytes.subarray(0, end), starts };
}

function writeVarint(bytes: Buffer, start: number, value: number): number {
  let at = start;
  let rest = value;
  while (rest > 127) {
    bytes[at++] = (rest & 127) | 128;
    rest = Math.floor(rest / 128);
  }
  bytes[at++] = rest;
  return at;
}

/** Terms by the range of hashes that they fall into; inside a bucket in no order. */
function encodeBuckets(
  hashes: Float64Array,
  { bytes, starts }: Lists,
): { readonly buckets: Buffer; readonly directory: Buffer } {
  const count = Math.max(1, Math.ceil(hashes.length / termsPerBucket));
  const firsts = new Uint32Array(count + 1);
  for (const hash of hashes) {
    const bucket = bucketOf(hash, count);
    firsts[bucket + 1] = (firsts[bucket + 1] ?? 0) + 1;
  }
  for (let at = 0; at < count; at++) firsts[at + 1] = (firsts[at + 1] ?? 0) + (firsts[at] ?? 0);
  const buckets = Buffer.allocUnsafe(hashes.length * entryBytes);
  const next = firsts.slice();
  for (let term = 0; term < hashes.length; term++) {
    const hash = hashes[term] ?? 0;
    const bucket = bucketOf(hash, count);
    const at = (next[bucket] ?? 0) * entryBytes;
    next[bucket] = (next[bucket] ?? 0) + 1;
    const start = starts[term] ?? 0;
    const end = starts[term + 1] ?? 0;
    buckets.writeUInt32LE(Math.floor(hash / 2 ** 32), at);
    buckets.writeUInt32LE(hash % 2 ** 32, at + 4);
    buckets.writeUInt32LE(start, at + 8);
    buckets.writeUInt32LE(end - start, at + 12);
    buckets.writeUInt32LE(checksum(bytes, { start, end }), at + 16);
  }
  const directory = Buffer.alloc((count + 1) * directoryBytes);
  for (let at = 0; at <= count; at++) {
    const start = (firsts[at] ?? 0) * entryBytes;
    const end = (firsts[at + 1] ?? firsts[at] ?? 0) * entryBytes;
    directory.writeUInt32LE(start, at * directoryBytes);
    directory.writeUInt32LE(crc32(buckets.subarray(start, end)), at * directoryBytes + 4);
  }
  return { buckets, directory };
}

function encodeDocuments({ keys, columns }: Collected['documents']): Buffer {
  const numbers = Buffer.alloc(columns.length * 4);
  for (const [at, value] of columns.entries()) numbers.writeUInt32LE(value, 4 * at);
  return Buffer.concat([keys, numbers]);
}
