import { isSpace, kindAt } from './letters.ts';

/** What a word at the start of a line tells: a definition, */
export const head: u8 = 1;
/** that one may follow, */
export const leading: u8 = 2;
/** that there is one unless it is the first word, */
export const after: u8 = 3;
/** or that there is none. */
export const never: u8 = 4;

const parenthesis: u8 = 40;

// As the host writes it: for each byte of ASCII the shapes of a line that it starts where that is
// not indented, and where it is; that it ends; that have it; and that lack it. A shape is a bit.
const indented: usize = 128;
const ends: usize = 256;
const has: usize = 384;
const lacks: usize = 512;
/** The shapes that need to have nothing. */
const free: usize = 640;
/** The shapes in which two words stand before the first parenthesis. */
const called: usize = 641;
/** The shapes of which the line before is wanted too. */
const under: usize = 642;
/**
 * The words in the order of their first letters, of 24 bytes: up to 8 letters, the bits of those,
 * length, kind where not indented, and where so; and for each first letter its first word. No
 * letters follow the last word.
 */
const firsts: usize = 644;
const words: usize = 776;
const wordBytes: usize = 24;

/** What the lines have in common that may define something in one language. */
@final
export class LineLook {
  /** Where the host writes it. */
  readonly address: usize = heap.alloc(words + wordBytes * 129);

  @inline shapesFrom(first: u8, isIndented: bool): u8 {
    return load<u8>(this.address + (isIndented ? indented : 0) + first);
  }

  /** Where the word of the look is that stands there, or 0; of a long one only 8 letters count. */
  wordAt(at: usize, end: usize): usize {
    const first = load<u8>(at);
    if (first > 127) return 0;
    const letters = lettersAt(at, end);
    let word = this.address + words + wordBytes * <usize>load<u8>(this.address + firsts + first);
    for (; load<u8>(word) == first; word += wordBytes) {
      if ((letters & load<u64>(word, 8)) != load<u64>(word)) continue;
      const next = at + this.lengthOf(word);
      if (next == end || (next < end && kindAt(next) == 0)) return word;
    }
    return 0;
  }

  @inline lengthOf(word: usize): usize {
    return load<u8>(word, 16);
  }

  @inline kindOf(word: usize, isIndented: bool): u8 {
    return isIndented ? load<u8>(word, 18) : load<u8>(word, 17);
  }

  @inline isUnder(shapes: u8): bool {
    return (shapes & load<u8>(this.address + under)) != 0;
  }

  /** Those of these shapes that the line has. */
  shapesOf(shapes: u8, first: usize, last: usize): u8 {
    const look = this.address;
    const closing = load<u8>(last);
    let open = closing > 127 ? shapes : shapes & load<u8>(look + ends + closing);
    let found = load<u8>(look + free);
    let calls = load<u8>(look + called);
    for (let at = first; open != 0 && at <= last; at++) {
      const code = load<u8>(at);
      if (code > 127) continue;
      found |= load<u8>(look + has + code);
      open &= ~load<u8>(look + lacks + code);
      if (code != parenthesis || (open & calls) == 0) continue;
      if (!hasSpace(first, at)) open &= ~calls;
      calls = 0;
    }
    return open & found;
  }
}

/** The next 8 bytes, with zeros after the end. */
function lettersAt(at: usize, end: usize): u64 {
  if (at + 8 <= end) return load<u64>(at);
  let letters: u64 = 0;
  for (let one = end; one > at; one--) letters = (letters << 8) | load<u8>(one - 1);
  return letters;
}

/** Between two words, not only after one. */
function hasSpace(first: usize, end: usize): bool {
  let at = end;
  while (at > first && isSpace(load<u8>(at - 1))) at--;
  while (at > first && !isSpace(load<u8>(at - 1))) at--;
  return at > first;
}
