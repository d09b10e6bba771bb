// Picks the words that say what a text is about, and counts those that two texts share.
import { stopWords } from '../context/search/stop-words.ts';
import { partsOf, stemOfWord, unspacedScripts } from '../context/search/terms.ts';

/**
 * The words of a text that say what it is about, as stems in lower case. Identifiers are split
 * (`rateLimiter`, `rate_limiter`, `rate-limiter` give the same words), words that every plan has
 * are left out, and scripts without spaces are cut into pairs of characters.
 */
export function topicWords(text: string): readonly string[] {
  return partsOf(text.slice(0, longestText).normalize('NFKC'))
    .flatMap(stemsOf)
    .filter((word) => word.length > 1);
}

/** In characters: what an idea is about stands in its beginning, and time stays bounded. */
const longestText = 10_000;

function stemsOf(word: string): readonly string[] {
  if (stopWords.has(word)) return [];
  if (!unspacedScripts.test(word)) return [stemOfWord(word)];
  const letters = Array.from(word);
  return letters.slice(1).map((letter, index) => `${letters[index] ?? ''}${letter}`);
}

/** The share that two sets have in common, from 0 to 1: twice what they share by all (Dice). */
export function overlap(ours: ReadonlySet<string>, theirs: ReadonlySet<string>): number {
  if (ours.size === 0 || theirs.size === 0) return 0;
  return (2 * [...ours].filter((one) => theirs.has(one)).length) / (ours.size + theirs.size);
}

/** True where two short texts use nearly the same words. */
export function saySame(a: string, b: string): boolean {
  return (
    a.toLowerCase() === b.toLowerCase() ||
    overlap(new Set(topicWords(a)), new Set(topicWords(b))) >= nearlySame
  );
}

const nearlySame = 0.8;

/**
 * All texts of the lists in their order, each once; another wording of the same words is dropped.
 * Wordings are compared with the first texts only, so that a flood of them takes linear time.
 */
export function uniteTexts(lists: readonly (readonly string[])[]): string[] {
  const united = new Map<string, string>();
  const first: ReadonlySet<string>[] = [];
  for (const text of lists.flat().map((one) => one.trim())) {
    const spelling = text.toLowerCase();
    if (text === '' || united.has(spelling)) continue;
    const words = new Set(topicWords(text));
    if (first.some((other) => overlap(other, words) >= nearlySame)) continue;
    united.set(spelling, text);
    if (first.length < mostCompared) first.push(words);
  }
  return [...united.values()];
}

/** Each text is compared with so many of those before it, so that many take no more than their share of time. */
export const mostCompared = 200;
