import { Column } from './column.ts';

/** How often each term stands in each block, in the order of the blocks. */
@final
export class Log {
  readonly terms: Column = new Column();
  readonly blocks: Column = new Column();
  readonly counts: Column = new Column();
  /** How many terms were added to the block that is open. */
  added: u32 = 0;
  /** The distinct ones. */
  readonly open: Column = new Column();
  /** By term: how often, in the open block. */
  private readonly here: Column = new Column();

  @inline get size(): u32 {
    return this.terms.length;
  }

  @inline add(term: u32): void {
    const here = this.here;
    if (term >= here.length) here.resize(2 * term + 1024);
    const count = here.at(term);
    if (count == 0) this.open.push(term);
    if (count < 0xffff) here.put(term, count + 1);
    this.added++;
  }

  /** Ends the block and numbers it. */
  endBlock(block: u32): void {
    const open = this.open;
    const here = this.here;
    for (let at: u32 = 0; at < open.length; at++) {
      const term = open.at(at);
      this.terms.push(term);
      this.blocks.push(block);
      this.counts.push(here.at(term));
    }
    this.dropBlock();
  }

  /** Forgets what the open block has. */
  dropBlock(): void {
    const open = this.open;
    const here = this.here;
    for (let at: u32 = 0; at < open.length; at++) here.put(open.at(at), 0);
    open.length = 0;
    this.added = 0;
  }
}
