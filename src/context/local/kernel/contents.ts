import { Column } from './column.ts';
import { Floats } from './floats.ts';
import { Found } from './found.ts';
import { hitBytes } from './hits.ts';
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
  /** By document: its first block in its part. */
  private readonly firstBlocks: Column = new Column();

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
    this.firstBlocks.resize(count);
    this.areJoints.resize(terms);
  }

  /** Once the values are written. */
  weigh(): void {
    const parts = this.found.parts;
    for (let at = 0; at < parts.length; at++) this.weighPart(parts[at]);
  }

  private weighPart(part: Part): void {
    this.windows.clear();
    for (let document: u32 = 0; document < part.documents; document++) {
      const number = part.numbers.at(document);
      if (number != nobody) this.firstBlocks.put(number, part.firstBlock(document));
    }
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
    const value = this.values.at(term);
    const field = isJoint ? this.joints : this.body;
    const inWindow = isJoint ? value * jointsInWindow : value;
    found.read(part, term);
    for (let hit = found.hits; hit < found.hitsEnd;) {
      const number = load<u32>(hit);
      const end = documentEnd(hit, found.hitsEnd);
      const count = <f64>countOf(hit, end);
      field.add(number, (value * count * (saturation + 1)) / (count + this.norms.at(number)));
      this.addWindows(hit, end, inWindow);
      hit = end;
    }
  }

  /** Adds the hits in one document to each window that has some of them. */
  private addWindows(first: usize, end: usize, value: f64): void {
    const windows = this.windows.address;
    let from = <i32>this.firstBlocks.at(load<u32>(first));
    for (let hit = first; hit < end; hit += hitBytes) {
      const block = <i32>load<u32>(hit, 4);
      let count: u32 = 0;
      let share: f64 = 0;
      let next = hit;
      // What starts before this block and after the last one has this hit first.
      for (let start = max(from, block - windowBlocks + 1); start <= block; start++) {
        for (; next < end && <i32>load<u32>(next, 4) < start + windowBlocks; next += hitBytes) {
          count += load<u32>(next, 8);
          share = (value * <f64>count) / (<f64>count + windowSaturation);
        }
        const at = windows + ((<usize>start) << 3);
        store<f64>(at, load<f64>(at) + share);
      }
      from = block + 1;
    }
  }

  private addDefined(part: Part, term: u32, isJoint: bool): void {
    const found = this.found;
    const value = this.values.at(term);
    const field = isJoint ? this.definedJoints : this.definitions;
    found.read(part, this.values.length + term);
    for (let hit = found.hits; hit < found.hitsEnd;) {
      const end = documentEnd(hit, found.hitsEnd);
      const count = <f64>countOf(hit, end);
      field.add(load<u32>(hit), (value * count) / (count + definedSaturation));
      hit = end;
    }
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

/** Where the hits in the document of the first one end. */
function documentEnd(first: usize, end: usize): usize {
  const number = load<u32>(first);
  let hit = first + hitBytes;
  while (hit < end && load<u32>(hit) == number) hit += hitBytes;
  return hit;
}

function countOf(first: usize, end: usize): u32 {
  let count: u32 = 0;
  for (let hit = first; hit < end; hit += hitBytes) count += load<u32>(hit, 8);
  return count;
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
