import { kernel } from './kernel.ts';
import { hashOf } from './segment-format.ts';
import { termsOf } from './terms.ts';

/**
 * Finds in the names of a text those of the terms that it has, by their places in `terms`, in the
 * order of the text. Each term is given once.
 */
export function wantedTerms(terms: readonly string[]): (text: string) => readonly number[] {
  const words = kernel();
  for (const term of terms) words.addTerm(hashOf(term));
  words.dropBlock();
  const places = new Map(terms.map((term, place) => [term, place]));
  return (text) => {
    if (beyondAscii.test(text)) return wantedInText(text, places);
    for (const name of text.match(names) ?? []) words.addToken(name, 'word');
    const found = Array.from(words.open()).filter((number) => number < terms.length);
    words.dropBlock();
    return found;
  };
}

const beyondAscii = /[\u0080-\uffff]/;
const names = /[\w$-]+/g;

function wantedInText(text: string, places: ReadonlyMap<string, number>): readonly number[] {
  return text
    .split(/[^\p{L}\p{N}_$-]+/u)
    .flatMap(termsOf)
    .map((term) => places.get(term))
    .filter((place) => place !== undefined);
}
