import { Column } from './column.ts';
import { definedHash } from './hashing.ts';
import { Numbers } from './numbers.ts';

/** A number for each hash of a term. */
@final
export class Terms {
  private readonly numbers: Numbers = new Numbers();
  /** By term: its hash. */
  private readonly hashes: Hashes = new Hashes();
  /** By term: its number at the place that defines it + 1, 0 where it has none yet; may be short. */
  private readonly defined: Column = new Column();

  @inline get size(): u32 {
    return this.numbers.size;
  }

  clear(): void {
    this.numbers.clear();
    this.defined.clear();
  }

  @inline hashAt(term: u32): u64 {
    return this.hashes.at(term);
  }

  /** The number that the term has, or gets. */
  numberOf(hash: u64): u32 {
    const known = this.numbers.find(hash);
    if (known != -1) return known;
    const number = this.numbers.add(hash);
    this.hashes.put(number, hash);
    return number;
  }

  /** The number of a term at the place that defines it. */
  definedOf(term: u32): u32 {
    if (term >= this.defined.length) this.defined.resize(this.size);
    const known = this.defined.at(term);
    if (known != 0) return known - 1;
    const number = this.numberOf(definedHash(this.hashAt(term)));
    this.defined.put(term, number + 1);
    return number;
  }
}

/** Numbers of 64 bits in a row that grows. */
@final
class Hashes {
  private room: u32 = 1 << 10;
  private data: usize = heap.alloc(8 << 10);

  @inline at(index: u32): u64 {
    return load<u64>(this.data + ((<usize>index) << 3));
  }

  /** In the order of the indexes. */
  @inline put(index: u32, value: u64): void {
    if (index == this.room) this.grow();
    store<u64>(this.data + ((<usize>index) << 3), value);
  }

  private grow(): void {
    this.room <<= 1;
    this.data = heap.realloc(this.data, (<usize>this.room) << 3);
  }
}
