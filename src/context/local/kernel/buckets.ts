import { checksum, crc32 } from './checksums.ts';
import { Column } from './column.ts';
import { Lists } from './lists.ts';
import { TermState } from './term-state.ts';
import { Terms } from './terms.ts';

export const entryBytes: usize = 20;

/** One entry for each term that has a list, by the range of hashes that it falls into. */
@final
export class Buckets {
  readonly entries: usize;
  readonly count: u32;
  /** By bucket two numbers: where it starts, in bytes, and its CRC; one more for the end. */
  readonly directory: Column = new Column();

  constructor(terms: Terms, states: TermState, lists: Lists, perBucket: u32) {
    const listed = lists.terms;
    this.count = listed.length;
    const count = max<u32>(1, (this.count + perBucket - 1) / perBucket);
    const firsts = new Column();
    firsts.resize(count + 1);
    for (let at: u32 = 0; at < listed.length; at++) {
      const bucket = bucketOf(terms.hashAt(listed.at(at)), count) + 1;
      firsts.put(bucket, firsts.at(bucket) + 1);
    }
    for (let at: u32 = 0; at < count; at++) firsts.put(at + 1, firsts.at(at + 1) + firsts.at(at));
    const next = new Column();
    next.resize(count);
    for (let at: u32 = 0; at < count; at++) next.put(at, firsts.at(at));
    this.entries = heap.alloc(<usize>this.count * entryBytes + 1);
    for (let at: u32 = 0; at < listed.length; at++) {
      const term = listed.at(at);
      const hash = terms.hashAt(term);
      const bucket = bucketOf(hash, count);
      const entry = this.entries + <usize>next.at(bucket) * entryBytes;
      next.put(bucket, next.at(bucket) + 1);
      const state = states.of(term);
      const length = load<u32>(state, 8);
      const start = load<u32>(state, 12);
      store<u32>(entry, <u32>(hash >>> 32));
      store<u32>(entry, <u32>hash, 4);
      store<u32>(entry, start, 8);
      store<u32>(entry, length, 12);
      store<u32>(entry, checksum(lists.bytes + start, lists.bytes + start + length), 16);
    }
    next.free();
    for (let at: u32 = 0; at <= count; at++) {
      const start = <usize>firsts.at(at) * entryBytes;
      const end = <usize>firsts.at(min(at + 1, count)) * entryBytes;
      this.directory.push(<u32>start);
      this.directory.push(crc32(this.entries + start, this.entries + end));
    }
    firsts.free();
  }

  /** Gives its memory back. */
  free(): void {
    heap.free(this.entries);
    this.directory.free();
  }
}

export function bucketOf(hash: u64, count: u32): u32 {
  return <u32>((<f64>hash / 9007199254740992.0) * <f64>count);
}
