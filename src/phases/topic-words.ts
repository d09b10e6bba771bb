// Picks the words that say what a text is about, and counts those that two texts share.
import { stopWords } from '../context/search/stop-words.ts';
import { partsOf, stemOfWord, unspacedScripts } from '../context/search/terms.ts';

/**
 * Extracts the words that say what a text is about, as stems in lower case. Identifiers are split
 * (`rateLimiter`, `rate_limiter` and `rate-limiter` give the same words), words that every plan contains are
 * left out, and scripts without spaces are cut into pairs of characters.
 */
export function topicWords(text: string): readonly string[] {
  return partsOf(text.slice(0, longestText).normalize('NFKC'))
    .flatMap(stemsOf)
    .filter((word) => word.length > 1);
}

/** The longest text that is read, in characters: a text says early what it is about, and the time stays bounded. */
const longestText = 10_000;

function stemsOf(word: string): readonly string[] {
  if (stopWords.has(word)) return [];
  if (!unspacedScripts.test(word)) return [stemOfWord(word)];
  const letters = Array.from(word);
  return letters.slice(1).map((letter, index) => `${letters[index] ?? ''}${letter}`);
}

/** The share that two sets have in common, from 0 to 1: twice the common words divided by the sum of both (Dice). */
export function overlap(ours: ReadonlySet<string>, theirs: ReadonlySet<string>): number {
  if (ours.size === 0 || theirs.size === 0) return 0;
  return (2 * [...ours].filter((one) => theirs.has(one)).length) / (ours.size + theirs.size);
}

/** True if two short texts use nearly the same words. */
export function saySame(a: string, b: string): boolean {
  return (
    a.toLowerCase() === b.toLowerCase() ||
    overlap(new Set(topicWords(a)), new Set(topicWords(b))) >= nearlySame
  );
}

const nearlySame = 0.8;
