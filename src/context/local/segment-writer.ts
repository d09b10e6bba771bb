import { crc32 } from 'node:zlib';
import { tokensBeyondAscii } from './beyond-ascii.ts';
import { growingNumbers } from './growing.ts';
import { kernel, type Kernel, type PlacedName, type TextLines, type TextPart } from './kernel.ts';
import { encodeSegment } from './segment-encode.ts';
import { defining, hashOf, keyBytes } from './segment-format.ts';
import { asciiName, termsOf } from './terms.ts';

/** What a document adds beside its blocks. */
interface DocumentEnd {
  readonly lines: number;
  readonly kind: number;
  /** Kept as it is, e.g. the definitions of a file. */
  readonly payload: string;
}

/** A name that a block defines. */
export interface DefinedName {
  readonly name: string;
  /** By its place among the blocks of the text. */
  readonly block: number;
  /** Where it stands in the bytes of the text; null where that is not known. */
  readonly at: number | null;
}

export interface SegmentWriter {
  /** Postings so far: what the memory grows with. */
  readonly size: number;
  readonly documents: number;
  /** Takes a text in UTF-8, of which blocks are added next, and says where its lines are. */
  take(text: Buffer): TextLines;
  /** Adds that text as the next blocks of the document, and the names they define, in their order. */
  addBlocks(defined: readonly DefinedName[]): void;
  /** The same, as one block. */
  addBlock(defined: readonly DefinedName[]): void;
  /** Ends the document whose blocks were added last. */
  endDocument(key: Buffer, end: DocumentEnd): void;
  /** The whole segment as the parts of one file; they are gone with the next writer. */
  finish(): readonly Buffer[];
}

/** Collects documents in memory until `finish`. */
export function segmentWriter(): SegmentWriter {
  const words = kernel();
  const documents = {
    keys: growingBuffers(),
    columns: growingNumbers(),
    payloads: growingBuffers(),
  };
  let taken: { readonly text: Buffer; readonly ends: Uint32Array } | null = null;
  let blocks = 0;
  let firstBlock = 0;
  let length = 0;
  const addPart = (part: TextPart, defined: readonly DefinedName[]): void => {
    if (!words.addText(part)) {
      const text = taken?.text.toString('utf8', part.start, part.end) ?? '';
      for (const token of tokensBeyondAscii(text)) addToken(words, token, 'word');
    }
    length += words.added();
    for (const { name, at } of defined) {
      const isAdded = at !== null && words.addName(at, at + name.length);
      if (!isAdded) addToken(words, name, 'defined');
    }
    words.endBlock();
    blocks++;
  };
  return {
    get size() {
      return words.size();
    },
    get documents() {
      return documents.keys.count;
    },
    take(text) {
      const lines = words.take(text);
      taken = { text, ends: lines.ends };
      return lines;
    },
    addBlocks(defined) {
      const ends = taken?.ends ?? new Uint32Array();
      const names = placesOf(defined);
      const terms = names === null ? null : words.addBlocks(names);
      if (terms !== null) {
        length += terms;
        blocks += ends.length;
        return;
      }
      let start = 0;
      let name = 0;
      for (const [block, end] of ends.entries()) {
        const first = name;
        while (defined[name]?.block === block) name++;
        addPart({ start, end }, defined.slice(first, name));
        start = end;
      }
    },
    addBlock: (defined) => addPart({ start: 0, end: taken?.text.length ?? 0 }, defined),
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

/** Adds a text as one block. */
export function addText(
  writer: SegmentWriter,
  text: string,
  defined: readonly DefinedName[],
): void {
  writer.take(Buffer.from(text));
  writer.addBlock(defined);
}

/** Null where the place of one is not known. */
function placesOf(defined: readonly DefinedName[]): readonly PlacedName[] | null {
  const places: PlacedName[] = [];
  for (const { name, block, at } of defined) {
    if (at === null) return null;
    places.push({ block, start: at, end: at + name.length });
  }
  return places;
}

function addToken(words: Kernel, token: string, as: 'word' | 'defined'): void {
  if (asciiName.test(token)) return words.addToken(token, as);
  const prefix = as === 'defined' ? defining : '';
  for (const term of termsOf(token)) words.addTerm(hashOf(prefix + term));
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
