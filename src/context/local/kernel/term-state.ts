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

  /** Where the first one stands, with room for so many terms. */
  @inline ofAll(terms: u32): usize {
    if (terms > this.room) this.grow(terms - 1);
    return this.states;
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
