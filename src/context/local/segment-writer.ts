import { crc32 } from 'node:zlib';
import { tokensBeyondAscii } from './beyond-ascii.ts';
import { growingNumbers, growingText } from './growing.ts';
import {
  blockOf,
  kernel,
  type DefinedName,
  type Kernel,
  type OtherParts,
  type TextLines,
} from './kernel.ts';
import { encodeSegment } from './segment-encode.ts';
import { defining, hashOf, keyBytes } from './segment-format.ts';
import { asciiName, termsOf } from './terms.ts';

/** What a document adds beside its blocks. */
interface DocumentEnd {
  /** One character for each byte. */
  readonly key: string;
  readonly lines: number;
  readonly kind: number;
  /** Kept as it is, e.g. the definitions of a file. */
  readonly payload: string;
}

export interface SegmentWriter {
  /** Postings so far: what the memory grows with. */
  readonly size: number;
  readonly documents: number;
  /**
   * Takes a text in UTF-8, and says where its lines are. So many of them are a block, see
   * `blockLines`.
   */
  take(text: Buffer): TextLines;
  /** Takes one with blocks of its own: where each ends, in bytes. */
  takeBlocks(text: Buffer, ends: readonly number[]): void;
  /** Adds the blocks of that text to the document, and the names that they define, in their order. */
  addBlocks(defined: readonly DefinedName[]): void;
  /** Ends the document whose blocks were added last. */
  endDocument(end: DocumentEnd): void;
  /** Adds each block of that text as a document. */
  addDocuments(ends: readonly DocumentEnd[]): void;
  /** The whole segment as the parts of one file; they are gone with the next writer. */
  finish(): readonly Buffer[];
}

/** Collects documents in memory until `finish`. */
export function segmentWriter(): SegmentWriter {
  const words = kernel();
  const documents = {
    keys: growingText('latin1'),
    columns: growingNumbers(),
    payloads: growingText('utf8'),
  };
  let taken: Buffer = Buffer.alloc(0);
  let blocks = 0;
  let firstBlock = 0;
  let length = 0;
  let names: readonly DefinedName[] = [];
  let next = 0;
  const blockOfNext = (): number => blockOf(names[next]?.line ?? Infinity);
  const others: OtherParts = {
    addLines({ start, end }) {
      const text = taken.toString('utf8', start, end);
      for (const token of tokensBeyondAscii(text)) addToken(words, token, 'word');
    },
    addNames(block) {
      while (blockOfNext() < block) next++;
      for (; blockOfNext() === block; next++) addName(words, names[next]);
    },
  };
  const add = (defined: readonly DefinedName[]): number => {
    names = defined;
    next = 0;
    return words.addBlocks(defined, others);
  };
  const endDocument = ({ key, lines, kind, payload }: DocumentEnd): void => {
    const { columns, keys, payloads } = documents;
    keys.push(key.slice(0, keyBytes));
    columns.push(firstBlock);
    columns.push(length);
    columns.push(lines);
    columns.push(kind);
    columns.push(payloads.length);
    columns.push(payloads.push(payload));
    columns.push(crc32(payload));
    firstBlock = blocks;
    length = 0;
  };
  return {
    get size() {
      return words.size();
    },
    get documents() {
      return documents.keys.length / keyBytes;
    },
    take(text) {
      taken = text;
      return words.take(text);
    },
    takeBlocks(text, ends) {
      taken = text;
      words.takeBlocks(text, ends);
    },
    addBlocks(defined) {
      const count = add(defined);
      for (let block = 0; block < count; block++) length += words.lengthOf(block);
      blocks += count;
    },
    endDocument,
    addDocuments(ends) {
      const count = add([]);
      for (let block = 0; block < count; block++) {
        const end = ends[block];
        if (end === undefined) throw new Error('each block needs a document');
        length = words.lengthOf(block);
        blocks++;
        endDocument(end);
      }
    },
    finish() {
      const parts = encodeSegment({
        ...words.encode(),
        blockCount: blocks,
        documents: {
          keys: documents.keys.whole(),
          columns: documents.columns.values(),
          payloads: documents.payloads.whole(),
        },
      });
      words.release();
      return parts;
    },
  };
}

function addName(words: Kernel, defined: DefinedName | undefined): void {
  if (defined === undefined) return;
  const { name, at } = defined;
  const isAdded = at !== null && words.addName(at, at + name.length);
  if (!isAdded) addToken(words, name, 'defined');
}

function addToken(words: Kernel, token: string, as: 'word' | 'defined'): void {
  if (asciiName.test(token)) return words.addToken(token, as);
  const prefix = as === 'defined' ? defining : '';
  for (const term of termsOf(token)) words.addTerm(hashOf(prefix + term));
}
