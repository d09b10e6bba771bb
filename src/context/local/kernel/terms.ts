import { Numbers } from './numbers.ts';

/** The terms of a segment: a number for each hash. */
@final
export class Terms {
  private readonly numbers: Numbers = new Numbers();

  @inline get size(): u32 {
    return this.numbers.size;
  }

  clear(): void {
    this.numbers.clear();
  }

  /** Every slot has a term, or -1 for its number. */
  @inline get slotCount(): u32 {
    return this.numbers.slotCount;
  }

  @inline numberAt(slot: u32): i32 {
    return this.numbers.numberAt(slot);
  }

  @inline hashAt(slot: u32): u64 {
    return this.numbers.hashAt(slot);
  }

  /** The number that the term has, or gets. */
  numberOf(hash: u64): u32 {
    const known = this.numbers.find(hash);
    return known == -1 ? this.numbers.add(hash) : known;
  }
}
