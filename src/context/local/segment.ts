import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { numbersIn } from './little-endian.ts';
import {
  bucketOf,
  checksum,
  directoryBytes,
  documentBytes,
  documentNumbers,
  entryBytes,
  formatVersion,
  hashOf,
  headerBytes,
  keyBytes,
  magic,
} from './segment-format.ts';

/** Where a term stands: blocks in rising order, and how often in each. */
interface Postings {
  readonly blocks: Uint32Array;
  readonly counts: Uint32Array;
}

interface SegmentDocument {
  /** In terms. */
  readonly length: number;
  readonly lines: number;
  readonly kind: number;
}

/** A segment file that is open; only what is asked for is read. */
export interface Segment {
  readonly bytes: number;
  readonly documentCount: number;
  /** Where the blocks of each document start; one more for the end of the last. */
  readonly starts: Uint32Array;
  /** 16 bytes as one character each. */
  keyOf(document: number): string;
  document(index: number): SegmentDocument;
  /** Throws `DamagedSegment` where the file does not hold what it should. */
  postings(term: string): Postings | null;
  payload(document: number): string;
  /** As `payload`, for all documents at once. */
  payloads(): (document: number) => string;
  close(): void;
}

/** The file is no segment of this version, or not as it was written. */
export class DamagedSegment extends Error {}

/** Throws `DamagedSegment`, or a system error where it cannot be opened. */
export function openSegment(path: string): Segment {
  const file = openSync(path, 'r');
  try {
    return segmentIn(file);
  } catch (error) {
    closeSync(file);
    throw error;
  }
}

function segmentIn(file: number): Segment {
  const { size } = fstatSync(file);
  const read = size <= smallFile ? wholeReader(file, size) : partReader(file);
  const at = layoutOf(read(0, headerBytes), size);
  const tables = read(at.directory, at.payloads - at.directory);
  check(crc32(tables) === at.tablesCrc, 'its tables are damaged');
  const directory = tables.subarray(0, at.documents - at.directory);
  const keys = tables.subarray(directory.length, directory.length + at.count * keyBytes);
  const columns = numbersIn(tables.subarray(directory.length + keys.length));
  const column = (document: number, number: number): number =>
    columns[document * documentNumbers + number] ?? 0;
  const starts = new Uint32Array(at.count + 1);
  for (let document = 0; document < at.count; document++) starts[document] = column(document, 0);
  starts[at.count] = at.blockCount;
  const bucketCount = directory.length / directoryBytes - 1;
  const knownKeys: string[] = [];
  const payloadOf = (
    document: number,
    bytesAt: (start: number, length: number) => Buffer,
  ): string => {
    const bytes = bytesAt(column(document, 4), column(document, 5));
    check(crc32(bytes) === column(document, 6), 'a payload is damaged');
    return bytes.toString();
  };
  return {
    bytes: size,
    documentCount: at.count,
    starts,
    keyOf: (document) =>
      (knownKeys[document] ??= keys.toString(
        'latin1',
        document * keyBytes,
        (document + 1) * keyBytes,
      )),
    document: (index) => ({
      length: column(index, 1),
      lines: column(index, 2),
      kind: column(index, 3),
    }),
    postings(term) {
      const hash = hashOf(term);
      const bucket = bucketOf(hash, bucketCount) * directoryBytes;
      const start = directory.readUInt32LE(bucket);
      const length = directory.readUInt32LE(bucket + directoryBytes) - start;
      const entries = read(at.buckets + start, length);
      check(crc32(entries) === directory.readUInt32LE(bucket + 4), 'a bucket is damaged');
      const entry = entryIn(entries, hash);
      if (entry === null) return null;
      const list = read(headerBytes + entry.start, entry.length);
      check(checksum(list, { start: 0, end: list.length }) === entry.sum, 'a list is damaged');
      return decodeList(list);
    },
    payload: (document) =>
      payloadOf(document, (start, length) => read(at.payloads + start, length)),
    payloads() {
      const all = read(at.payloads, size - at.payloads);
      return (document) =>
        payloadOf(document, (start, length) => all.subarray(start, start + length));
    },
    close: () => closeSync(file),
  };
}

interface Layout {
  readonly buckets: number;
  readonly directory: number;
  readonly documents: number;
  readonly payloads: number;
  readonly count: number;
  readonly blockCount: number;
  readonly tablesCrc: number;
}

function layoutOf(header: Buffer, size: number): Layout {
  const word = (number: number): number => header.readUInt32LE(16 + 4 * number);
  check(header.toString('latin1', 0, magic.length) === magic, 'it is no index');
  check(word(0) === formatVersion, 'it is of another version');
  const crc = header.readUInt32LE(headerBytes - 4);
  check(crc32(header.subarray(0, headerBytes - 4)) === crc, 'its header is damaged');
  const buckets = headerBytes + word(3);
  const directory = buckets + word(4);
  const documents = directory + word(5) * directoryBytes;
  const payloads = documents + word(1) * documentBytes;
  check(payloads + word(6) === size, 'it is not whole');
  const [count, blockCount, tablesCrc] = [word(1), word(2), word(7)];
  return { buckets, directory, documents, payloads, count, blockCount, tablesCrc };
}

type ReadPart = (start: number, length: number) => Buffer;

/** Read at once: many small reads take longer. In bytes. */
const smallFile = 1024 * 1024;

function wholeReader(file: number, size: number): ReadPart {
  const whole = partReader(file)(0, size);
  return (start, length) => {
    check(start + length <= size, 'it is not whole');
    return whole.subarray(start, start + length);
  };
}

function partReader(file: number): ReadPart {
  return (start, length) => {
    const bytes = Buffer.allocUnsafe(length);
    let done = 0;
    while (done < length) {
      const count = readSync(file, bytes, done, length - done, start + done);
      check(count > 0, 'it is not whole');
      done += count;
    }
    return bytes;
  };
}

function check(fact: boolean, otherwise: string): void {
  if (!fact) throw new DamagedSegment(otherwise);
}

function entryIn(
  entries: Buffer,
  hash: number,
): { readonly start: number; readonly length: number; readonly sum: number } | null {
  for (let at = 0; at < entries.length; at += entryBytes) {
    const found = entries.readUInt32LE(at) * 2 ** 32 + entries.readUInt32LE(at + 4);
    if (found !== hash) continue;
    return {
      start: entries.readUInt32LE(at + 8),
      length: entries.readUInt32LE(at + 12),
      sum: entries.readUInt32LE(at + 16),
    };
  }
  return null;
}

function decodeList(list: Buffer): Postings {
  const blocks = new Uint32Array(list.length);
  const counts = new Uint32Array(list.length);
  const next = varints(list);
  let length = 0;
  let block = 0;
  for (let value = next(); value !== null; value = next()) {
    block += value >>> 2;
    const more = value & 3;
    blocks[length] = block;
    counts[length++] = more < 3 ? more + 1 : 4 + (next() ?? 0);
  }
  return { blocks: blocks.subarray(0, length), counts: counts.subarray(0, length) };
}

function varints(bytes: Buffer): () => number | null {
  let at = 0;
  return () => {
    if (at >= bytes.length) return null;
    let value = 0;
    for (let shift = 0; at < bytes.length; shift += 7) {
      const byte = bytes[at++] ?? 0;
      value |= (byte & 127) << shift;
      if (byte < 128) break;
    }
    return value >>> 0;
  };
}
