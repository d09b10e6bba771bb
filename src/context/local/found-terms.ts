import { DamagedSegment, type Segment } from './segment.ts';
import { directoryBytes, hashOf, headerBytes } from './segment-format.ts';
import type { SearchKernel } from './search-kernel.ts';

/** A segment, and by its documents their numbers in a search, or -1 for those that are left out. */
export interface SearchedPart {
  readonly segment: Segment;
  readonly numbers: Int32Array;
}

/** Where terms stand in all parts of an index; kept by the kernel. */
export interface FoundTerms {
  /** What the kernel calls it. */
  readonly found: number;
  /** By term: in how many documents it stands. */
  readonly documents: Uint32Array;
}

/** Throws `DamagedSegment` where a segment is not what was written. */
export function foundTerms(
  kernel: SearchKernel,
  { terms, parts }: { readonly terms: readonly string[]; readonly parts: readonly SearchedPart[] },
): FoundTerms {
  const { wasm } = kernel;
  const found = wasm.newFound(terms.length);
  writeHashes(kernel.words(wasm.hashesOf(found)), terms);
  for (const { segment, numbers } of parts) {
    wasm.addPart(found, segment.documentCount, segment.blockCount);
    kernel.bytes(wasm.rowsAt(found), segment.rows.length).set(segment.rows);
    kernel.words(wasm.numbersOf(found)).set(numbers);
    addLists(kernel, { found, segment, count: terms.length });
  }
  return { found, documents: kernel.words(wasm.documentsOf(found)).slice() };
}

/** Two numbers for each term, as the kernel has hashes: the lower half and the upper one. */
export function writeHashes(to: Uint32Array, terms: readonly string[]): void {
  for (const [at, term] of terms.entries()) {
    const hash = hashOf(term);
    to[2 * at] = hash % 2 ** 32;
    to[2 * at + 1] = Math.floor(hash / 2 ** 32);
  }
}

/** So many bytes are read in the time in which the list of one term is looked up and read alone. */
const worthOneTerm = 16 * 1024;

/**
 * Lists, buckets and directory stand in the kernel’s memory as in the file. Of a large segment, and
 * for a few terms, only the bytes that they need are read, each to its place.
 */
function addLists(
  kernel: SearchKernel,
  {
    found,
    segment,
    count,
  }: { readonly found: number; readonly segment: Segment; readonly count: number },
): void {
  const { wasm } = kernel;
  const { buckets, directory, documents } = segment.layout;
  const lists = wasm.imageRoom(documents - headerBytes);
  const addressOf = (place: number): number => lists + place - headerBytes;
  const fill = (start: number, end: number): void =>
    segment.fill(kernel.bytes(addressOf(start), end - start), start);
  const isWhole = documents - headerBytes <= count * worthOneTerm;
  const fillFound = (from: number): void => {
    if (isWhole) return;
    const starts = kernel.words(wasm.startsOf(found));
    const ends = kernel.words(wasm.endsOf(found));
    for (const [term, start] of starts.entries()) fill(from + start, from + (ends[term] ?? start));
  };
  fill(isWhole ? headerBytes : directory, documents);
  const bucketCount = (documents - directory) / directoryBytes - 1;
  wasm.findBuckets(found, addressOf(directory), bucketCount);
  fillFound(buckets);
  const areSound = wasm.findLists(found, addressOf(buckets), buckets - headerBytes) !== 0;
  if (!areSound) throw new DamagedSegment('a bucket is damaged');
  fillFound(headerBytes);
  if (wasm.keepLists(found, lists) === 0) throw new DamagedSegment('a list is damaged');
}
