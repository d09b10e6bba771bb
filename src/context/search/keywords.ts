// Picks code names and plain words of a task, for searches by words.
import { identifiersOf } from '../cited-places.ts';
import { stopWords } from './stop-words.ts';
import { unspacedScripts, wordsIn } from './terms.ts';

const mostKeywords = 12;
/** The most identifiers, so that a task that pastes a log still keeps some of its words. */
const mostIdentifiers = 9;
/** The part of a task text that is read, in characters; what follows is pasted output. */
const longestTask = 50_000;

/**
 * Picks the words to search a task by: code names as the task spells them, then its plain words in
 * lower case, the most frequent first. Without duplicates, at most twelve.
 */
export function keywordsOf(task: string): readonly string[] {
  const text = task
    .slice(0, longestTask)
    .normalize('NFC')
    .replace(/\bhttps?:\/\/\S+/g, ' ');
  const { names, rest } = identifiersOf(text);
  const words = Map.groupBy(wordsIn(rest.toLowerCase()).filter(isTelling), (word) => word);
  const often = [...words].toSorted(([, a], [, b]) => b.length - a.length).map(([word]) => word);
  const first = distinct(names).slice(0, Math.max(mostIdentifiers, mostKeywords - often.length));
  return distinct([...first, ...often]).slice(0, mostKeywords);
}

function isTelling(word: string): boolean {
  const least = unspacedScripts.test(word) ? 2 : 3;
  return word.length >= least && word.length <= 40 && /^\p{L}/u.test(word) && !stopWords.has(word);
}

function distinct(words: readonly string[]): readonly string[] {
  const known = new Map(words.toReversed().map((word) => [word.toLowerCase(), word]));
  return [...new Set(words.map((word) => known.get(word.toLowerCase()) ?? word))];
}
