import { Column } from './column.ts';
import { TermState } from './term-state.ts';
import { sizeOf } from './varints.ts';

/** So many fit beside the number of a term; the rest stands in a column of its own. */
export const largeCount: u32 = 255;

/** How often each term stands in each block, in the order of the blocks. */
@final
export class Log {
  readonly terms: TermState = new TermState();
  /** The number of a term times 256, and how often. */
  readonly postings: Column = new Column();
  /** The counts that do not fit, in the order of their postings. */
  readonly largeCounts: Column = new Column();
  /** Where the postings of each block end. */
  readonly ends: Column = new Column();
  /** How many terms were added to the open block. */
  added: u32 = 0;
  /** The distinct ones that were given to it. */
  private readonly open: Column = new Column();

  @inline get size(): u32 {
    return this.postings.length;
  }

  @inline add(term: u32, times: u32): void {
    const state = this.terms.of(term);
    const count = load<u32>(state);
    if (count == 0) this.open.push(term);
    store<u32>(state, min<u32>(0xffff, count + times));
  }

  /**
   * Adds the terms of a row of tokens: of each 16 bytes, of which the last three numbers are where
   * its terms start and end in the pool, and how often it came. So many terms have a number.
   */
  addTokens(tokens: usize, end: usize, pool: usize, terms: u32): void {
    const states = this.terms.ofAll(terms);
    let open = this.open.roomFor(this.added);
    for (let token = tokens; token < end; token += 16) {
      const times = load<u32>(token, 12);
      const last = pool + ((<usize>load<u32>(token, 8)) << 2);
      for (let at = pool + ((<usize>load<u32>(token, 4)) << 2); at < last; at += 4) {
        const term = load<u32>(at);
        const state = states + ((<usize>term) << 4);
        const count = load<u32>(state);
        if (count == 0) {
          store<u32>(open, term);
          open += 4;
        }
        store<u32>(state, min<u32>(0xffff, count + times));
      }
    }
    this.open.endAt(open);
  }

  /** Counts the open block to the lists of its terms. */
  endBlock(): void {
    const states = this.terms.ofAll(0);
    const block = this.ends.length;
    const last = this.open.end;
    let posting = this.postings.roomFor(this.open.length);
    for (let at = this.open.address; at < last; at += 4) {
      const term = load<u32>(at);
      const state = states + ((<usize>term) << 4);
      const count = load<u32>(state);
      const size = sizeOf(block - load<u32>(state, 4), count);
      store<u32>(state, 0);
      store<u32>(state, block, 4);
      store<u32>(state, load<u32>(state, 8) + size, 8);
      store<u32>(posting, (term << 8) | min(count, largeCount));
      posting += 4;
      if (count >= largeCount) this.largeCounts.push(count);
    }
    this.postings.endAt(posting);
    this.open.clear();
    this.added = 0;
    this.ends.push(this.postings.length);
  }

  /** Empties it, where so many terms were used. */
  clear(terms: u32): void {
    this.terms.clear(terms);
    this.postings.clear();
    this.largeCounts.clear();
    this.ends.clear();
    this.open.clear();
    this.added = 0;
  }
}
