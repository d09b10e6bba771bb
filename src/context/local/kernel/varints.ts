/** A count of four or more has its rest in a number of its own. */
const mostShort: u32 = 4;

/** How many bytes a posting takes. */
export function sizeOf(gap: u32, count: u32): u32 {
  return varintSize(gap * 4) + (count >= mostShort ? varintSize(count - mostShort) : 0);
}

/** Writes a posting; returns where it ends. */
export function writePosting(at: usize, gap: u32, count: u32): usize {
  const end = writeVarint(at, gap * 4 + min<u32>(mostShort, count) - 1);
  return count >= mostShort ? writeVarint(end, count - mostShort) : end;
}

function varintSize(value: u32): u32 {
  return value < 1 << 7 ? 1 : value < 1 << 14 ? 2 : value < 1 << 21 ? 3 : value < 1 << 28 ? 4 : 5;
}

function writeVarint(start: usize, value: u32): usize {
  let at = start;
  while (value > 127) {
    store<u8>(at++, (value & 127) | 128);
    value >>>= 7;
  }
  store<u8>(at, value);
  return at + 1;
}
