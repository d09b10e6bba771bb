/** Goes over a posting list as `lists.ts` writes it. */
@final
export class Cursor {
  block: u32 = 0;
  count: u32 = 0;
  private at: usize = 0;
  private end: usize = 0;

  start(at: usize, end: usize): void {
    this.at = at;
    this.end = end;
    this.block = 0;
  }

  /** To the next block of the list, if there is one. */
  next(): bool {
    if (this.at >= this.end) return false;
    const value = this.number();
    const more = value & 3;
    this.block += value >>> 2;
    this.count = more < 3 ? more + 1 : 4 + this.number();
    return true;
  }

  @inline private number(): u32 {
    let at = this.at;
    let byte: u32 = at < this.end ? load<u8>(at++) : 0;
    let value = byte & 127;
    for (let shift: u32 = 7; byte > 127 && at < this.end; shift += 7) {
      byte = load<u8>(at++);
      value |= (byte & 127) << shift;
    }
    this.at = at;
    return value;
  }
}
