/** Numbers of 32 bits in a row that grows. New ones are zero. */
@final
export class Column {
  length: u32 = 0;
  private room: u32 = 1 << 10;
  private data: usize = heap.alloc(4 << 10);

  @inline get address(): usize {
    return this.data;
  }

  @inline at(index: u32): u32 {
    return load<u32>(this.data + ((<usize>index) << 2));
  }

  @inline put(index: u32, value: u32): void {
    store<u32>(this.data + ((<usize>index) << 2), value);
  }

  @inline push(value: u32): void {
    if (this.length == this.room) this.grow(this.length + 1);
    this.put(this.length++, value);
  }

  /** Where the next one is written, with room for so many. */
  roomFor(more: u32): usize {
    const least = this.length + more;
    if (least > this.room) this.grow(least);
    return this.end;
  }

  /** After the last one. */
  @inline get end(): usize {
    return this.data + ((<usize>this.length) << 2);
  }

  /** Those that were written into that room are its own, up to there. */
  @inline endAt(end: usize): void {
    this.length = <u32>((end - this.data) >> 2);
  }

  /** Longer, with zeros at the end; never shorter. */
  resize(length: u32): void {
    if (length > this.room) this.grow(length);
    if (length <= this.length) return;
    memory.fill(this.data + ((<usize>this.length) << 2), 0, (<usize>(length - this.length)) << 2);
    this.length = length;
  }

  /** Empties it; its memory stays. */
  @inline clear(): void {
    this.length = 0;
  }

  /** Gives its memory back; it cannot be used any more. */
  free(): void {
    heap.free(this.data);
  }

  private grow(least: u32): void {
    while (this.room < least) this.room <<= 1;
    this.data = heap.realloc(this.data, (<usize>this.room) << 2);
  }
}
