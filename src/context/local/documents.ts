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
  const documents: number[] = [];
  const counts: number[] = [];
  const starts: number[] = [];
  const blocks: number[] = [];
  const blockCounts: number[] = [];
  for (const { segment, numbers } of parts) {
    const postings = segment.postings(term);
    if (postings === null) continue;
    let document = 0;
    let last = -1;
    for (const [at, block] of postings.blocks.entries()) {
      document = documentOf(block, { starts: segment.starts, from: document });
      const number = numbers[document] ?? -1;
      if (number === -1) continue;
      const count = postings.counts[at] ?? 0;
      if (number !== last) {
        documents.push(number);
        counts.push(0);
        starts.push(blocks.length);
        last = number;
      }
      counts[counts.length - 1] = (counts.at(-1) ?? 0) + count;
      blocks.push(block - (segment.starts[document] ?? 0));
      blockCounts.push(count);
    }
  }
  starts.push(blocks.length);
  return {
    documents: Uint32Array.from(documents),
    counts: Uint32Array.from(counts),
    starts: Uint32Array.from(starts),
    blocks: Uint32Array.from(blocks),
    blockCounts: Uint32Array.from(blockCounts),
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
