import { Column } from './column.ts';
import { Floats } from './floats.ts';
import { Found } from './found.ts';
import { Part, nobody } from './part.ts';

const saturation: f64 = 1.2;
const lengthShare: f64 = 0.75;
const definedSaturation: f64 = 0.6;
/** What is weighed together: 60 lines. In blocks. */
const windowBlocks: i32 = 3;
const windowSaturation: f64 = 0.6;
const jointsInWindow: f64 = 0.5;

/** What the contents of each document say of the task; by the number of the document. */
@final
export class Contents {
  /** By term: what it is worth, and whether it joins several parts of a name. */
  readonly values: Floats;
  readonly areJoints: Column = new Column();
  readonly body: Floats;
  readonly joints: Floats;
  readonly definitions: Floats;
  readonly definedJoints: Floats;
  /** The best blocks that stand together, and the first of them, counted from the document’s. */
  readonly window: Floats;
  readonly windowStart: Column = new Column();
  private readonly norms: Floats;
  /** By block of the part: what the window says that starts with it. */
  private readonly windows: Floats;
  /** Of the document that is weighed: where the term stands. */
  private readonly blocks: Column = new Column();
  private readonly counts: Column = new Column();

  /** The first half of the terms stand anywhere, each of the second defines one of the first. */
  constructor(
    private readonly found: Found,
    count: u32,
  ) {
    const terms = found.terms / 2;
    this.values = new Floats(terms);
    this.body = new Floats(count);
    this.joints = new Floats(count);
    this.definitions = new Floats(count);
    this.definedJoints = new Floats(count);
    this.window = new Floats(count);
    this.norms = normsOf(found.parts, count);
    this.windows = new Floats(mostBlocks(found.parts));
    this.windowStart.resize(count);
    this.areJoints.resize(terms);
  }

  /** Once the values are written. */
  weigh(): void {
    const parts = this.found.parts;
    for (let at = 0; at < parts.length; at++) this.weighPart(parts[at]);
  }

  private weighPart(part: Part): void {
    this.found.openPart(part);
    this.windows.clear();
    for (let term: u32 = 0; term < this.values.length; term++) {
      const isJoint = this.areJoints.at(term) != 0;
      this.addTerm(part, term, isJoint);
      this.addDefined(part, term, isJoint);
    }
    for (let document: u32 = 0; document < part.documents; document++) {
      if (part.numbers.at(document) != nobody) this.chooseWindow(part, document);
    }
  }

  private addTerm(part: Part, term: u32, isJoint: bool): void {
    const found = this.found;
    const cursor = found.cursor;
    const value = this.values.at(term);
    let last = nobody;
    found.openList(part, term);
    while (cursor.next()) {
      const number = found.ownerOf(cursor.block);
      if (number == nobody) continue;
      if (number != last) {
        this.endDocument(last, value, isJoint);
        last = number;
      }
      this.blocks.push(cursor.block);
      this.counts.push(cursor.count);
    }
    this.endDocument(last, value, isJoint);
  }

  /** BM25, over what was found of the term since the document before. */
  private endDocument(number: u32, value: f64, isJoint: bool): void {
    if (number == nobody) return;
    let hits: u32 = 0;
    for (let at: u32 = 0; at < this.counts.length; at++) hits += this.counts.at(at);
    const count = <f64>hits;
    const field = isJoint ? this.joints : this.body;
    field.add(number, (value * count * (saturation + 1)) / (count + this.norms.at(number)));
    this.addWindows(number, isJoint ? value * jointsInWindow : value);
    this.blocks.length = 0;
    this.counts.length = 0;
  }

  /** Adds the term to each window of the document that it stands in. */
  private addWindows(number: u32, value: f64): void {
    const blocks = this.blocks;
    let done: i32 = -1;
    for (let from: u32 = 0; from < blocks.length; from++) {
      const block = <i32>blocks.at(from);
      for (let start = max(done + 1, block - windowBlocks + 1); start <= block; start++) {
        if (this.found.ownerOf(start) != number) continue;
        const count = <f64>this.hitsIn(start, from);
        this.windows.add(start, (value * count) / (count + windowSaturation));
      }
      done = block;
    }
  }

  /** How often it stands in the window, where the first of its blocks is that at `from`. */
  private hitsIn(start: i32, from: u32): u32 {
    const blocks = this.blocks;
    const end = <u32>(start + windowBlocks);
    let hits: u32 = 0;
    for (let at = from; at < blocks.length && blocks.at(at) < end; at++) hits += this.counts.at(at);
    return hits;
  }

  private addDefined(part: Part, term: u32, isJoint: bool): void {
    const found = this.found;
    const cursor = found.cursor;
    const value = this.values.at(term);
    const field = isJoint ? this.definedJoints : this.definitions;
    let last = nobody;
    let hits: u32 = 0;
    found.openList(part, this.values.length + term);
    while (cursor.next()) {
      const number = found.ownerOf(cursor.block);
      if (number == nobody) continue;
      if (number != last) {
        addDefinition(field, last, value, hits);
        last = number;
        hits = 0;
      }
      hits += cursor.count;
    }
    addDefinition(field, last, value, hits);
  }

  private chooseWindow(part: Part, document: u32): void {
    const windows = this.windows;
    const first = part.firstBlock(document);
    const end = part.firstBlock(document + 1);
    if (first == end) return;
    let best = first;
    for (let at = first + 1; at < end; at++) if (windows.at(at) > windows.at(best)) best = at;
    const number = part.numbers.at(document);
    this.window.put(number, windows.at(best));
    this.windowStart.put(number, best - first);
  }
}

function addDefinition(field: Floats, number: u32, value: f64, hits: u32): void {
  if (number == nobody) return;
  const count = <f64>hits;
  field.add(number, (value * count) / (count + definedSaturation));
}

function mostBlocks(parts: Part[]): u32 {
  let most: u32 = 0;
  for (let at = 0; at < parts.length; at++) most = max(most, parts[at].blocks);
  return most;
}

/** By document: what its length, against the average, does to the counts. */
function normsOf(parts: Part[], count: u32): Floats {
  const lengths = new Floats(count);
  let total: f64 = 0;
  for (let at = 0; at < parts.length; at++) {
    const part = parts[at];
    for (let document: u32 = 0; document < part.documents; document++) {
      const number = part.numbers.at(document);
      if (number == nobody) continue;
      const length = <f64>part.lengthOf(document);
      lengths.put(number, length);
      total += length;
    }
  }
  const average = max(1.0, total / max(1.0, <f64>count));
  for (let number: u32 = 0; number < count; number++) {
    const ratio = lengths.at(number) / average;
    lengths.put(number, saturation * (1 - lengthShare + lengthShare * ratio));
  }
  return lengths;
}
