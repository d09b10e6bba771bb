/** Bytes in a row that grows. */
@final
export class Bytes {
  address: usize = 0;
  length: usize = 0;
  private room: usize = 0;

  /** Room for so many; what stood there is gone where it grows. */
  clear(bytes: usize): usize {
    this.length = 0;
    if (bytes > this.room) {
      if (this.room > 0) heap.free(this.address);
      this.room = max<usize>(bytes, min<usize>(2 * this.room, this.room + (8 << 20)));
      this.address = heap.alloc(this.room);
    }
    return this.address;
  }

  append(from: usize, length: usize): void {
    const at = this.more(length);
    memory.copy(at, from, length);
  }

  push(byte: u8): void {
    const at = this.more(1);
    store<u8>(at, byte);
  }

  /** Where so many are written next. */
  @inline private more(length: usize): usize {
    const before = this.length;
    this.length += length;
    if (this.length > this.room) this.grow(before);
    return this.address + before;
  }

  private grow(before: usize): void {
    this.room = max<usize>(this.length, max<usize>(2 * this.room, 1 << 12));
    this.address = before > 0 ? heap.realloc(this.address, this.room) : heap.alloc(this.room);
  }
}
