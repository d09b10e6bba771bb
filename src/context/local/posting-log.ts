import { doubled } from './hash-table.ts';

/** How often each term stands in each block, in the order of the blocks. */
export interface PostingLog {
  readonly size: number;
  /** How many terms were added to the block that is open. */
  readonly added: number;
  readonly add: (term: number) => void;
  /** Ends the block and numbers it. */
  endBlock(block: number): void;
  columns(): {
    readonly terms: Uint32Array;
    readonly blocks: Uint32Array;
    readonly counts: Uint16Array;
  };
}

/** Plain arrays that are written in place: this is run for every word of every file. */
export function postingLog(): PostingLog {
  let terms = new Uint32Array(1 << 14);
  let blocks = new Uint32Array(1 << 14);
  let counts = new Uint16Array(1 << 14);
  let size = 0;
  /** By term, in the open block. */
  let here = new Uint16Array(1 << 12);
  let touched = new Uint32Array(1 << 12);
  let distinct = 0;
  let added = 0;
  const grow = (): void => {
    terms = doubled(terms);
    blocks = doubled(blocks);
    counts = doubledShort(counts);
  };
  return {
    get size() {
      return size;
    },
    get added() {
      return added;
    },
    add(term) {
      while (term >= here.length) here = doubledShort(here);
      const count = here[term] ?? 0;
      if (count === 0) {
        if (distinct === touched.length) touched = doubled(touched);
        touched[distinct++] = term;
      }
      if (count < 0xffff) here[term] = count + 1;
      added++;
    },
    endBlock(block) {
      while (size + distinct > terms.length) grow();
      for (let at = 0; at < distinct; at++) {
        const term = touched[at] ?? 0;
        terms[size] = term;
        blocks[size] = block;
        counts[size++] = here[term] ?? 0;
        here[term] = 0;
      }
      distinct = 0;
      added = 0;
    },
    columns: () => ({
      terms: terms.subarray(0, size),
      blocks: blocks.subarray(0, size),
      counts: counts.subarray(0, size),
    }),
  };
}

function doubledShort(values: Uint16Array<ArrayBuffer>): Uint16Array<ArrayBuffer> {
  const larger = new Uint16Array(values.length * 2);
  larger.set(values);
  return larger;
}
