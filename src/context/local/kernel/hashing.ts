/** What the two halves of the hash of a term are before its first byte. */
const seed: u32 = 0xdeadbeef;
const otherSeed: u32 = 0x41c6ce57;

/** The hash of a term as `segment-format.ts` has it, byte after byte: it can be gone on with. */
@final
export class TermHash {
  a: u32 = seed;
  b: u32 = otherSeed;

  @inline start(): void {
    this.a = seed;
    this.b = otherSeed;
  }

  @inline goOn(a: u32, b: u32): void {
    this.a = a;
    this.b = b;
  }

  @inline add(code: u8): void {
    this.a = (this.a ^ code) * 2654435761;
    this.b = (this.b ^ code) * 1597334677;
  }

  addAll(start: usize, end: usize): void {
    let a = this.a;
    let b = this.b;
    for (let at = start; at < end; at++) {
      const code = <u32>load<u8>(at);
      a = (a ^ code) * 2654435761;
      b = (b ^ code) * 1597334677;
    }
    this.a = a;
    this.b = b;
  }

  /** The upper 21 bits stand above the lower 32. */
  @inline get value(): u64 {
    const a = this.a;
    const b = this.b;
    const low = ((a ^ (a >>> 16)) * 2246822507) ^ ((b ^ (b >>> 13)) * 3266489909);
    const mixed = ((b ^ (b >>> 16)) * 2246822507) ^ ((low ^ (low >>> 13)) * 3266489909);
    return ((<u64>(mixed & 2097151)) << 32) | <u64>low;
  }
}

/** The hash of a term at the place that defines it, as `segment-format.ts` has it. */
export function definedHash(hash: u64): u64 {
  return hash ^ ((<u64>2097151) << 32);
}

/** Another hash: eight bytes at a time, the last of them twice. */
export function quickHash(start: usize, end: usize): u64 {
  const length = end - start;
  let hash: u64 = (<u64>length + 1) * 0x9e3779b97f4a7c15;
  if (length >= 8) {
    for (let at = start; at + 8 < end; at += 8) hash = mixed(hash ^ load<u64>(at));
    return mixed(hash ^ load<u64>(end - 8));
  }
  if (length >= 4) {
    return mixed(hash ^ (((<u64>load<u32>(start)) << 32) | <u64>load<u32>(end - 4)));
  }
  if (length == 0) return mixed(hash);
  const middle = <u64>load<u8>(start + (length >> 1));
  return mixed(hash ^ (((<u64>load<u8>(start)) << 16) | (middle << 8) | <u64>load<u8>(end - 1)));
}

function mixed(value: u64): u64 {
  const product = (value ^ (value >>> 32)) * 0xd6e8feb86659fd93;
  return product ^ (product >>> 32);
}
