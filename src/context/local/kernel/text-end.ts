const ones: u64 = 0x0101010101010101;
const tops: u64 = 0x8080808080808080;

/** Where the NUL after a text stands, or the end: eight bytes at a time. */
export function textEnd(start: usize, end: usize): usize {
  let at = start;
  for (; at + 8 <= end; at += 8) {
    const bytes = load<u64>(at);
    const nuls = (bytes - ones) & ~bytes & tops;
    if (nuls != 0) return at + <usize>(ctz(nuls) >> 3);
  }
  while (at < end && load<u8>(at) != 0) at++;
  return at;
}
