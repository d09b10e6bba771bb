import { partsOf } from '../../context/identifiers.ts';
import { unspaced } from '../../context/words.ts';

/**
 * The words of a text that say what it is about, as stems in lower case. Identifiers are split
 * (`rateLimiter`, `rate_limiter`, `rate-limiter` give the same words), words that every plan has
 * are left out, and scripts without spaces are cut into pairs of characters.
 */
export function wordsOf(text: string): readonly string[] {
  return partsOf(text.slice(0, longestText).normalize('NFKC'))
    .flatMap((word) => (unspaced.test(word) ? pairsOf(word) : stemOf(word)))
    .filter((word) => word.length > 1 && !emptyStems.has(word));
}

/** In characters: what an idea is about stands in its beginning, and time stays bounded. */
const longestText = 10_000;

function pairsOf(word: string): readonly string[] {
  const letters = Array.from(word);
  return letters.length === 1
    ? letters
    : letters.slice(1).map((letter, index) => `${letters[index] ?? ''}${letter}`);
}

/** Longest first; each leaves a stem of at least three letters. */
const endings = [
  ['izations', ''],
  ['ization', ''],
  ['ations', ''],
  ['ation', ''],
  ['ators', ''],
  ['ator', ''],
  ['ating', ''],
  ['ments', ''],
  ['izing', ''],
  ['ized', ''],
  ['izer', ''],
  ['ates', ''],
  ['ated', ''],
  ['ment', ''],
  ['ness', ''],
  ['able', ''],
  ['ible', ''],
  ['ions', ''],
  ['ings', ''],
  ['ize', ''],
  ['ise', ''],
  ['ate', ''],
  ['ion', ''],
  ['ies', 'y'],
  ['ied', 'y'],
  ['ing', ''],
  ['ers', ''],
  ['ors', ''],
  ['er', ''],
  ['or', ''],
  ['ed', ''],
  ['es', ''],
  ['ly', ''],
  ['e', ''],
  ['s', ''],
] as const;

function stemOf(word: string): string {
  if (word.length <= 3 || /\d/.test(word) || word.endsWith('ss')) return word;
  for (const [ending, rest] of endings) {
    if (!word.endsWith(ending) || word.length - ending.length < 3) continue;
    return `${word.slice(0, -ending.length)}${rest}`.replace(/([^aeiouls])\1$/, '$1');
  }
  return word;
}

// Words of grammar and of planning in general: they stand in a plan whatever it is about.
const emptyStems = new Set(
  `a about above across after again all along already also although always an and another any are
  as at away be because been before being below between both but by can cannot could did do does
  done down during each either else etc even ever every few first for from further get gets give
  given go had has have having here how however if in into is it its itself just keep keeps kept
  last later least less let like made make me my am makes making many may might more most much must need
  needs never new next no none nor not now of off often on once one only onto or other others our
  out over own per rather same see several shall should since so some still such than that the
  their them then there these they thing this those three through thus to together too toward two
  under until up upon us very via was we well were what when where whether which while who whole
  whose why will with within without would yet you your
  add added adding adds allow allows approach avoid based call called calls case cases change
  changed changes changing code create created creates creating current currently ensure ensures
  every exist existing extend file files fix fixes follow following function functions handle
  handling implement implementation implemented implements improve include includes instead
  introduce introduces line lines logic method methods module modules move moves option part place
  plan project provide put replace replaces require required requires run set simple simply small
  solution solutions start step support supports task tasks thin turn turns update updated updates
  use used user uses using want wants way work works write writes`
    .split(/\s+/)
    .map(stemOf),
);
