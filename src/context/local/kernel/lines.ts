import { Column } from './column.ts';

const feeds: u64 = 0x0a0a0a0a0a0a0a0a;
const tops: u64 = 0x8080808080808080;

/** Where each so many lines of a text end, from its start on; the last ends with the text. */
@final
export class Lines {
  readonly ends: Column = new Column();
  /** At least one. */
  count: u32 = 0;

  find(text: usize, end: usize, together: u32): void {
    this.ends.clear();
    this.count = 0;
    let next = together;
    let at = text;
    for (; at + 8 <= end; at += 8) {
      let found = feedsIn(load<u64>(at));
      if (this.count + <u32>popcnt(found) < next) {
        this.count += <u32>popcnt(found);
        continue;
      }
      for (; found != 0; found &= found - 1) {
        if (++this.count != next) continue;
        this.ends.push(<u32>(at - text) + <u32>(ctz(found) >> 3) + 1);
        next += together;
      }
    }
    for (; at < end; at++) {
      if (load<u8>(at) != 10 || ++this.count != next) continue;
      this.ends.push(<u32>(at - text) + 1);
      next += together;
    }
    this.close(<u32>(end - text), end > text && load<u8>(end - 1) == 10);
  }

  private close(length: u32, isEnded: bool): void {
    if (!isEnded) this.count++;
    const ends = this.ends;
    if (ends.length == 0 || ends.at(ends.length - 1) != length) ends.push(length);
  }
}

/** The top bit of each byte that is a line feed. */
function feedsIn(bytes: u64): u64 {
  const others = bytes ^ feeds;
  return ~(((others & ~tops) + ~tops) | others) & tops;
}
