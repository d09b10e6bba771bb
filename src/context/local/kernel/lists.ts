import { Column } from './column.ts';
import { largeCount, Log } from './log.ts';
import { writePosting } from './varints.ts';

/**
 * The posting list of each term, one after the other: see `segment-format.ts`. In the state of a
 * term stands then where its list starts and how long it is.
 */
@final
export class Lists {
  readonly bytes: usize;
  readonly length: u32;
  /** Those that have a list. */
  readonly terms: Column = new Column();

  constructor(log: Log, termCount: u32) {
    const terms = log.terms;
    const listed = this.terms;
    let length: u32 = 0;
    for (let term: u32 = 0; term < termCount; term++) {
      const state = terms.of(term);
      if (load<u32>(state, 8) == 0) continue;
      listed.push(term);
      store<u32>(state, 0, 4);
      store<u32>(state, length, 12);
      length += load<u32>(state, 8);
    }
    this.length = length;
    this.bytes = heap.alloc(length + 1);
    this.write(log);
    for (let at: u32 = 0; at < listed.length; at++) {
      const state = terms.of(listed.at(at));
      store<u32>(state, load<u32>(state, 12) - load<u32>(state, 8), 12);
    }
  }

  /** Gives its memory back. */
  free(): void {
    heap.free(this.bytes);
    this.terms.free();
  }

  /** Each posting where the one before it in its list ended. */
  private write(log: Log): void {
    const states = log.terms.ofAll(0);
    const postings = log.postings.address;
    const bytes = this.bytes;
    let at = postings;
    let large: u32 = 0;
    for (let block: u32 = 0; block < log.ends.length; block++) {
      for (const end = postings + ((<usize>log.ends.at(block)) << 2); at < end; at += 4) {
        const posting = load<u32>(at);
        const state = states + ((<usize>(posting >>> 8)) << 4);
        const known = posting & 0xff;
        const count = known < largeCount ? known : log.largeCounts.at(large++);
        const start = bytes + load<u32>(state, 12);
        const next = writePosting(start, block - load<u32>(state, 4), count);
        store<u32>(state, block, 4);
        store<u32>(state, <u32>(next - bytes), 12);
      }
    }
  }
}
