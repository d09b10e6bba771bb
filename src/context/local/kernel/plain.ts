/**
 * Whether a text has no letters, marks or digits but those of ASCII. Of other signs it knows the
 * usual ones: the same as `lettersBeyond` of the host does.
 */
export function isPlain(text: usize, end: usize): bool {
  for (let at = asciiEnd(text, end); at < end; at = asciiEnd(at, end)) {
    const length = signAt(at, end);
    if (length == 0) return false;
    at += length;
  }
  return true;
}

/** Where the first byte stands that is not ASCII, or the end. */
function asciiEnd(text: usize, end: usize): usize {
  let at = text;
  for (; at + 16 <= end; at += 16) {
    const others = i8x16.bitmask(v128.load(at));
    if (others != 0) return at + <usize>ctz(others);
  }
  while (at < end && load<u8>(at) < 128) at++;
  return at;
}

/** The bytes of the sign that stands there in UTF-8; 0 where none does. */
function signAt(at: usize, end: usize): usize {
  const first = load<u8>(at);
  if (first == 0xe2) return end - at >= 3 && isFarSign(codeAt(at + 1, 0x2000)) ? 3 : 0;
  if (first == 0xc2) return end - at >= 2 && isLatinSign(load<u8>(at, 1)) ? 2 : 0;
  if (first != 0xc3 || end - at < 2) return 0;
  const code = load<u8>(at, 1) + 64;
  return code == times || code == dividedBy ? 2 : 0;
}

const times = 0xd7;
const dividedBy = 0xf7;

/** `ª`, `²`, `³`, `µ`, `¹`, `º`, `¼`, `½` and `¾`, from U+00A0 on. */
const latinLetters: u32 = 0x762c0400;

function isLatinSign(code: u8): bool {
  return code >= 0xa0 && ((latinLetters >>> (code - 0xa0)) & 1) == 0;
}

/** Dashes, quotation marks and bullets; arrows, mathematics and keys; boxes, shapes and dingbats. */
function isFarSign(code: u32): bool {
  if (code <= 0x203f) return true;
  return code >= 0x2190 && (code <= 0x23ff || (code >= 0x2500 && code <= 0x2767));
}

/** A code of three bytes, of which the first one stands for `base`. */
function codeAt(second: usize, base: u32): u32 {
  return base | ((<u32>load<u8>(second) & 63) << 6) | (<u32>load<u8>(second, 1) & 63);
}
