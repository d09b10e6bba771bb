import { identifiersOf, partsOf } from './identifiers.ts';
import { isTelling, wordsOf } from './words.ts';

const mostKeywords = 12;
/** So that a task that pastes a log still keeps some of its words. */
const mostIdentifiers = 9;
/** What follows in a task text is pasted output rather than the task. In characters. */
const longestTask = 50_000;
/** "Show the age" asks for something; it is not about a thing called show. */
const leadingVerb = /^\s*(display|offer|print|return|show|teach|write)\s/i;

/**
 * What to search for: identifiers as the task text spells them, then its plain words in lower
 * case, then the parts of the identifiers. Without duplicates, at most twelve.
 */
export function keywordsOf(task: string): readonly string[] {
  const text = task
    .slice(0, longestTask)
    .normalize('NFC')
    .replace(/\bhttps?:\/\/\S+/g, ' ')
    .replace(leadingVerb, ' ');
  const { names, rest } = identifiersOf(text);
  const identifiers = distinct(names);
  const words = wordsOf(rest);
  const parts = identifiers.filter((name) => !name.includes('/')).flatMap(partsOf);
  const room = Math.max(mostIdentifiers, mostKeywords - words.length);
  const first = identifiers.slice(0, room);
  return distinct([...first, ...words, ...parts.filter(isTelling)]).slice(0, mostKeywords);
}

/** True for a keyword that is a name in code and not a word of prose. */
export function isIdentifier(keyword: string): boolean {
  return /[^\p{L}\p{M}]|\p{Ll}\p{Lu}|^\p{Lu}{2,}$/u.test(keyword);
}

function distinct(words: readonly string[]): readonly string[] {
  const seen = new Map<string, string>();
  for (const word of words) if (!seen.has(word.toLowerCase())) seen.set(word.toLowerCase(), word);
  return [...seen.values()];
}
