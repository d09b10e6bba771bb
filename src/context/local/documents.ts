import type { FileIndex } from './file-index.ts';
import type { Segment } from './segment.ts';

/** The documents of the index that are in the tree, under one numbering over all segments. */
export interface LiveDocuments {
  readonly count: number;
  readonly parts: readonly LivePart[];
  readonly lengths: Uint32Array;
  readonly averageLength: number;
  readonly paths: readonly (readonly string[])[];
  placeOf(document: number): { readonly segment: Segment; readonly index: number };
}

interface LivePart {
  readonly segment: Segment;
  /** By document of the segment: its number, or -1 where it is not in the tree. */
  readonly numbers: Int32Array;
  /** The number of its first block over all segments. */
  readonly firstBlock: number;
}

export function liveDocuments({ places }: FileIndex): LiveDocuments {
  const parts: LivePart[] = [];
  const owners: { readonly segment: Segment; readonly index: number }[] = [];
  const paths: (readonly string[])[] = [];
  const lengths: number[] = [];
  let firstBlock = 0;
  let total = 0;
  for (const [segment, files] of places) {
    const numbers = new Int32Array(segment.documentCount).fill(-1);
    for (const [index, names] of files.entries()) {
      if (names === undefined) continue;
      numbers[index] = owners.length;
      owners.push({ segment, index });
      paths.push(names);
      const { length } = segment.document(index);
      lengths.push(length);
      total += length;
    }
    parts.push({ segment, numbers, firstBlock });
    firstBlock += segment.starts.at(-1) ?? 0;
  }
  return {
    count: owners.length,
    parts,
    lengths: Uint32Array.from(lengths),
    averageLength: Math.max(1, total / Math.max(1, owners.length)),
    paths,
    placeOf: (document) => {
      const owner = owners[document];
      if (owner === undefined) throw new RangeError(`There is no document ${document}.`);
      return owner;
    },
  };
}

/** Where a term stands in the tree. */
export interface TermHits {
  /** Numbers of the documents, and how often it stands in each. */
  readonly documents: Uint32Array;
  readonly counts: Uint32Array;
  /** Where the blocks of each document start in `blocks`; one more for the end. */
  readonly starts: Uint32Array;
  /** Blocks, counted from the first of their document. */
  readonly blocks: Uint32Array;
  readonly blockCounts: Uint32Array;
}

/** The hits of a term in all live documents. */
export function hitsOf(term: string, { parts }: LiveDocuments): TermHits {
  const found = parts.flatMap((part) => {
    const postings = part.segment.postings(term);
    return postings === null ? [] : [{ ...part, ...postings }];
  });
  const most = found.reduce((total, { blocks }) => total + blocks.length, 0);
  const hits = {
    documents: new Uint32Array(most),
    counts: new Uint32Array(most),
    starts: new Uint32Array(most + 1),
    blocks: new Uint32Array(most),
    blockCounts: new Uint32Array(most),
  };
  let size = 0;
  let blockCount = 0;
  for (const { segment, numbers, blocks, counts } of found) {
    let document = 0;
    let last = -1;
    for (let at = 0; at < blocks.length; at++) {
      const block = blocks[at] ?? 0;
      document = documentOf(block, { starts: segment.starts, from: document });
      const number = numbers[document] ?? -1;
      if (number === -1) continue;
      const count = counts[at] ?? 0;
      if (number !== last) {
        hits.documents[size] = number;
        hits.starts[size++] = blockCount;
        last = number;
      }
      hits.counts[size - 1] = (hits.counts[size - 1] ?? 0) + count;
      hits.blocks[blockCount] = block - (segment.starts[document] ?? 0);
      hits.blockCounts[blockCount++] = count;
    }
  }
  hits.starts[size] = blockCount;
  return {
    documents: hits.documents.subarray(0, size),
    counts: hits.counts.subarray(0, size),
    starts: hits.starts.subarray(0, size + 1),
    blocks: hits.blocks.subarray(0, blockCount),
    blockCounts: hits.blockCounts.subarray(0, blockCount),
  };
}

/** The document that a block lies in, at or after `from`: near ones by steps, far ones by halving. */
function documentOf(
  block: number,
  { starts, from }: { readonly starts: Uint32Array; readonly from: number },
): number {
  let step = 1;
  let low = from;
  while (low + step < starts.length - 1 && (starts[low + step] ?? 0) <= block) {
    low += step;
    step *= 2;
  }
  let high = Math.min(low + step, starts.length - 1);
  while (high - low > 1) {
    const middle = (low + high) >>> 1;
    if ((starts[middle] ?? 0) <= block) low = middle;
    else high = middle;
  }
  return low;
}
