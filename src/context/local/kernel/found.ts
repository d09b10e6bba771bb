import { bucketOf, entryBytes } from './buckets.ts';
import { Bytes } from './bytes.ts';
import { checksum, crc32 } from './checksums.ts';
import { Column } from './column.ts';
import { hitBytes, readHits, writeHits } from './hits.ts';
import { Part, nobody } from './part.ts';

const directoryBytes: usize = 8;

/**
 * The posting lists of the terms that are looked for, as they stand in the segments: decoded, they
 * would be many times as large. Documents that are not searched are left out when they are read.
 */
@final
export class Found {
  /** Of each term the lower half, then the upper. */
  readonly hashes: Column = new Column();
  /** By term: in how many documents it stands. */
  readonly documents: Column = new Column();
  /** By term: where the bytes of the segment stand that are read next. */
  readonly starts: Column = new Column();
  readonly ends: Column = new Column();
  readonly parts: Part[] = [];
  /** Where the hits stand that were read last: see `hits.ts`. */
  hits: usize = 0;
  hitsEnd: usize = 0;
  private readonly sums: Column = new Column();
  private readonly lists: Bytes = new Bytes();
  private readonly room: Bytes = new Bytes();
  /** By part and term: the end of the list, which starts where the one before ends. */
  private readonly listEnds: Column = new Column();

  constructor(readonly terms: u32) {
    this.hashes.resize(2 * terms);
    this.documents.resize(terms);
    this.starts.resize(terms);
    this.ends.resize(terms);
    this.sums.resize(terms);
    this.listEnds.push(0);
  }

  addPart(documents: u32, blocks: u32): void {
    this.parts.push(new Part(documents, blocks, this.listEnds.length - 1));
  }

  get lastPart(): Part {
    return this.parts[this.parts.length - 1];
  }

  /** Reads the hits of a term in a part; returns in how many documents they are. */
  read(part: Part, term: u32): u32 {
    const list = part.firstList + term;
    const start = this.lists.address + this.listEnds.at(list);
    const end = this.lists.address + this.listEnds.at(list + 1);
    return this.readList(part, start, end);
  }

  private readList(part: Part, start: usize, end: usize): u32 {
    this.hits = this.room.clear((end - start) * hitBytes);
    this.hitsEnd = readHits(start, end, part.owners.address, part.blocks, this.hits);
    let documents: u32 = 0;
    let last = nobody;
    for (let hit = this.hits; hit < this.hitsEnd; hit += hitBytes) {
      const number = load<u32>(hit);
      if (number != last) documents++;
      last = number;
    }
    return documents;
  }

  /** Sets `starts` and `ends` to the bucket of each term. */
  findBuckets(directory: usize, count: u32): void {
    for (let term: u32 = 0; term < this.terms; term++) {
      const hash = ((<u64>this.hashes.at(2 * term + 1)) << 32) | <u64>this.hashes.at(2 * term);
      const at = directory + <usize>bucketOf(hash, count) * directoryBytes;
      this.starts.put(term, load<u32>(at));
      this.ends.put(term, load<u32>(at, directoryBytes));
      this.sums.put(term, load<u32>(at, 4));
    }
  }

  /** Sets them to the list of each term, by the buckets; false where one is damaged. */
  findLists(buckets: usize, listBytes: u32): bool {
    for (let term: u32 = 0; term < this.terms; term++) {
      const end = buckets + this.ends.at(term);
      let entry = buckets + this.starts.at(term);
      if (entry > end || crc32(entry, end) != this.sums.at(term)) return false;
      const high = this.hashes.at(2 * term + 1);
      const low = this.hashes.at(2 * term);
      while (entry < end && (load<u32>(entry) != high || load<u32>(entry, 4) != low)) {
        entry += entryBytes;
      }
      const isHere = entry < end;
      const start = isHere ? load<u32>(entry, 8) : 0;
      const length = isHere ? load<u32>(entry, 12) : 0;
      if (start > listBytes || length > listBytes - start) return false;
      this.starts.put(term, start);
      this.ends.put(term, start + length);
      if (isHere) this.sums.put(term, load<u32>(entry, 16));
    }
    return true;
  }

  /** Keeps the lists of the part that was added last; false where one is damaged. */
  keepLists(lists: usize): bool {
    const part = this.lastPart;
    part.numberBlocks();
    for (let term: u32 = 0; term < this.terms; term++) {
      const start = lists + this.starts.at(term);
      const end = lists + this.ends.at(term);
      if (end > start && checksum(start, end) != this.sums.at(term)) return false;
      const documents = this.readList(part, start, end);
      this.documents.put(term, this.documents.at(term) + documents);
      this.keep(start, end);
    }
    return true;
  }

  /** Keeps the list whose hits were read, without what is not searched where that is much. */
  private keep(start: usize, end: usize): void {
    const hits = (this.hitsEnd - this.hits) / hitBytes;
    if (hits << 1 > end - start) this.lists.append(start, end - start);
    else {
      // Over the hits themselves, which take more room than their list.
      const written = writeHits(this.hits, this.hitsEnd, this.hits);
      this.lists.append(this.hits, written - this.hits);
    }
    this.listEnds.push(<u32>this.lists.length);
  }

  /** How often a term stands in a document of a part. */
  countIn(part: Part, term: u32, document: u32): u32 {
    const number = part.numbers.at(document);
    let count: u32 = 0;
    this.read(part, term);
    for (let hit = this.hits; hit < this.hitsEnd; hit += hitBytes) {
      if (load<u32>(hit) == number) count += load<u32>(hit, 8);
    }
    return count;
  }
}
