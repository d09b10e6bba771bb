import { closeSync, fstatSync, lstatSync, openSync, readSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { hasCode } from '../../store/system-error.ts';
import { numbersIn } from './little-endian.ts';
import {
  directoryBytes,
  documentBytes,
  documentNumbers,
  formatVersion,
  headerBytes,
  keyBytes,
  magic,
} from './segment-format.ts';

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
  readonly blockCount: number;
  /** The numbers of each document as they stand in the file. */
  readonly rows: Buffer;
  /** Where its parts start, in bytes. */
  readonly layout: SegmentLayout;
  /** The keys of all documents as numbers, one after the other. */
  readonly keys: Uint32Array;
  document(index: number): SegmentDocument;
  /** Throws `DamagedSegment` where it is not what was written. */
  payload(document: number): string;
  /** Fills the bytes with those of the file from `start` on, which are not checked. */
  fill(bytes: Uint8Array, start: number): void;
  close(): void;
}

/** The lists stand from `headerBytes` on, one part after the other. */
interface SegmentLayout {
  readonly buckets: number;
  readonly directory: number;
  readonly documents: number;
  readonly payloads: number;
}

/** The file is no segment of this version, not as it was written, or may not be read. */
export class DamagedSegment extends Error {}

/** Throws `DamagedSegment`, or a system error that is not the file’s own. */
export function openSegment(path: string): Segment {
  // To open a pipe would wait for ever.
  check(lstatSync(path).isFile(), 'it is no plain file');
  const file = openedFile(path);
  try {
    return segmentIn(file);
  } catch (error) {
    closeSync(file);
    throw error;
  }
}

function openedFile(path: string): number {
  try {
    return openSync(path, 'r');
  } catch (error) {
    if (hasCode(error, ['EACCES', 'EPERM'])) throw new DamagedSegment('it may not be read');
    throw error;
  }
}

function segmentIn(file: number): Segment {
  const { size } = fstatSync(file);
  const fill = size <= smallFile ? wholeReader(file, size) : partReader(file);
  const read = (start: number, length: number): Buffer => {
    const bytes = Buffer.allocUnsafe(length);
    fill(bytes, start);
    return bytes;
  };
  const at = layoutOf(read(0, headerBytes), size);
  const tables = read(at.directory, at.payloads - at.directory);
  check(crc32(tables) === at.tablesCrc, 'its tables are damaged');
  const keys = tables.subarray(at.documents - at.directory).subarray(0, at.count * keyBytes);
  const rows = tables.subarray(tables.length - at.count * 4 * documentNumbers);
  const columns = numbersIn(rows);
  const column = (document: number, number: number): number =>
    columns[document * documentNumbers + number] ?? 0;
  return {
    bytes: size,
    documentCount: at.count,
    blockCount: at.blockCount,
    rows,
    layout: at,
    keys: numbersIn(keys),
    document: (index) => ({
      length: column(index, 1),
      lines: column(index, 2),
      kind: column(index, 3),
    }),
    payload(document) {
      const bytes = read(at.payloads + column(document, 4), column(document, 5));
      check(crc32(bytes) === column(document, 6), 'a payload is damaged');
      return bytes.toString();
    },
    fill,
    close: () => closeSync(file),
  };
}

interface Header extends SegmentLayout {
  readonly count: number;
  readonly blockCount: number;
  readonly tablesCrc: number;
}

function layoutOf(header: Buffer, size: number): Header {
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

/** Read at once: many small reads take longer. In bytes. */
const smallFile = 1024 * 1024;

function wholeReader(file: number, size: number): Segment['fill'] {
  const whole = Buffer.allocUnsafe(size);
  partReader(file)(whole, 0);
  return (bytes, start) => {
    check(start + bytes.length <= size, 'it is not whole');
    bytes.set(whole.subarray(start, start + bytes.length));
  };
}

function partReader(file: number): Segment['fill'] {
  return (bytes, start) => {
    let done = 0;
    while (done < bytes.length) {
      const count = readSync(file, bytes, done, bytes.length - done, start + done);
      check(count > 0, 'it is not whole');
      done += count;
    }
  };
}

function check(fact: boolean, otherwise: string): void {
  if (!fact) throw new DamagedSegment(otherwise);
}
