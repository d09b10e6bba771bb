import { Bytes } from './bytes.ts';
import { Column } from './column.ts';
import { isSpace, kindAt } from './letters.ts';
import { after, head, leading, LineLook, never } from './line-look.ts';

const lineFeed: u8 = 10;
const eightSpaces: u64 = 0x2020202020202020;

/** What the words at the start of a line tell. */
const unknown: u8 = 0;
const defines: u8 = 1;
const other: u8 = 2;

/** The lines of a text that have the look of a definition. */
@final
export class Candidates {
  /** Where each starts and ends, from the start of the text on, and how many lines are before it. */
  readonly found: Column = new Column();
  /** The lines themselves, a line feed after each. */
  readonly lines: Bytes = new Bytes();

  private text: usize = 0;

  constructor(private readonly look: LineLook) {}

  find(text: usize, end: usize, longest: usize): void {
    this.text = text;
    this.found.clear();
    this.lines.clear(0);
    let start = text;
    let line: u32 = 0;
    // Of the line before, unless that was found.
    let before = text;
    let beforeLast = text;
    let isFree = false;
    for (let at = text; at <= end; at += 16) {
      for (let feeds = lineEndsFrom(at, end); feeds != 0; feeds &= feeds - 1) {
        const feed = at + <usize>ctz(feeds);
        const last = feed > start && load<u8>(feed - 1) == 13 ? feed - 1 : feed;
        const shapes = this.shapesOf(start, last);
        const isFound = shapes != 0 && last - start <= longest;
        if (isFound) {
          if (isFree && this.look.isUnder(shapes) && beforeLast - before <= longest) {
            this.push(before, beforeLast, line - 1);
          }
          this.push(start, last, line);
        }
        before = start;
        beforeLast = last;
        isFree = !isFound;
        start = feed + 1;
        line++;
      }
    }
  }

  private push(start: usize, end: usize, line: u32): void {
    this.found.push(<u32>(start - this.text));
    this.found.push(<u32>(end - this.text));
    this.found.push(line);
    this.lines.append(start, end - start);
    this.lines.push(lineFeed);
  }

  /** Which the line has; 1 where its words or unusual spaces tell. */
  private shapesOf(start: usize, end: usize): u8 {
    const first = afterBlanks(start, end);
    if (first == end) return 0;
    const sign = load<u8>(first);
    // It may be a space that ASCII does not have. Unusual spaces are few.
    if (sign > 127 || isSpace(sign)) return 1;
    const isIndented = first > start;
    const shapes = this.look.shapesFrom(sign, isIndented);
    if (shapes == 0) return 0;
    if ((shapes & 1) != 0) {
      const way = this.byWords(first, end, isIndented);
      if (way != unknown) return way == defines ? 1 : 0;
    }
    const others = shapes & ~1;
    return others == 0 ? 0 : this.look.shapesOf(others, first, lastSign(first, end));
  }

  private byWords(first: usize, end: usize, isIndented: bool): u8 {
    let at = first;
    do {
      const word = this.look.wordAt(at, end);
      if (word == 0) return at > first && kindAt(at) == 0 ? defines : unknown;
      const kind = this.look.kindOf(word, isIndented);
      if (kind == head || (kind == after && at > first)) return defines;
      if (kind == never && at == first) return other;
      if (kind != leading) return unknown;
      at += this.look.lengthOf(word);
      // Something else may stand between, e.g. `pub(crate)`.
      if (at < end && !isSpace(load<u8>(at))) return defines;
      at = afterSpaces(at, end);
    } while (at < end);
    return unknown;
  }
}

/** A bit for each of 16 bytes that ends a line, as the end of the text does. */
function lineEndsFrom(at: usize, end: usize): u32 {
  if (at + 16 <= end) return i8x16.bitmask(i8x16.eq(v128.load(at), i8x16.splat(lineFeed)));
  let ends: u32 = 1 << (<u32>(end - at));
  for (let one = at; one < end; one++) {
    if (load<u8>(one) == lineFeed) ends |= 1 << (<u32>(one - at));
  }
  return ends;
}

/** After spaces and tabs. */
function afterBlanks(from: usize, end: usize): usize {
  let at = from;
  while (at + 8 <= end && load<u64>(at) == eightSpaces) at += 8;
  while (at < end && (load<u8>(at) == 32 || load<u8>(at) == 9)) at++;
  return at;
}

function afterSpaces(from: usize, end: usize): usize {
  let at = from;
  while (at < end && isSpace(load<u8>(at))) at++;
  return at;
}

/** The last byte that is no space, not before the first one. */
function lastSign(first: usize, end: usize): usize {
  let at = end - 1;
  while (at > first && isSpace(load<u8>(at))) at--;
  return at;
}
