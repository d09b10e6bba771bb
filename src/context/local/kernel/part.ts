import { Column } from './column.ts';

const rowNumbers: u32 = 7;

/** The number of a document that is not searched. */
export const nobody: u32 = 0xffffffff;

/** The documents of one segment. */
@final
export class Part {
  /** As the segment has them: see `segment-format.ts`. */
  readonly rows: usize;
  /** By document: its number in the search. */
  readonly numbers: Column = new Column();
  /** By block: the number of its document. */
  readonly owners: Column = new Column();

  constructor(
    readonly documents: u32,
    readonly blocks: u32,
    /** The place of its first list among those of all parts. */
    readonly firstList: u32,
  ) {
    this.rows = heap.alloc(<usize>documents * rowNumbers * 4 + 4);
    this.numbers.resize(documents);
  }

  /** Once the rows and numbers are written. */
  numberBlocks(): void {
    this.owners.resize(this.blocks);
    for (let document: u32 = 0; document < this.documents; document++) {
      const number = this.numbers.at(document);
      const end = this.firstBlock(document + 1);
      for (let block = this.firstBlock(document); block < end; block++) {
        this.owners.put(block, number);
      }
    }
  }

  /** After the last document, the end of its blocks. */
  firstBlock(document: u32): u32 {
    return document < this.documents ? this.inRow(document, 0) : this.blocks;
  }

  /** In terms. */
  lengthOf(document: u32): u32 {
    return this.inRow(document, 1);
  }

  payloadStart(document: u32): u32 {
    return this.inRow(document, 4);
  }

  payloadLength(document: u32): u32 {
    return this.inRow(document, 5);
  }

  payloadSum(document: u32): u32 {
    return this.inRow(document, 6);
  }

  @inline private inRow(document: u32, number: u32): u32 {
    return load<u32>(this.rows + ((<usize>(document * rowNumbers + number)) << 2));
  }
}
