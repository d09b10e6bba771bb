import { digit, kindAt, lowerCase, upperCase } from './letters.ts';

/** A name with more parts is no name. */
export const mostParts: u32 = 12;

/** Start and end of each part that was bound last. */
const bounds: usize = memory.data(8 * 13);

export function startOf(part: u32): usize {
  return load<u32>(bounds + ((<usize>part) << 3));
}

export function endOf(part: u32): usize {
  return load<u32>(bounds + ((<usize>part) << 3) + 4);
}

/** Finds the parts of a name, e.g. three of `URLParser2_x`; stops after one part too many. */
export function boundParts(start: usize, end: usize): u32 {
  let count: u32 = 0;
  let at = start;
  while (at < end && count <= mostParts) {
    const from = at;
    const kind = kindAt(at++);
    if (kind == 0 || kind > digit) continue;
    at = kind == upperCase ? afterCapitals(at, end) : afterSmall(at, end);
    store<u32>(bounds + ((<usize>count) << 3), <u32>from);
    store<u32>(bounds + ((<usize>count) << 3) + 4, <u32>at);
    count++;
  }
  return count;
}

/** The end of a part that starts with a capital before `from`: `Date`, `URL` of `URLParser`, `V2`. */
function afterCapitals(from: usize, end: usize): usize {
  let at = from;
  while (at < end && kindAt(at) == upperCase) at++;
  if (at < end && kindAt(at) == lowerCase) return at > from ? at - 1 : afterSmall(at, end);
  while (at < end && kindAt(at) == digit) at++;
  return at;
}

function afterSmall(from: usize, end: usize): usize {
  let at = from;
  while (at < end && (kindAt(at) == lowerCase || kindAt(at) == digit)) at++;
  return at;
}
