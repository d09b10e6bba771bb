/**
 * The beginning that a lower-case word shares with its other forms: `validates`, `validation` and
 * `validator` give `valid`. Too much is cut rather than too little: rareness sorts that out.
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

/** `mapp` as in mapping is `map`, `parse` is `pars` as in parsing, `copy` is `copi` as in copied. */
function tidy(stem: string): string {
  const short = stem.replace(/([bdfgmnprt])\1$/, '$1');
  return short.length > 3 ? short.replace(/e$/, '').replace(/y$/, 'i') : short;
}
