import { crc32 } from 'node:zlib';
import { bytesOf } from './little-endian.ts';
import { directoryBytes, formatVersion, headerBytes, keyBytes, magic } from './segment-format.ts';

/** Everything of a segment in memory. */
interface Collected {
  /** The lists of postings, and the entries of the buckets that lead to them. */
  readonly lists: Buffer;
  readonly buckets: Buffer;
  /** Where each bucket starts, and its CRC; one more for the end of the last. */
  readonly directory: Buffer;
  readonly blockCount: number;
  readonly documents: {
    readonly keys: Buffer;
    readonly columns: Uint32Array;
    readonly payloads: Buffer;
  };
}

/** The parts of the file in their order. */
export function encodeSegment(collected: Collected): readonly Buffer[] {
  const { lists, buckets, directory } = collected;
  const { payloads } = collected.documents;
  const documents = encodeDocuments(collected.documents);
  const header = Buffer.alloc(headerBytes);
  header.write(magic, 0, 'latin1');
  const numbers = [
    formatVersion,
    collected.documents.keys.length / keyBytes,
    collected.blockCount,
    lists.length,
    buckets.length,
    directory.length / directoryBytes,
    payloads.length,
    crc32(documents, crc32(directory)),
  ];
  for (const [at, number] of numbers.entries()) header.writeUInt32LE(number, 16 + 4 * at);
  header.writeUInt32LE(crc32(header.subarray(0, headerBytes - 4)), headerBytes - 4);
  return [header, lists, buckets, directory, documents, payloads];
}

function encodeDocuments({ keys, columns }: Collected['documents']): Buffer {
  return Buffer.concat([keys, bytesOf(columns)]);
}
