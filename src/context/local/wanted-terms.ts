import { asciiTerms } from './ascii-terms.ts';
import { hashTable } from './hash-table.ts';
import { hashOf } from './segment-format.ts';
import { termsOf } from './terms.ts';

/**
 * Finds in the names of a text those of the terms that it has, by their places in `terms`, in the
 * order of the text.
 */
export function wantedTerms(terms: readonly string[]): (text: string) => readonly number[] {
  const places = new Map(terms.map((term, place) => [term, place]));
  const hashes = hashTable();
  for (const term of places.keys()) {
    const hash = hashOf(term);
    hashes.add(Math.floor(hash / 2 ** 32), hash % 2 ** 32);
  }
  const ascii = asciiTerms('');
  return (text) => {
    const bytes = Buffer.from(text);
    if (bytes.length !== text.length) return wantedInText(text, places);
    const found: number[] = [];
    for (let at = 0; at < bytes.length;) {
      const start = at;
      while (at < bytes.length && isOfName[bytes[at] ?? 0] === 1) at++;
      const count = at === start ? 0 : ascii.find(bytes, start, at);
      for (let term = 0; term < count; term++) {
        const place = hashes.find(ascii.highs[term] ?? 0, ascii.lows[term] ?? 0);
        if (place !== -1) found.push(place);
      }
      at++;
    }
    return found;
  };
}

function wantedInText(text: string, places: ReadonlyMap<string, number>): readonly number[] {
  return text
    .split(/[^\p{L}\p{N}_$-]+/u)
    .flatMap(termsOf)
    .map((term) => places.get(term))
    .filter((place) => place !== undefined);
}

const isOfName = Uint8Array.from({ length: 256 }, (_, code) =>
  code < 128 && /[\w$-]/.test(String.fromCharCode(code)) ? 1 : 0,
);
