import { factor, highOf, lowOf, otherFactor, otherSeed, seed } from './segment-format.ts';
import { hashTable } from './hash-table.ts';
import { stemOf } from './stem.ts';
import { joint, longestToken, mostParts, termsOfPart } from './terms.ts';

/** The hashes of the terms of ASCII tokens: no strings are made but for parts that are new. */
export interface AsciiTerms {
  /** The hashes that were found last, in two halves. */
  readonly highs: Uint32Array;
  readonly lows: Uint32Array;
  /**
   * Finds the hashes of what `termsOf` gives for this `asciiToken`, in the same order; some may
   * come twice. Returns how many there are.
   */
  find(text: Uint8Array, start: number, end: number): number;
}

/** Each term is taken with `prefix` before it. */
export function asciiTerms(prefix: string): AsciiTerms {
  const parts = partsWith(prefix);
  const bounds = new Uint32Array(2 * (mostParts + 1));
  const numbers = new Uint32Array(mostParts);
  const highs = new Uint32Array(3 * mostParts);
  const lows = new Uint32Array(3 * mostParts);
  const [jointA, jointB] = hashedSoFar(prefix + joint);
  let size = 0;
  const addJoint = (text: Uint8Array, first: number, last: number): void => {
    let a = jointA;
    let b = jointB;
    for (let part = first; part < last; part++) {
      const end = bounds[2 * part + 1] ?? 0;
      for (let at = bounds[2 * part] ?? 0; at < end; at++) {
        const code = lower[text[at] ?? 0] ?? 0;
        a = Math.imul(a ^ code, factor);
        b = Math.imul(b ^ code, otherFactor);
      }
    }
    const stem = parts.stems[numbers[last] ?? 0] ?? '';
    for (let at = 0; at < stem.length; at++) {
      const code = stem.charCodeAt(at);
      a = Math.imul(a ^ code, factor);
      b = Math.imul(b ^ code, otherFactor);
    }
    const low = lowOf(a, b);
    lows[size] = low;
    highs[size++] = highOf(b, low);
  };
  return {
    highs,
    lows,
    find(text, start, end) {
      size = 0;
      const count = end - start > longestToken ? 0 : boundParts(text, { start, end, bounds });
      if (count > mostParts) return 0;
      for (let part = 0; part < count; part++) {
        const number = parts.numberOf(text, bounds[2 * part] ?? 0, bounds[2 * part + 1] ?? 0);
        numbers[part] = number;
        const last = parts.starts[number + 1] ?? 0;
        for (let at = parts.starts[number] ?? 0; at < last; at++) {
          highs[size] = parts.highs[at] ?? 0;
          lows[size++] = parts.lows[at] ?? 0;
        }
      }
      if (count > 1) {
        addJoint(text, 0, count - 1);
        for (let part = 1; part < count; part++) addJoint(text, part - 1, part);
      }
      return size;
    },
  };
}

/** Parts of names in lower case by number. */
interface KnownParts {
  /** The stem of the whole part. */
  readonly stems: readonly string[];
  /** Where the terms of each part start in `highs` and `lows`; one more for the end. */
  readonly starts: readonly number[];
  readonly highs: readonly number[];
  readonly lows: readonly number[];
  numberOf(text: Uint8Array, start: number, end: number): number;
}

/** Every text has them, so that they are kept for the next one; not without bounds. */
const remembered = new Map<string, KnownParts>();
const mostRemembered = 50_000;

function partsWith(prefix: string): KnownParts {
  const known = remembered.get(prefix);
  if (known !== undefined && known.stems.length < mostRemembered) return known;
  const parts = knownParts(prefix);
  remembered.set(prefix, parts);
  return parts;
}

function knownParts(prefix: string): KnownParts {
  const known = hashTable();
  const stems: string[] = [];
  const starts = [0];
  const highs: number[] = [];
  const lows: number[] = [];
  const learn = (part: string): void => {
    stems.push(stemOf(part));
    for (const term of termsOfPart(part)) {
      const [a, b] = hashedSoFar(prefix + term);
      const low = lowOf(a, b);
      lows.push(low);
      highs.push(highOf(b, low));
    }
    starts.push(lows.length);
  };
  return {
    stems,
    starts,
    highs,
    lows,
    numberOf(text, start, end) {
      let a = seed;
      let b = otherSeed;
      for (let at = start; at < end; at++) {
        const code = lower[text[at] ?? 0] ?? 0;
        a = Math.imul(a ^ code, factor);
        b = Math.imul(b ^ code, otherFactor);
      }
      const low = lowOf(a, b);
      const high = highOf(b, low);
      const number = known.find(high, low);
      if (number !== -1) return number;
      learn(String.fromCharCode(...text.subarray(start, end)).toLowerCase());
      return known.add(high, low);
    },
  };
}

/** The two halves of a hash before its end. */
function hashedSoFar(text: string): readonly [number, number] {
  let a = seed;
  let b = otherSeed;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    a = Math.imul(a ^ code, factor);
    b = Math.imul(b ^ code, otherFactor);
  }
  return [a, b];
}

const upperCase = 1;
const lowerCase = 2;
const digit = 3;
const kinds = Uint8Array.from({ length: 256 }, (_, code) => {
  if (code >= 65 && code <= 90) return upperCase;
  if (code >= 97 && code <= 122) return lowerCase;
  return code >= 48 && code <= 57 ? digit : 0;
});
const lower = Uint8Array.from({ length: 256 }, (_, code) =>
  kinds[code] === upperCase ? code + 32 : code,
);

/** Start and end of each part, as `asciiPart` parts a name; stops after one part too many. */
function boundParts(
  text: Uint8Array,
  {
    start,
    end,
    bounds,
  }: { readonly start: number; readonly end: number; readonly bounds: Uint32Array },
): number {
  let count = 0;
  let at = start;
  while (at < end && count <= mostParts) {
    const from = at;
    const kind = kinds[text[at++] ?? 0];
    if (kind === 0) continue;
    at = kind === upperCase ? afterCapitals(text, at, end) : afterSmall(text, at, end);
    bounds[2 * count] = from;
    bounds[2 * count++ + 1] = at;
  }
  return count;
}

/** The end of a part that starts with a capital before `from`: `Date`, `URL` of `URLParser`, `V2`. */
function afterCapitals(text: Uint8Array, from: number, end: number): number {
  let at = from;
  while (at < end && kinds[text[at] ?? 0] === upperCase) at++;
  if (at < end && kinds[text[at] ?? 0] === lowerCase) {
    return at > from ? at - 1 : afterSmall(text, at, end);
  }
  while (at < end && kinds[text[at] ?? 0] === digit) at++;
  return at;
}

function afterSmall(text: Uint8Array, from: number, end: number): number {
  let at = from;
  while (at < end && (kinds[text[at] ?? 0] ?? 0) >= lowerCase) at++;
  return at;
}
