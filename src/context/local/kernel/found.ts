import { Bytes } from './bytes.ts';
import { checksum, crc32 } from './checksums.ts';
import { Column } from './column.ts';
import { Cursor } from './cursor.ts';
import { entryBytes } from './lists.ts';
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
  readonly cursor: Cursor = new Cursor();
  private readonly sums: Column = new Column();
  private readonly lists: Bytes = new Bytes();
  /** By part and term: the end of the list, which starts where the one before ends. */
  private readonly listEnds: Column = new Column();
  /** By block of the part that was opened last: the number of its document. */
  private readonly owners: Column = new Column();

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

  /** The part whose blocks are asked for next. */
  openPart(part: Part): void {
    const owners = this.owners;
    owners.resize(part.blocks);
    for (let document: u32 = 0; document < part.documents; document++) {
      const number = part.numbers.at(document);
      const end = part.firstBlock(document + 1);
      for (let block = part.firstBlock(document); block < end; block++) owners.put(block, number);
    }
  }

  @inline ownerOf(block: u32): u32 {
    return this.owners.at(block);
  }

  /** Lets the cursor go over the list of a term; it may be empty. */
  openList(part: Part, term: u32): void {
    const list = part.firstList + term;
    const bytes = this.lists.address;
    this.cursor.start(bytes + this.listEnds.at(list), bytes + this.listEnds.at(list + 1));
  }

  /** Sets `starts` and `ends` to the bucket of each term. */
  findBuckets(directory: usize, count: u32): void {
    for (let term: u32 = 0; term < this.terms; term++) {
      const at = directory + <usize>this.bucketOf(term, count) * directoryBytes;
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
    for (let term: u32 = 0; term < this.terms; term++) {
      const start = lists + this.starts.at(term);
      const end = lists + this.ends.at(term);
      if (end > start && checksum(start, end) != this.sums.at(term)) return false;
      this.lists.append(start, end - start);
      this.listEnds.push(<u32>this.lists.length);
    }
    return this.countDocuments(this.lastPart);
  }

  /** How often a term stands in a document. */
  countIn(term: u32, part: Part, document: u32): u32 {
    const cursor = this.cursor;
    const first = part.firstBlock(document);
    const end = part.firstBlock(document + 1);
    let count: u32 = 0;
    this.openList(part, term);
    while (cursor.next() && cursor.block < end) if (cursor.block >= first) count += cursor.count;
    return count;
  }

  private countDocuments(part: Part): bool {
    const cursor = this.cursor;
    this.openPart(part);
    for (let term: u32 = 0; term < this.terms; term++) {
      this.openList(part, term);
      let last = nobody;
      let count = this.documents.at(term);
      while (cursor.next()) {
        if (cursor.block >= part.blocks) return false;
        const number = this.ownerOf(cursor.block);
        if (number == nobody || number == last) continue;
        last = number;
        count++;
      }
      this.documents.put(term, count);
    }
    return true;
  }

  /** As `bucketOf` in `lists.ts`. */
  private bucketOf(term: u32, count: u32): u32 {
    const hash = <f64>this.hashes.at(2 * term + 1) * 4294967296.0 + <f64>this.hashes.at(2 * term);
    return <u32>((hash / 9007199254740992.0) * <f64>count);
  }
}
