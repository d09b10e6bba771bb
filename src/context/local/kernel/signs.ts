/** So many bytes are looked at together. */
export const signsAtOnce: usize = 64;

/** A bit for each byte from `at` on that may stand in a name: letters, digits, `_` and `$`. */
export function signsOfNames(at: usize, end: usize): u64 {
  if (at >= end) return 0;
  const signs =
    signsIn(v128.load(at)) |
    (signsIn(v128.load(at, 16)) << 16) |
    (signsIn(v128.load(at, 32)) << 32) |
    (signsIn(v128.load(at, 48)) << 48);
  const left = end - at;
  return left >= signsAtOnce ? signs : signs & (((<u64>1) << (<u64>left)) - 1);
}

function signsIn(bytes: v128): u64 {
  const small = v128.or(bytes, i8x16.splat(32));
  const letters = i8x16.lt_u(i8x16.sub(small, i8x16.splat(97)), i8x16.splat(26));
  const digits = i8x16.lt_u(i8x16.sub(bytes, i8x16.splat(48)), i8x16.splat(10));
  const joiners = v128.or(i8x16.eq(bytes, i8x16.splat(95)), i8x16.eq(bytes, i8x16.splat(36)));
  return <u64>(<u32>i8x16.bitmask(v128.or(v128.or(letters, digits), joiners)));
}
