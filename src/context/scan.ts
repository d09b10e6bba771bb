import { eachLimited } from '../git/each-limited.ts';
import { needlesOf } from './needles.ts';
import type { ContextProvider } from './provider.ts';
import { ranked } from './ranking.ts';
import type { Repository } from '../git/repository.ts';
import { emptyTally, tallyLine } from './tally.ts';

/** Larger files are data, not what a task is about. In characters. */
const longestFile = 1024 * 1024;

/** Reads every file of the repository: needs no other program. */
export function scanProvider(repository: Pick<Repository, 'files' | 'read'>): ContextProvider {
  return {
    name: 'scan',
    async search(query, { maxFiles, signal }) {
      const needles = needlesOf(query.keywords);
      if (needles.length === 0) return nothingToSearch;
      const tallies = await eachLimited(await repository.files(), async (path) => {
        signal.throwIfAborted();
        const tally = emptyTally(path, needles);
        const content = await repository.read(path);
        if (content === null || content.length > longestFile) return tally;
        for (const [index, text] of content.split('\n').entries()) {
          tallyLine(tally, { number: index + 1, text });
        }
        return tally;
      });
      return { ok: true, value: await ranked({ needles, tallies, repository, maxFiles, signal }) };
    },
  };
}

export const nothingToSearch = {
  ok: false,
  failure: { reason: 'found no word in the task to search for' },
} as const;
