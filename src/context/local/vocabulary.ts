import { asciiTerms } from './ascii-terms.ts';
import { doubled, hashTable, type HashTable } from './hash-table.ts';
import { factor, hashOf, otherFactor, otherSeed, seed } from './segment-format.ts';
import { asciiToken, defining, termsOf } from './terms.ts';

/** Numbers for terms, remembered by the token that they come from: most tokens come again. */
export interface Vocabulary {
  /** Each term of every token of a part of an ASCII text; the tokens are those of `tokensIn`. */
  readonly addText: (text: Buffer, part: { readonly start: number; readonly end: number }) => void;
  readonly addToken: (token: string) => void;
  readonly addDefined: (name: string) => void;
  /** The hashes of the terms in the order of their numbers. */
  hashes(): Float64Array;
}

/** `each` is called with the number of every term that is added. */
export function vocabulary(each: (term: number) => void): Vocabulary {
  const terms = hashTable();
  const tokens = rememberedTerms({ prefix: '', terms, each });
  const names = rememberedTerms({ prefix: defining, terms, each });
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

interface RememberedTerms {
  readonly add: (token: string) => void;
  readonly addBytes: (text: Buffer, start: number, end: number) => void;
}

/** A token is only made a string, and taken apart, the first time that it comes. */
function rememberedTerms({
  prefix,
  terms,
  each,
}: {
  readonly prefix: string;
  readonly terms: HashTable;
  readonly each: (term: number) => void;
}): RememberedTerms {
  const known = hashTable();
  const ascii = asciiTerms(prefix);
  // Where the terms of each token start in the pool. Plain arrays here, not behind a function:
  // this is run for every word of every file.
  let starts = new Uint32Array(1 << 12);
  let pool = new Uint32Array(1 << 13);
  let pooled = 0;
  const numberOf = (high: number, low: number): number => {
    const term = terms.find(high, low);
    return term === -1 ? terms.add(high, low) : term;
  };
  const keep = (term: number): void => {
    if (pooled === pool.length) pool = doubled(pool);
    pool[pooled++] = term;
  };
  const added = (high: number, low: number): number => {
    const number = known.add(high, low);
    if (number + 1 >= starts.length) starts = doubled(starts);
    starts[number + 1] = pooled;
    return number;
  };
  const learnBytes = (text: Uint8Array, start: number, end: number): void => {
    const first = pooled;
    const count = ascii.find(text, start, end);
    for (let at = 0; at < count; at++) {
      const term = numberOf(ascii.highs[at] ?? 0, ascii.lows[at] ?? 0);
      let same = first;
      while (same < pooled && pool[same] !== term) same++;
      if (same === pooled) keep(term);
    }
  };
  const learn = (token: string): void => {
    if (asciiToken.test(token)) return learnBytes(Buffer.from(token, 'latin1'), 0, token.length);
    for (const term of termsOf(token)) {
      const hash = hashOf(prefix + term);
      keep(numberOf(Math.floor(hash / 2 ** 32), hash % 2 ** 32));
    }
  };
  const emit = (number: number): void => {
    const end = starts[number + 1] ?? 0;
    for (let at = starts[number] ?? 0; at < end; at++) each(pool[at] ?? 0);
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
      high = spread(high);
      low = spread(low);
      const number = known.find(high, low);
      if (number === -1) learn(token);
      emit(number === -1 ? added(high, low) : number);
    },
    addBytes(text, start, end) {
      let high = seed;
      let low = otherSeed;
      for (let at = start; at < end; at++) {
        const code = text[at] ?? 0;
        high = Math.imul(high ^ code, factor);
        low = Math.imul(low ^ code, otherFactor);
      }
      high = spread(high);
      low = spread(low);
      const number = known.find(high, low);
      if (number === -1) learnBytes(text, start, end);
      emit(number === -1 ? added(high, low) : number);
    },
  };
}

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
