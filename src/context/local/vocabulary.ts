import { growingNumbers } from './growing.ts';
import { hashTable } from './hash-table.ts';
import { hashOf } from './segment-format.ts';
import { defining, termsOf } from './terms.ts';

/** Numbers for terms, remembered by the token that they come from: most tokens come again. */
export interface Vocabulary {
  /** Each term of every token of a part of an ASCII text; the tokens are those of `tokensIn`. */
  addText(text: Buffer, part: { readonly start: number; readonly end: number }): void;
  addToken(token: string): void;
  addDefined(name: string): void;
  /** The hashes of the terms in the order of their numbers. */
  hashes(): Float64Array;
}

/** `each` is called with the number of every term that is added. */
export function vocabulary(each: (term: number) => void): Vocabulary {
  const terms = hashTable();
  const numberOf = (term: string): number => {
    const hash = hashOf(term);
    const [high, low] = [Math.floor(hash / 2 ** 32), hash % 2 ** 32];
    const known = terms.find(high, low);
    return known === -1 ? terms.add(high, low) : known;
  };
  const tokens = rememberedTerms((token) => termsOf(token).map(numberOf), each);
  const names = rememberedTerms(
    (name) => termsOf(name).map((term) => numberOf(defining + term)),
    each,
  );
  return {
    addText: (text, part) => scanTokens(text, { ...part, each: tokens.addBytes }),
    addToken: tokens.add,
    addDefined: names.add,
    hashes() {
      const lows = terms.lows();
      return Float64Array.from(terms.highs(), (high, at) => high * 2 ** 32 + (lows[at] ?? 0));
    },
  };
}

/** A token is only made a string, and taken apart, the first time that it comes. */
function rememberedTerms(
  termsFor: (token: string) => readonly number[],
  each: (term: number) => void,
): {
  add(token: string): void;
  addBytes(text: Buffer, start: number, end: number): void;
} {
  const known = hashTable();
  const starts = growingNumbers();
  const pool = growingNumbers();
  starts.push(0);
  const addHashed = (high: number, low: number, token: () => string): void => {
    let number = known.find(high, low);
    if (number === -1) {
      number = known.add(high, low);
      for (const term of termsFor(token())) pool.push(term);
      starts.push(pool.length);
    }
    const end = starts.at(number + 1);
    for (let at = starts.at(number); at < end; at++) each(pool.at(at));
  };
  return {
    add(token) {
      let high = seed;
      let low = otherSeed;
      for (let at = 0; at < token.length; at++) {
        const code = token.charCodeAt(at);
        high = Math.imul(high ^ code, factor);
        low = Math.imul(low ^ code, otherFactor);
      }
      addHashed(spread(high), spread(low), () => token);
    },
    addBytes(text, start, end) {
      let high = seed;
      let low = otherSeed;
      for (let at = start; at < end; at++) {
        const code = text[at] ?? 0;
        high = Math.imul(high ^ code, factor);
        low = Math.imul(low ^ code, otherFactor);
      }
      addHashed(spread(high), spread(low), () => text.toString('latin1', start, end));
    },
  };
}

const seed = 0xdeadbeef;
const otherSeed = 0x41c6ce57;
const factor = 2654435761;
const otherFactor = 1597334677;

function spread(hash: number): number {
  return (hash ^ (hash >>> 15)) >>> 0;
}

const letter = 1;
const digit = 2;
const kinds = Uint8Array.from({ length: 256 }, (_, code) => {
  if (code > 127) return 0;
  const character = String.fromCharCode(code);
  if (/[A-Za-z_$]/.test(character)) return letter;
  return /\d/.test(character) ? digit : 0;
});
const hyphen = 45;

/** The same tokens as `tokensIn` gives for an ASCII text, without making strings. */
function scanTokens(
  text: Buffer,
  part: {
    readonly start: number;
    readonly end: number;
    readonly each: (text: Buffer, start: number, end: number) => void;
  },
): void {
  const { end, each } = part;
  let at = part.start;
  while (at < end) {
    const kind = kinds[text[at] ?? 0];
    const start = at++;
    if (kind === 0) continue;
    while (at < end && kinds[text[at] ?? 0] !== 0) at++;
    if (kind === digit) {
      if (isNumber(text, start, at)) each(text, start, at);
      continue;
    }
    while (at + 1 < end && text[at] === hyphen && isHyphenated(text[at + 1] ?? 0)) {
      at++;
      while (at < end && kinds[text[at] ?? 0] !== 0) at++;
    }
    each(text, start, at);
  }
}

/** A letter, as opposed to `_` and `$`. */
function isHyphenated(code: number): boolean {
  return (code >= 65 && code <= 90) || (code >= 97 && code <= 122);
}

/** Three to five digits, e.g. a status code or an issue. */
function isNumber(text: Buffer, start: number, end: number): boolean {
  if (end - start < 3 || end - start > 5) return false;
  for (let at = start; at < end; at++) if (kinds[text[at] ?? 0] !== digit) return false;
  return true;
}
