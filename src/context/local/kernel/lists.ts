import { Column } from './column.ts';
import { Log } from './log.ts';
import { Terms } from './terms.ts';

/** The posting list of each term, one after the other: see `segment-format.ts`. */
@final
export class Lists {
  bytes: usize = 0;
  /** Where the list of each term starts; one more for the end of the last. */
  readonly starts: Column = new Column();

  get length(): u32 {
    return this.starts.at(this.starts.length - 1);
  }

  constructor(log: Log, termCount: u32) {
    const starts = this.starts;
    starts.resize(termCount + 1);
    const last = new Column();
    last.resize(termCount);
    for (let at: u32 = 0; at < log.size; at++) {
      const term = log.terms.at(at);
      const block = log.blocks.at(at);
      const size = sizeOf(block - last.at(term), log.counts.at(at));
      starts.put(term + 1, starts.at(term + 1) + size);
      last.put(term, block);
    }
    for (let term: u32 = 0; term < termCount; term++) {
      starts.put(term + 1, starts.at(term + 1) + starts.at(term));
    }
    this.bytes = heap.alloc(this.length + 1);
    const next = new Column();
    next.resize(termCount);
    for (let term: u32 = 0; term < termCount; term++) {
      next.put(term, starts.at(term));
      last.put(term, 0);
    }
    for (let at: u32 = 0; at < log.size; at++) {
      const term = log.terms.at(at);
      const block = log.blocks.at(at);
      const start = this.bytes + next.at(term);
      const end = write(start, block - last.at(term), log.counts.at(at));
      next.put(term, <u32>(end - this.bytes));
      last.put(term, block);
    }
  }
}

/** A count of four or more has its rest in a number of its own. */
const largeCount: u32 = 4;

function sizeOf(gap: u32, count: u32): u32 {
  return varintSize(gap * 4) + (count >= largeCount ? varintSize(count - largeCount) : 0);
}

function write(at: usize, gap: u32, count: u32): usize {
  const end = writeVarint(at, gap * 4 + min<u32>(largeCount, count) - 1);
  return count >= largeCount ? writeVarint(end, count - largeCount) : end;
}

function varintSize(value: u32): u32 {
  return value < 1 << 7 ? 1 : value < 1 << 14 ? 2 : value < 1 << 21 ? 3 : value < 1 << 28 ? 4 : 5;
}

function writeVarint(start: usize, value: u32): usize {
  let at = start;
  while (value > 127) {
    store<u8>(at++, (value & 127) | 128);
    value >>>= 7;
  }
  store<u8>(at, value);
  return at + 1;
}

/** One entry for each term by the range of hashes that it falls into; inside a bucket in no order. */
@final
export class Buckets {
  readonly entries: usize;
  /** Where each bucket starts, in entries; one more for the end of the last. */
  readonly firsts: Column = new Column();

  constructor(terms: Terms, lists: Lists, perBucket: u32) {
    const count = max<u32>(1, (terms.size + perBucket - 1) / perBucket);
    const firsts = this.firsts;
    firsts.resize(count + 1);
    for (let term: u32 = 0; term < terms.size; term++) {
      const bucket = bucketOf(terms, term, count) + 1;
      firsts.put(bucket, firsts.at(bucket) + 1);
    }
    for (let at: u32 = 0; at < count; at++) firsts.put(at + 1, firsts.at(at + 1) + firsts.at(at));
    const next = new Column();
    next.resize(count);
    for (let at: u32 = 0; at < count; at++) next.put(at, firsts.at(at));
    this.entries = heap.alloc(<usize>terms.size * entryBytes + 1);
    for (let term: u32 = 0; term < terms.size; term++) {
      const bucket = bucketOf(terms, term, count);
      const entry = this.entries + <usize>next.at(bucket) * entryBytes;
      next.put(bucket, next.at(bucket) + 1);
      const start = lists.starts.at(term);
      const end = lists.starts.at(term + 1);
      store<u32>(entry, terms.highs.at(term));
      store<u32>(entry, terms.lows.at(term), 4);
      store<u32>(entry, start, 8);
      store<u32>(entry, end - start, 12);
      store<u32>(entry, checksum(lists.bytes + start, lists.bytes + end), 16);
    }
  }
}

export const entryBytes: usize = 20;

function bucketOf(terms: Terms, term: u32, count: u32): u32 {
  const hash = <f64>terms.highs.at(term) * 4294967296.0 + <f64>terms.lows.at(term);
  return <u32>((hash / 9007199254740992.0) * <f64>count);
}

/** FNV-1a. */
function checksum(start: usize, end: usize): u32 {
  let sum: u32 = 0x811c9dc5;
  for (let at = start; at < end; at++) sum = (sum ^ load<u8>(at)) * 0x01000193;
  return sum;
}
