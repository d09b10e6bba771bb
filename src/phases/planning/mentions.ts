/** The words of a text that carry its meaning: lower case, word endings cut, each once. */
export function significantWords(text: string): ReadonlySet<string> {
  const words = text.toLowerCase().match(word) ?? [];
  return new Set(words.filter((one) => !stopWords.has(one)).map(stem));
}

/** True where most of the text’s meaningful words stand among the words. */
export function mentions(words: ReadonlySet<string>, text: string): boolean {
  const wanted = [...significantWords(text)];
  const found = wanted.filter((one) => words.has(one)).length;
  return wanted.length === 0 || found * 2 > wanted.length;
}

/** All texts inside a value, one after the other. */
export function textIn(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null) return '';
  return Object.values(value).map(textIn).join('\n');
}

/** Scripts without spaces count character by character. */
const spaceless = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}`;
const word = new RegExp(`[${spaceless}]|(?:(?![${spaceless}])[\\p{L}\\p{M}\\p{N}_])+`, 'gu');

/** Enough to let "caches", "caching" and "cached" be one word. */
function stem(one: string): string {
  return one.length < 5 ? one : one.replace(/(?:ing|ed|es|s)$/u, '').replace(/e$/u, '');
}

const stopWords = new Set(
  (
    'a about all also an and any are as at be been but by can could do does each every for from ' +
    'had has have if in into is it its may must no not of on only or our shall should so such ' +
    'than that the their them then there these they this to up use used using via was we were ' +
    'when where which while will with without would you your'
  ).split(' '),
);
