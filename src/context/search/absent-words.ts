// Says which words stand in no text of the repository.
import type { Repository } from '../../git/repository.ts';
import { traitsOf } from '../file-kinds.ts';
import { inParts, ripgrepOrScan } from './find-hits.ts';

/**
 * Those of the words that stand nowhere as whole words, case counted. Looks at the files of the base
 * as they are on the disk, in one pass for all words.
 */
export async function absentWords(
  { root, files }: Pick<Repository, 'root' | 'files'>,
  words: Iterable<string>,
  signal: AbortSignal,
): Promise<ReadonlySet<string>> {
  const absent = new Map([...words].map((word) => [word, wholeWord(word)]));
  if (absent.size === 0) return new Set();
  const pattern = [...absent.values()].map(({ source }) => `(?:${source})`).join('|');
  const texts = (await files()).filter((path) => !traitsOf(path).isBinary);
  for (const paths of inParts(texts)) {
    await ripgrepOrScan({ root, paths, pattern, signal }, ({ name }) => {
      for (const [word, whole] of absent) if (whole.test(name)) absent.delete(word);
    });
    if (absent.size === 0) break;
  }
  return new Set(absent.keys());
}

/** Understood by ripgrep, too. A sign at the end of a word is its own border. */
function wholeWord(word: string): RegExp {
  const escaped = word.replaceAll(/[^\w-]/g, String.raw`\$&`);
  const [start, end] = [/^\w/, /\w$/].map((border) => (border.test(word) ? String.raw`\b` : ''));
  return new RegExp(`${start}${escaped}${end}`);
}
