import { Column } from './column.ts';
import { Numbers } from './numbers.ts';

/** The terms of a segment by number. */
@final
export class Terms {
  readonly highs: Column = new Column();
  readonly lows: Column = new Column();
  private readonly numbers: Numbers = new Numbers();

  get size(): u32 {
    return this.numbers.size;
  }

  /** The number that the term has, or gets. */
  numberOf(hash: u64): u32 {
    const known = this.numbers.find(hash);
    if (known != -1) return known;
    this.highs.push(<u32>(hash >>> 32));
    this.lows.push(<u32>hash);
    return this.numbers.add(hash);
  }
}
