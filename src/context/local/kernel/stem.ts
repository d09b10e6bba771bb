// The same stems as `stem.ts` beside the kernel has, of parts in lower case.

/** Writes the stem of a part; returns its length. */
export function stemInto(to: usize, part: usize, length: u32): u32 {
  memory.copy(to, part, length);
  if (length < 4 || !areLetters(to, length)) return length;
  const single = singular(to, length);
  for (let at = 0; at < endings.length; at++) {
    const ending = endings[at];
    if (!endsWith(to, single, ending)) continue;
    const rest = single - <u32>ending.length;
    if (rest >= 3 && hasVowel(to, rest)) return tidy(to, rest);
  }
  return tidy(to, single);
}

/** How many letters come before the digits, as in `utf8`; 0 for any other part. */
export function lettersOf(part: usize, length: u32): u32 {
  let letters: u32 = 0;
  while (letters < length && isLetter(load<u8>(part + letters))) letters++;
  if (letters < 2 || letters == length) return 0;
  for (let at = letters; at < length; at++) if (isLetter(load<u8>(part + at))) return 0;
  return letters;
}

const endings: StaticArray<string> = [
  'ization',
  'isation',
  'ations',
  'ation',
  'ators',
  'ator',
  'ating',
  'ated',
  'izing',
  'ising',
  'izer',
  'ized',
  'ised',
  'ments',
  'ment',
  'ness',
  'able',
  'ible',
  'ions',
  'ion',
  'ings',
  'ing',
  'ize',
  'ise',
  'ate',
  'ers',
  'er',
  'or',
  'ed',
  'ly',
];

function singular(word: usize, length: u32): u32 {
  if (endsWith(word, length, 'ies') && length > 4) {
    store<u8>(word + length - 3, 121);
    return length - 2;
  }
  if (!endsWith(word, length, 's')) return length;
  for (let at = 0; at < hissing.length; at++) {
    if (endsWith(word, length, hissing[at])) return length - 2;
  }
  const before = load<u8>(word + length - 2);
  return before == 115 || before == 117 || before == 105 ? length : length - 1;
}

const hissing: StaticArray<string> = ['sses', 'xes', 'ches', 'shes', 'zzes'];

/** One letter of two, and no `e` or `y` at the end of a longer stem. */
function tidy(stem: usize, length: u32): u32 {
  const last = load<u8>(stem + length - 1);
  const isDouble = last == load<u8>(stem + length - 2) && isOf('bdfgmnprt', last);
  let short = isDouble ? length - 1 : length;
  if (short <= 3) return short;
  if (load<u8>(stem + short - 1) == 101) short--;
  if (load<u8>(stem + short - 1) == 121) store<u8>(stem + short - 1, 105);
  return short;
}

function endsWith(word: usize, length: u32, ending: string): bool {
  const size = <u32>ending.length;
  if (size > length) return false;
  const start = word + length - size;
  for (let at: i32 = size - 1; at >= 0; at--) {
    if (<i32>load<u8>(start + at) != ending.charCodeAt(at)) return false;
  }
  return true;
}

function hasVowel(word: usize, length: u32): bool {
  for (let at: u32 = 0; at < length; at++) if (isOf('aeiouy', load<u8>(word + at))) return true;
  return false;
}

function isOf(letters: string, letter: u8): bool {
  for (let at = 0; at < letters.length; at++) if (letters.charCodeAt(at) == letter) return true;
  return false;
}

function areLetters(word: usize, length: u32): bool {
  for (let at: u32 = 0; at < length; at++) if (!isLetter(load<u8>(word + at))) return false;
  return true;
}

function isLetter(code: u8): bool {
  return code >= 97 && code <= 122;
}
