// The words without which no generator marks its file: `generat` and `do not e`, in any case.

const lower: u64 = 0x2020202020202020;
const sevenLetters: u64 = 0x00ffffffffffffff;
const generat: u64 = 0x00746172656e6567;
const doNotE: u64 = 0x6520746f6e206f64;

/** Whether one of them stands there; it may go on behind the end. */
export function mayBeGenerated(start: usize, end: usize): bool {
  for (let at = start; at < end; at += 16) {
    const letters = small(at);
    const nexts = small(at + 1);
    const areG = v128.and(i8x16.eq(letters, i8x16.splat(103)), i8x16.eq(nexts, i8x16.splat(101)));
    const areD = v128.and(i8x16.eq(letters, i8x16.splat(100)), i8x16.eq(nexts, i8x16.splat(111)));
    for (let found = i8x16.bitmask(v128.or(areG, areD)); found != 0; found &= found - 1) {
      const word = load<u64>(at + <usize>ctz(found)) | lower;
      if ((word & sevenLetters) == generat || word == doNotE) return true;
    }
  }
  return false;
}

function small(at: usize): v128 {
  return v128.or(v128.load(at), i8x16.splat(32));
}
