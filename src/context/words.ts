import { stopWords } from './stop-words.ts';

/** Scripts that put no spaces between words. */
export const unspaced =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;

/** The telling words of a prose of any script in lower case, those that come most often first. */
export function wordsOf(prose: string): readonly string[] {
  const counts = new Map<string, number>();
  for (const word of allWords(prose.toLowerCase())) {
    if (isTelling(word)) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return [...counts].toSorted((a, b) => b[1] - a[1]).map(([word]) => word);
}

export function isTelling(word: string): boolean {
  const least = unspaced.test(word) ? 2 : 3;
  return word.length >= least && word.length <= 40 && /^\p{L}/u.test(word) && !stopWords.has(word);
}

/** In the order of the prose, each as often as it comes. */
export function allWords(prose: string): readonly string[] {
  if (!unspaced.test(prose)) return prose.match(/\p{L}[\p{L}\p{M}\p{N}]*/gu) ?? [];
  const segments = new Intl.Segmenter(undefined, { granularity: 'word' }).segment(prose);
  return [...segments].filter(({ isWordLike }) => isWordLike).map(({ segment }) => segment);
}
