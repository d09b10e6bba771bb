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

/** The byte in lower case. */
export function lowerAt(at: usize): u8 {
  return load<u8>(at) | (kindAt(at) == upperCase ? 32 : 0);
}
