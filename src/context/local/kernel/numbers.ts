/** Numbers 0, 1, 2… for hashes, in the order in which they first came. */
@final
export class Numbers {
  size: u32 = 0;
  /**
   * By slot 16 bytes that are read together: the hash, and the number + 1, where 0 is free. At most
   * half of the slots are taken.
   */
  private slots: usize = 0;
  private mask: u32 = 0;

  constructor() {
    this.take(1 << 12);
  }

  /** The number of the hash, or -1 where it has none. */
  find(hash: u64): i32 {
    const slots = this.slots;
    const mask = this.mask;
    let at = slots + ((<usize>(<u32>hash & mask)) << 4);
    const end = slots + ((<usize>mask + 1) << 4);
    let number = load<u32>(at, 8);
    while (number != 0 && load<u64>(at) != hash) {
      at += 16;
      if (at == end) at = slots;
      number = load<u32>(at, 8);
    }
    return <i32>number - 1;
  }

  /** Gives it the next number. Only for one that was not found. */
  add(hash: u64): u32 {
    const number = this.size++;
    if (this.size << 1 > this.mask) this.spread();
    this.place(hash, number);
    return number;
  }

  /** Empties it; its memory stays. */
  clear(): void {
    this.size = 0;
    memory.fill(this.slots, 0, (<usize>this.mask + 1) << 4);
  }

  private spread(): void {
    const before = this.slots;
    const end = before + ((<usize>this.mask + 1) << 4);
    this.take((this.mask + 1) << 1);
    for (let at = before; at < end; at += 16) {
      const number = load<u32>(at, 8);
      if (number != 0) this.place(load<u64>(at), number - 1);
    }
    heap.free(before);
  }

  private take(slots: u32): void {
    const bytes = (<usize>slots) << 4;
    this.slots = heap.alloc(bytes);
    memory.fill(this.slots, 0, bytes);
    this.mask = slots - 1;
  }

  private place(hash: u64, number: u32): void {
    const slots = this.slots;
    let slot = <u32>hash & this.mask;
    while (load<u32>(slots + ((<usize>slot) << 4), 8) != 0) slot = (slot + 1) & this.mask;
    const at = slots + ((<usize>slot) << 4);
    store<u64>(at, hash);
    store<u32>(at, number + 1, 8);
  }
}
