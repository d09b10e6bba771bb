import { crc32 } from 'node:zlib';
import { growingNumbers } from './growing.ts';
import { encodeSegment } from './segment-encode.ts';
import { keyBytes } from './segment-format.ts';
import { vocabulary } from './vocabulary.ts';

/** What a document adds beside its blocks. */
interface DocumentEnd {
  readonly lines: number;
  readonly kind: number;
  /** Kept as it is, e.g. the definitions of a file. */
  readonly payload: string;
}

/** One block of a text: bytes where it is ASCII, else the tokens. */
export type BlockText =
  | { readonly text: Buffer; readonly start: number; readonly end: number }
  | { readonly tokens: readonly string[] };

export interface SegmentWriter {
  /** Postings so far: what the memory grows with. */
  readonly size: number;
  readonly documents: number;
  /** Adds the next block of the document, with the names that are defined in it. */
  addBlock(block: BlockText, defined: readonly string[]): void;
  /** Ends the document whose blocks were added last. */
  endDocument(key: Buffer, end: DocumentEnd): void;
  /** The whole segment as the parts of one file. */
  finish(): readonly Buffer[];
}

/** Collects documents in memory until `finish`. */
export function segmentWriter(): SegmentWriter {
  const counts = blockCounts();
  const words = vocabulary(counts.add);
  const log = { terms: growingNumbers(), blocks: growingNumbers(), counts: growingNumbers() };
  const documents = {
    keys: growingBuffers(),
    columns: growingNumbers(),
    payloads: growingBuffers(),
  };
  let blocks = 0;
  let firstBlock = 0;
  let length = 0;
  return {
    get size() {
      return log.terms.length;
    },
    get documents() {
      return documents.keys.count;
    },
    addBlock(block, defined) {
      if ('text' in block) words.addText(block.text, block);
      else for (const token of block.tokens) words.addToken(token);
      length += counts.added;
      for (const name of defined) words.addDefined(name);
      counts.drain((term, count) => {
        log.terms.push(term);
        log.blocks.push(blocks);
        log.counts.push(count);
      });
      blocks++;
    },
    endDocument(key, { lines, kind, payload }) {
      const bytes = Buffer.from(payload);
      const { columns, keys, payloads } = documents;
      keys.push(key.subarray(0, keyBytes));
      const row = [firstBlock, length, lines, kind, payloads.bytes, bytes.length, crc32(bytes)];
      for (const value of row) columns.push(value);
      payloads.push(bytes);
      firstBlock = blocks;
      length = 0;
    },
    finish: () =>
      encodeSegment({
        hashes: words.hashes(),
        terms: log.terms.values(),
        blocks: log.blocks.values(),
        counts: log.counts.values(),
        blockCount: blocks,
        documents: {
          keys: documents.keys.whole(),
          columns: documents.columns.values(),
          payloads: documents.payloads.whole(),
        },
      }),
  };
}

/** Buffers that end up as one. */
function growingBuffers(): {
  readonly count: number;
  readonly bytes: number;
  push(part: Buffer): void;
  whole(): Buffer;
} {
  const parts: Buffer[] = [];
  let bytes = 0;
  return {
    get count() {
      return parts.length;
    },
    get bytes() {
      return bytes;
    },
    push(part) {
      parts.push(part);
      bytes += part.length;
    },
    whole: () => Buffer.concat(parts),
  };
}

/** Counts of the terms of one block. */
function blockCounts(): {
  /** How many terms were added since the last drain. */
  readonly added: number;
  readonly add: (term: number) => void;
  drain(each: (term: number, count: number) => void): void;
} {
  let counts = new Uint16Array(4096);
  const touched: number[] = [];
  let added = 0;
  return {
    get added() {
      return added;
    },
    add(term) {
      if (term >= counts.length) {
        const larger = new Uint16Array(Math.max(term + 1, counts.length * 2));
        larger.set(counts);
        counts = larger;
      }
      const count = counts[term] ?? 0;
      if (count === 0) touched.push(term);
      if (count < 0xffff) counts[term] = count + 1;
      added++;
    },
    drain(each) {
      for (const term of touched) {
        each(term, counts[term] ?? 0);
        counts[term] = 0;
      }
      touched.length = 0;
      added = 0;
    },
  };
}
