// Says which words occur in no text of the repository.
import type { Repository } from '../../git/repository.ts';
import { traitsOf } from '../file-kinds.ts';
import { splitPaths, ripgrepOrScan } from './find-hits.ts';

/** The most words in one pattern, so that it fits into the command line of a program. */
const mostWords = 500;

/**
 * Picks the words that occur nowhere as whole words, with case counted. Looks at the files of the
 * base as they are on the disk, in one pass for some hundred words.
 */
export async function absentWords(
  { root, files }: Pick<Repository, 'root' | 'files'>,
  words: Iterable<string>,
  signal: AbortSignal,
): Promise<ReadonlySet<string>> {
  const all = [...new Set(words)];
  const texts = all.length === 0 ? [] : (await files()).filter((path) => !traitsOf(path).isBinary);
  const absent = new Set<string>();
  for (let start = 0; start < all.length; start += mostWords) {
    const part = all.slice(start, start + mostWords);
    for (const word of await absentAmong(part, { root, texts, signal })) absent.add(word);
  }
  return absent;
}

async function absentAmong(
  words: readonly string[],
  search: {
    readonly root: string;
    readonly texts: readonly string[];
    readonly signal: AbortSignal;
  },
): Promise<Iterable<string>> {
  const { root, texts, signal } = search;
  const absent = new Map(words.map((word) => [word, wholeWord(word)]));
  const pattern = [...absent.values()].map(({ source }) => `(?:${source})`).join('|');
  for (const paths of splitPaths(texts)) {
    await ripgrepOrScan({ root, paths, pattern, phrases: [], signal }, ({ name }) => {
      // Without ripgrep, the name may be a longer one that contains punctuation.
      if (absent.delete(name)) return;
      for (const [word, whole] of absent) if (whole.test(name)) absent.delete(word);
    });
    if (absent.size === 0) break;
  }
  return absent.keys();
}

/** Matches a whole word, also with ripgrep. Punctuation at the end of a word is its own border. */
function wholeWord(word: string): RegExp {
  const escaped = word.replaceAll(/[^\w-]/g, String.raw`\$&`);
  const [start, end] = [/^\w/, /\w$/].map((border) => (border.test(word) ? String.raw`\b` : ''));
  return new RegExp(`${start}${escaped}${end}`);
}
