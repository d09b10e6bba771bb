/** What a byte is in a name. */
export const upperCase: u8 = 1;
export const lowerCase: u8 = 2;
export const digit: u8 = 3;
/** `_` and `$` */
export const joiner: u8 = 4;

const kinds: usize = memory.data(256);
for (let code = 0; code < 256; code++) {
  let kind: u8 = 0;
  if (code >= 65 && code <= 90) kind = upperCase;
  else if (code >= 97 && code <= 122) kind = lowerCase;
  else if (code >= 48 && code <= 57) kind = digit;
  else if (code == 95 || code == 36) kind = joiner;
  store<u8>(kinds + code, kind);
}

export function kindAt(at: usize): u8 {
  return load<u8>(kinds + load<u8>(at));
}

export function isDigit(at: usize): bool {
  return kindAt(at) == digit;
}

/** So many bytes behind a text may be read with it. */
export const readAhead: usize = 64;

/** Writes a text in lower case, 16 bytes at a time. */
export function lowerInto(to: usize, start: usize, end: usize): void {
  for (let at = start; at < end; at += 16) {
    const bytes = v128.load(at);
    const areCapitals = i8x16.lt_u(i8x16.sub(bytes, i8x16.splat(65)), i8x16.splat(26));
    const small = v128.or(bytes, v128.and(areCapitals, i8x16.splat(32)));
    v128.store(to + (at - start), small);
  }
}

/** What `\s` fits in ASCII. */
export function isSpace(code: u8): bool {
  return code == 32 || (code >= 9 && code <= 13);
}
