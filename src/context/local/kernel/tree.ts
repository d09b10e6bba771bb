import { quickHash } from './hashing.ts';
import { readAhead } from './letters.ts';
import { Numbers } from './numbers.ts';
import { textEnd } from './text-end.ts';

/** The paths of the tree. */
@final
export class Tree {
  /** Each with a NUL after it. */
  readonly text: usize;
  private readonly places: Numbers = new Numbers();

  constructor(
    readonly bytes: usize,
    readonly count: u32,
  ) {
    this.text = heap.alloc(bytes + readAhead);
  }

  /** Which of the paths it is, or -1. */
  numberOf(start: usize, end: usize): i32 {
    if (this.places.size == 0) this.numberPaths();
    return this.places.find(quickHash(start, end));
  }

  /** Only where a path is looked for: without a past, none is. */
  private numberPaths(): void {
    const end = this.text + this.bytes;
    for (let at = this.text; at < end;) {
      const next = textEnd(at, end);
      this.places.add(quickHash(at, next));
      at = next + 1;
    }
  }
}
