/** The hash of a term as `segment-format.ts` has it: the upper 21 bits stand above the lower 32. */
export function termHash(start: usize, end: usize): u64 {
  let a: u32 = 0xdeadbeef;
  let b: u32 = 0x41c6ce57;
  for (let at = start; at < end; at++) {
    const code = <u32>load<u8>(at);
    a = (a ^ code) * 2654435761;
    b = (b ^ code) * 1597334677;
  }
  const low = ((a ^ (a >>> 16)) * 2246822507) ^ ((b ^ (b >>> 13)) * 3266489909);
  const mixed = ((b ^ (b >>> 16)) * 2246822507) ^ ((low ^ (low >>> 13)) * 3266489909);
  return ((<u64>(mixed & 2097151)) << 32) | <u64>low;
}

/** Another hash, which is kept nowhere: eight bytes at a time. */
export function quickHash(start: usize, end: usize): u64 {
  let hash: u64 = (<u64>(end - start) + 1) * 0x9e3779b97f4a7c15;
  let at = start;
  for (; at + 8 <= end; at += 8) hash = mixed(hash ^ load<u64>(at));
  let rest: u64 = 0;
  for (; at < end; at++) rest = (rest << 8) | <u64>load<u8>(at);
  return mixed(hash ^ rest);
}

function mixed(value: u64): u64 {
  const product = (value ^ (value >>> 32)) * 0xd6e8feb86659fd93;
  return product ^ (product >>> 32);
}
