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
    const least = this.length + length;
    if (least > this.room) {
      this.room = max<usize>(least, max<usize>(2 * this.room, 1 << 12));
      this.address =
        this.length > 0 ? heap.realloc(this.address, this.room) : heap.alloc(this.room);
    }
    memory.copy(this.address + this.length, from, length);
    this.length = least;
  }
}
