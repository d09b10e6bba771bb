/** The place of a token in the open block stands in the lower bits of its hash. */
const placeBits: u64 = 0xffff;
const mostOpen: u32 = 0xffff;

/**
 * The tokens that came so far, and how often those of the open block did. By slot 16 bytes that are
 * read together: the hash with the place in the block, 0 for none; where its terms start; and how
 * many they are + 1, where 0 is free. At most half of the slots are taken.
 */
@final
export class Tokens {
  openCount: u32 = 0;
  private size: u32 = 0;
  private slots: usize = 0;
  private mask: u32 = 0;
  /** The slot that was found last. */
  private found: usize = 0;
  /** By place, 16 bytes: the slot, its terms from and up to, and how often. */
  private readonly open: usize = heap.alloc((<usize>mostOpen) << 4);

  constructor() {
    this.take(1 << 12);
  }

  /** Where the terms of the one that was found start, and end. */
  @inline get first(): u32 {
    return load<u32>(this.found, 8);
  }

  @inline get last(): u32 {
    return this.first + load<u32>(this.found, 12) - 1;
  }

  /** Before another one is counted, the block has to be closed. */
  @inline get isOpenFull(): bool {
    return this.openCount == mostOpen;
  }

  @inline find(hash: u64): bool {
    let at = this.slotOf(hash);
    const end = this.slots + ((<usize>this.mask + 1) << 4);
    while (load<u32>(at, 12) != 0) {
      if ((load<u64>(at) ^ hash) <= placeBits) {
        this.found = at;
        return true;
      }
      at += 16;
      if (at == end) at = this.slots;
    }
    return false;
  }

  /** What stands where it is looked for: its memory has come then. */
  @inline lookAt(hash: u64): u32 {
    return load<u32>(this.slotOf(hash), 12);
  }

  /** Only for one that was not found; it is then. */
  learn(hash: u64, first: u32, terms: u32): void {
    if (++this.size << 1 > this.mask) this.spread();
    this.place(hash & ~placeBits, first, terms + 1);
  }

  /** Counts the one that was found; returns how many terms it has. */
  @inline count(): u32 {
    const slot = this.found;
    const key = load<u64>(slot);
    const place = <u32>(key & placeBits);
    const terms = load<u32>(slot, 12) - 1;
    if (place != 0) {
      const at = this.at(place - 1);
      store<u32>(at, load<u32>(at, 12) + 1, 12);
      return terms;
    }
    const at = this.at(this.openCount++);
    store<u32>(at, <u32>slot);
    store<u32>(at, this.first, 4);
    store<u32>(at, this.last, 8);
    store<u32>(at, 1, 12);
    store<u64>(slot, key | <u64>this.openCount);
    return terms;
  }

  /** Where those of the open block stand, by place. */
  @inline get opened(): usize {
    return this.open;
  }

  @inline get openedEnd(): usize {
    return this.at(this.openCount);
  }

  /** No token is in the open block any more. */
  close(): void {
    const end = this.openedEnd;
    for (let at = this.open; at < end; at += 16) {
      const slot = <usize>load<u32>(at);
      store<u64>(slot, load<u64>(slot) & ~placeBits);
    }
    this.openCount = 0;
  }

  /** Empties it; its memory stays. */
  clear(): void {
    this.size = 0;
    this.openCount = 0;
    memory.fill(this.slots, 0, (<usize>this.mask + 1) << 4);
  }

  @inline private at(place: u32): usize {
    return this.open + ((<usize>place) << 4);
  }

  @inline private slotOf(hash: u64): usize {
    return this.slots + ((<usize>(<u32>(hash >>> 16) & this.mask)) << 4);
  }

  private spread(): void {
    const before = this.slots;
    const end = before + ((<usize>this.mask + 1) << 4);
    this.take((this.mask + 1) << 1);
    for (let at = before; at < end; at += 16) {
      const terms = load<u32>(at, 12);
      if (terms == 0) continue;
      const key = load<u64>(at);
      this.place(key, load<u32>(at, 8), terms);
      const place = <u32>(key & placeBits);
      if (place != 0) store<u32>(this.at(place - 1), <u32>this.found);
    }
    heap.free(before);
  }

  private take(slots: u32): void {
    const bytes = (<usize>slots) << 4;
    this.slots = heap.alloc(bytes);
    memory.fill(this.slots, 0, bytes);
    this.mask = slots - 1;
  }

  private place(key: u64, first: u32, terms: u32): void {
    let at = this.slotOf(key);
    const end = this.slots + ((<usize>this.mask + 1) << 4);
    while (load<u32>(at, 12) != 0) {
      at += 16;
      if (at == end) at = this.slots;
    }
    store<u64>(at, key);
    store<u32>(at, first, 8);
    store<u32>(at, terms, 12);
    this.found = at;
  }
}
