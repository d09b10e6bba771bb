/**
 * Numbers 0, 1, 2… for 64-bit hashes, in the order in which they first came. Typed arrays and no
 * strings: of a large tree there are millions.
 */
export interface HashTable {
  readonly size: number;
  /** The number of the hash, or -1 where it has none. */
  find(high: number, low: number): number;
  /** Gives it the next number. Only for one that was not found. */
  add(high: number, low: number): number;
  highs(): Uint32Array;
  lows(): Uint32Array;
}

export function hashTable(): HashTable {
  let highs = new Uint32Array(1 << 12);
  let lows = new Uint32Array(1 << 12);
  /** Number + 1 by slot; 0 is free. At most half of the slots are taken. */
  let slots = new Uint32Array(1 << 13);
  let size = 0;
  const place = (number: number): void => {
    const mask = slots.length - 1;
    let slot = (lows[number] ?? 0) & mask;
    while (slots[slot] !== 0) slot = (slot + 1) & mask;
    slots[slot] = number + 1;
  };
  const grow = (): void => {
    highs = doubled(highs);
    lows = doubled(lows);
    slots = new Uint32Array(slots.length * 2);
    for (let number = 0; number < size; number++) place(number);
  };
  return {
    get size() {
      return size;
    },
    find(high, low) {
      const mask = slots.length - 1;
      for (let slot = low & mask; ; slot = (slot + 1) & mask) {
        const number = (slots[slot] ?? 0) - 1;
        if (number === -1 || (lows[number] === low && highs[number] === high)) return number;
      }
    },
    add(high, low) {
      if (size === highs.length) grow();
      highs[size] = high;
      lows[size] = low;
      place(size);
      return size++;
    },
    highs: () => highs.subarray(0, size),
    lows: () => lows.subarray(0, size),
  };
}

/** A copy with as much room again. */
export function doubled(values: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(values.length * 2);
  larger.set(values);
  return larger;
}
