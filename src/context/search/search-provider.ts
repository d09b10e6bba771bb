// Searches from the task to the ranked files; lists the signals, and reports what it looked at.
import type { PastCommit } from '../../git/past-commits.ts';
import type { Repository } from '../../git/repository.ts';
import type { LeftOut } from '../../git/walk.ts';
import type { RelevantFile } from '../../model/context.ts';
import { counted } from '../../model/wording.ts';
import type { ContextProvider, SearchLimits } from '../provider.ts';
import { timeLimit } from '../time-limit.ts';
import { contentSignals } from './content-signals.ts';
import { ripgrepOrScan, type FindHits } from './find-hits.ts';
import { historySignals } from './history-signals.ts';
import { explainRank, lookClosely, rankFiles, type CloseLook } from './rank.ts';
import { readHits, openSearchTree, type ReadHits, type SearchTree } from './read-hits.ts';
import { definitionSignals, namedSignals, pathSignals } from './name-signals.ts';
import { rareness, type Clues, type ReadSignals } from './search-signal.ts';
import { taskTerms, termFinder, type TaskTerm, type TermFinder } from './task-terms.ts';

/** Signals that rank all files. */
const signals: readonly ReadSignals[] = [namedSignals, contentSignals, pathSignals, historySignals];

/** Signals that count only for the best files, which are read for them. */
const closeSignals: readonly ReadSignals[] = [definitionSignals];

/** Numbers of files and commits that a search looked at. */
export interface SearchReport extends LeftOut {
  readonly files: number;
  readonly commits: number;
  /** Files whose content is not searched, by reason. */
  readonly skipped: Readonly<Record<string, number>>;
  /** The number of files whose content there was no time to read. */
  readonly unread: number;
}

/** The means of a search, and the receiver of its report. */
export interface SearchMeans {
  /** Finds hits; by default with ripgrep, or by reading each file if that is not installed. */
  readonly findHits?: FindHits;
  readonly onProgress?: (searched: number, of: number) => void;
  readonly onReport?: (report: SearchReport) => void;
}

/** The share of the search time for reading; the rest is for ranking and for reads under way. */
const readingShare = 2 / 3;

/** Ranks the files by their content, their names and definitions, and the past commits. */
export function searchProvider(repository: Repository, means: SearchMeans = {}): ContextProvider {
  return {
    name: 'search',
    async search({ task, standing = '' }, limits) {
      const terms = taskTerms(task);
      const finder = termFinder(terms);
      return finder === null
        ? { ok: false, failure: { reason: 'found no word in the task that could be searched for' } }
        : {
            ok: true,
            value: await searchFiles(repository, { task, standing, terms, finder, means, limits }),
          };
    },
  };
}

interface Search {
  readonly task: string;
  readonly standing: string;
  readonly terms: readonly TaskTerm[];
  readonly finder: TermFinder;
  readonly means: SearchMeans;
  readonly limits: SearchLimits;
}

async function searchFiles(
  repository: Repository,
  search: Search,
): Promise<readonly RelevantFile[]> {
  const { finder, means, limits, terms } = search;
  const { signal } = limits;
  const enough = AbortSignal.any([signal, timeLimit(limits.timeoutMs * readingShare)]);
  const asking = logUntil(repository, enough);
  // The search may end before this promise is awaited.
  asking.catch(() => undefined);
  const tree = openSearchTree(repository.root, await repository.files());
  const read = await readHits(repository, {
    tree,
    finder,
    termCount: terms.length,
    findHits: means.findHits ?? ripgrepOrScan,
    signal,
    enough,
    onProgress: means.onProgress ?? (() => undefined),
  });
  const commits = await asking;
  signal.throwIfAborted();
  const clues = cluesOf(search, { tree, read, commits: commits ?? [] });
  const { files, generated } = await rankBest(repository, { clues, most: limits.maxFiles });
  const late = lateText({
    unread: read.unread,
    of: tree.paths.length,
    isLogRead: commits !== null,
  });
  if (late !== null) limits.onNote?.({ text: late, isWeaker: true });
  means.onReport?.({
    files: tree.paths.length,
    commits: commits?.length ?? 0,
    skipped: { ...tree.skipped, generated: tree.skipped.generated + generated },
    unread: read.unread,
    ...repository.leftOut(),
  });
  return files;
}

/** The commits; empty without a history, null if there was no time to read it. */
async function logUntil(
  repository: Repository,
  enough: AbortSignal,
): Promise<readonly PastCommit[] | null> {
  const { promise, resolve } = Promise.withResolvers<null>();
  const give = (): void => resolve(null);
  enough.addEventListener('abort', give, { once: true });
  if (enough.aborted) give();
  try {
    return await Promise.race([repository.log().then((commits) => commits ?? []), promise]);
  } finally {
    enough.removeEventListener('abort', give);
  }
}

function cluesOf(
  { task, standing, terms, finder }: Search,
  {
    tree,
    read: { hits },
    commits,
  }: {
    readonly tree: SearchTree;
    readonly read: ReadHits;
    readonly commits: readonly PastCommit[];
  },
): Clues {
  const searched = tree.sizes.filter((size) => size > 0).length;
  const having = filesByTerm(hits, terms.length);
  const values = terms.map(
    ({ weight }, term) => weight * rareness(having[term] ?? 0, Math.max(searched, hits.size)),
  );
  const { termsIn } = finder;
  return { ...tree, task, standing, terms, values, termsIn, hits, commits, definitions: new Map() };
}

/** The number of files in which each term occurs. */
function filesByTerm(hits: ReadHits['hits'], termCount: number): Uint32Array {
  const counts = new Uint32Array(termCount);
  for (const own of hits.values()) {
    for (const term of new Set(own.map((hit) => hit % termCount))) {
      counts[term] = (counts[term] ?? 0) + 1;
    }
  }
  return counts;
}

/** The number of files that are read for a close look. */
const mostCandidates = 60;

async function rankBest(
  repository: Repository,
  { clues, most }: { readonly clues: Clues; readonly most: number },
): Promise<{ readonly files: readonly RelevantFile[]; readonly generated: number }> {
  const first = signals.flatMap((read) => read(clues));
  const candidates = rankFiles(first, { ...clues, most: Math.max(most, mostCandidates) });
  const files = candidates.map(({ file }) => file);
  const looks = await lookClosely(repository, { paths: clues.paths, files });
  const definitions = new Map([...looks].map(([file, look]) => [file, look.definitions]));
  const close = closeSignals.flatMap((read) => read({ ...clues, definitions }));
  const traits = clues.traits.map((own, file) =>
    looks.get(file)?.isGenerated === true ? { ...own, isGenerated: true } : own,
  );
  const best = rankFiles([...first, ...close], { ...clues, traits, most });
  return {
    files: best.map((one) => explainRank(one, { clues, look: looks.get(one.file) })),
    generated: [...looks.values()].filter(({ isGenerated }: CloseLook) => isGenerated).length,
  };
}

function lateText(late: {
  readonly unread: number;
  readonly of: number;
  readonly isLogRead: boolean;
}): string | null {
  const { unread, of, isLogRead } = late;
  if (unread === 0 && isLogRead) return null;
  if (unread === 0) return 'There was no time to read the past commits.';
  const by = isLogRead ? 'their names and past commits' : 'their names';
  return `There was no time to read ${unread} of ${counted(of, 'file')}: they were judged by ${by} alone.`;
}
