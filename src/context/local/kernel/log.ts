import { Column } from './column.ts';
import { TermState } from './term-state.ts';

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

  endBlock(): void {
    const open = this.open;
    const block = this.ends.length;
    for (let at: u32 = 0; at < open.length; at++) {
      const term = open.at(at);
      const count = this.terms.endBlock(term, block);
      this.postings.push((term << 8) | min(count, largeCount));
      if (count >= largeCount) this.largeCounts.push(count);
    }
    open.length = 0;
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
