import { Column } from './column.ts';
import { definedHash } from './hashing.ts';
import { Numbers } from './numbers.ts';

/** A number for each hash of a term. */
@final
export class Terms {
  private readonly numbers: Numbers = new Numbers();
  /** By term, the lower and the upper half of its hash. */
  private readonly lows: Column = new Column();
  private readonly highs: Column = new Column();
  /** By term: its number at the place that defines it + 1, 0 where it has none yet. */
  private readonly defined: Column = new Column();

  @inline get size(): u32 {
    return this.numbers.size;
  }

  clear(): void {
    this.numbers.clear();
    this.lows.clear();
    this.highs.clear();
    this.defined.clear();
  }

  @inline hashAt(term: u32): u64 {
    return ((<u64>this.highs.at(term)) << 32) | <u64>this.lows.at(term);
  }

  /** The number that the term has, or gets. */
  numberOf(hash: u64): u32 {
    const known = this.numbers.find(hash);
    if (known != -1) return known;
    this.lows.push(<u32>hash);
    this.highs.push(<u32>(hash >>> 32));
    this.defined.push(0);
    return this.numbers.add(hash);
  }

  /** The number of a term at the place that defines it. */
  definedOf(term: u32): u32 {
    const known = this.defined.at(term);
    if (known != 0) return known - 1;
    const number = this.numberOf(definedHash(this.hashAt(term)));
    this.defined.put(term, number + 1);
    return number;
  }
}
