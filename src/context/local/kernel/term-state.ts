import { sizeOf } from './varints.ts';

/**
 * What is known of each term, by its number: 16 bytes that are read together. How often it stands
 * in the open block, the last block that has it, and the bytes of its posting list.
 */
@final
export class TermState {
  private room: u32 = 1 << 12;
  private states: usize = heap.alloc((1 << 12) << 4);

  constructor() {
    memory.fill(this.states, 0, (<usize>this.room) << 4);
  }

  /** Where it stands: the count of the open block first. */
  @inline of(term: u32): usize {
    if (term >= this.room) this.grow(term);
    return this.states + ((<usize>term) << 4);
  }

  /** Counts the open block to the list of the term; returns how often it stands there. */
  @inline endBlock(term: u32, block: u32): u32 {
    const state = this.of(term);
    const count = load<u32>(state);
    store<u32>(state, 0);
    store<u32>(state, load<u32>(state, 8) + sizeOf(block - load<u32>(state, 4), count), 8);
    store<u32>(state, block, 4);
    return count;
  }

  /** Empties it, where so many terms were used. */
  clear(terms: u32): void {
    memory.fill(this.states, 0, (<usize>min(terms, this.room)) << 4);
  }

  private grow(term: u32): void {
    const before = this.room;
    while (this.room <= term) this.room <<= 1;
    this.states = heap.realloc(this.states, (<usize>this.room) << 4);
    const end = (<usize>before) << 4;
    memory.fill(this.states + end, 0, ((<usize>this.room) << 4) - end);
  }
}
