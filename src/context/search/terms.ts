// Splits a text into terms, and finds the stem of a word.

/** Scripts that put no spaces between words. */
export const unspacedScripts =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;

/** The words of a text of any script, in order. */
export function wordsIn(text: string): readonly string[] {
  if (!unspacedScripts.test(text)) return text.match(/\p{L}[\p{L}\p{M}\p{N}]*/gu) ?? [];
  const segments = new Intl.Segmenter(undefined, { granularity: 'word' }).segment(text);
  return [...segments].filter(({ isWordLike }) => isWordLike).map(({ segment }) => segment);
}

/** The first character of a term that joins several parts of a name, e.g. `=parsedate`. */
export const jointMark = '=';

/** A character of a name, as in `dry-run`. Ripgrep understands it, too. */
export const nameCharacter = '[\\p{L}\\p{M}\\p{N}_$-]';

const longestToken = 80;
const longestPart = 40;
const mostParts = 12;

/** The names and words of a text as spelled, e.g. `parseDate`, `dry-run`, `404`. */
export function tokensIn(text: string): readonly string[] {
  return text.match(tokens) ?? [];
}

const tokens =
  /(?<![\p{L}\p{N}_$])(?:[\p{L}_$][\p{L}\p{M}\p{N}_$]*(?:-[A-Za-z][\w$]*)*|\d{3,5}(?![\p{L}\p{N}_$]))/gu;

/** The parts of a name as lower-case words: `parseDate` gives parse and date. */
export function partsOf(name: string): readonly string[] {
  const spaced = name
    .replace(/(\p{Ll}|\d)(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu}+)(\p{Lu}\p{Ll})/gu, '$1 $2');
  return spaced.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
}

/**
 * The terms under which a name or word is found: the stem of each part, each two neighbouring parts
 * joined, and the whole name. `parseDate`, `parse_date` and `parse-date` give the same terms.
 */
export function termsOf(token: string): readonly string[] {
  if (token.length > longestToken) return [];
  if (unspacedScripts.test(token)) return mixedTermsOf(token);
  const parts = partsOf(token);
  if (parts.length > mostParts) return [];
  const terms = new Set(parts.flatMap(termsOfPart));
  if (parts.length > 1) {
    terms.add(jointOf(parts));
    for (let at = 2; at <= parts.length; at++) terms.add(jointOf(parts.slice(at - 2, at)));
  }
  return [...terms];
}

/** Joins the parts of a name into one term: `line`, `numbers` give `=linenumber`. */
export function jointOf(parts: readonly string[]): string {
  return jointMark + parts.slice(0, -1).join('') + stemOfWord(parts.at(-1) ?? '');
}

/** The terms of one part: `utf8` is also found as `utf`; a single letter is skipped. */
function termsOfPart(part: string): readonly string[] {
  if (part.length < 2 || part.length > longestPart) return [];
  const letters = /^([a-z]{2,})\d+$/.exec(part)?.[1];
  return letters === undefined ? [stemOfWord(part)] : [part, stemOfWord(letters)];
}

/** The terms of text in scripts without spaces: each two neighbouring characters. */
function mixedTermsOf(token: string): readonly string[] {
  const runs = token.match(new RegExp(`${unspacedScripts.source}+|[A-Za-z0-9_$]+`, 'gu')) ?? [];
  return runs.flatMap((run) => (unspacedScripts.test(run) ? pairsOf(run) : termsOf(run)));
}

function pairsOf(run: string): readonly string[] {
  const characters = Array.from(run);
  return characters.slice(1).map((character, at) => `${characters[at] ?? ''}${character}`);
}

/**
 * The beginning that a lower-case word shares with its other forms: `validates`, `validation` and
 * `validator` give `valid`. It cuts too much rather than too little, because rareness corrects
 * that.
 */
export function stemOfWord(word: string): string {
  if (word.length < 4 || !/^[a-z]+$/.test(word)) return word;
  const single = singular(word);
  for (const ending of endings) {
    if (!single.endsWith(ending)) continue;
    const stem = single.slice(0, -ending.length);
    if (stem.length >= 3 && /[aeiouy]/.test(stem)) return tidy(stem);
  }
  return tidy(single);
}

const endings =
  'ization isation ations ation ators ator ating ated izing ising izer ized ised ments ment ness able ible ions ion ings ing ize ise ate ers er or ed ly'.split(
    ' ',
  );

function singular(word: string): string {
  if (word.endsWith('ies') && word.length > 4) return `${word.slice(0, -3)}y`;
  if (/(?:ss|x|ch|sh|zz)es$/.test(word)) return word.slice(0, -2);
  return /[^su]s$/.test(word) && !word.endsWith('is') ? word.slice(0, -1) : word;
}

/** Tidies a stem: `mapp` (from mapping) becomes `map`, `parse` becomes `pars`, `copy` becomes `copi`. */
function tidy(stem: string): string {
  const short = stem.replace(/([bdfgmnprt])\1$/, '$1');
  return short.length > 3 ? short.replace(/e$/, '').replace(/y$/, 'i') : short;
}

const mostRemembered = 100_000;

/** Remembers the results of `find`, because the same names recur. */
export function memoize<T>(find: (name: string) => T): (name: string) => T {
  const known = new Map<string, T>();
  return (name) => {
    const found = known.get(name) ?? find(name);
    // A copy is stored, because a substring would keep the whole text in memory.
    if (known.size < mostRemembered && !known.has(name)) known.set(copyOf(name), found);
    return found;
  };
}

function copyOf(text: string): string {
  return Buffer.from(text).toString();
}
