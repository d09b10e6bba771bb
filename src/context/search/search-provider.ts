// Searches from the task to the ranked files, with the signals of names, paths and definitions.
import type { PastCommit } from '../../git/past-commits.ts';
import type { Repository } from '../../git/repository.ts';
import type { LeftOut } from '../../git/walk.ts';
import type { RelevantFile } from '../../model/context.ts';
import { counted, listed } from '../../model/wording.ts';
import { type ContextProvider, type SearchLimits, timeLimit } from '../provider.ts';
import { type CloseLook, contentSignals, explainRank, lookClosely, rankFiles } from './rank.ts';
import { type FindHits, ripgrepOrScan } from './find-hits.ts';
import { historySignals } from './history-signals.ts';
import { type ReadHits, type SearchTree, openSearchTree, readHits } from './read-hits.ts';
import { type Clues, type ReadSignals, distinctWords, rareness, tally } from './search-signal.ts';
import { type TaskTerm, type TermFinder, taskTerms, termFinder } from './task-terms.ts';
import { endingOf, folderOf, joinPath, nameOfPath, stemOf } from '../../git/paths.ts';

const mostNames = 50;

/** Signals for files that the task names, by their path or their name with its ending. */
const namedSignals: ReadSignals = ({ task, paths, standing }) => {
  const names = new Set(
    (task.match(/[\p{L}\p{N}_@$.~/-]+\.\w+/gu) ?? [])
      .map((name) => name.replace(/^(?:\.{0,2}\/)+/, ''))
      .filter((name) => endingOf(name) !== '')
      .slice(0, mostNames),
  );
  const last = new Set([...names].map(nameOfPath));
  // The user means the file that the path leads to from the current folder.
  const known = new Set(paths);
  const own = new Map(
    [...names]
      .map((name) => [name, joinPath(standing, name)] as const)
      .filter(([, path]) => known.has(path)),
  );
  const isNamed = (path: string, name: string): boolean =>
    names.has(name) && (own.get(name) ?? path) === path;
  const scores = Float64Array.from(paths, (path) =>
    last.has(nameOfPath(path)) && tailsOf(path).some((tail) => isNamed(path, tail)) ? 1 : 0,
  );
  return [{ share: 2, scores, reason: () => 'the task names this file' }];
};

/** The path and its shorter ends: `a/b/c.ts`, `b/c.ts` and `c.ts`. */
function tailsOf(path: string): readonly string[] {
  const parts = path.split('/');
  return parts.map((_, at) => parts.slice(at).join('/'));
}

/** Signals for files whose name or folders contain words of the task. */
const pathSignals: ReadSignals = ({ paths, terms, values, termsIn }) => {
  const termsOf = (path: string): ReadonlySet<number> =>
    new Set([...folderOf(path).split('/'), stemOf(path)].flatMap(termsIn));
  const counts = new Map<number, number>();
  for (const path of paths) {
    for (const term of termsOf(path)) counts.set(term, (counts.get(term) ?? 0) + 1);
  }
  const valueOf = (term: number): number =>
    (terms[term]?.weight ?? 0) * rareness(counts.get(term) ?? 0, paths.length);
  const scores = Float64Array.from(paths, (path) =>
    [...termsOf(path)].reduce((sum, term) => sum + valueOf(term), 0),
  );
  const reason = (file: number): string | null => {
    const best = [...termsOf(paths[file] ?? '')].toSorted(
      (a, b) => (values[b] ?? 0) - (values[a] ?? 0),
    );
    const words = distinctWords(
      best.map((term) => terms[term]?.word ?? ''),
      3,
    );
    const own = paths[file]?.includes('/') === true ? 'path' : 'name';
    return words.length === 0 ? null : `its ${own} has ${listed(words)}`;
  };
  return [{ share: 0.65, scores, reason }];
};

/** Signals for files that define a name that contains words of the task. */
const definitionSignals: ReadSignals = ({ paths, values, definitions, termsIn }) => {
  const scores = new Float64Array(paths.length);
  for (const [file, found] of definitions) {
    const counts = tally(found.flatMap(({ name }) => termsIn(name)));
    scores[file] = [...counts].reduce(
      (sum, [term, count]) => sum + ((values[term] ?? 0) * count) / (count + 0.6),
      0,
    );
  }
  const reason = (file: number): string | null => {
    const best = [...new Set(definitions.get(file)?.map(({ name }) => name))]
      .map((name) => ({ name, value: Math.max(0, ...termsIn(name).map((t) => values[t] ?? 0)) }))
      .filter(({ value }) => value > 0)
      .toSorted((a, b) => b.value - a.value)
      .slice(0, 3);
    return best.length === 0 ? null : `defines ${listed(best.map(({ name }) => name))}`;
  };
  return [{ share: 0.7, scores, reason }];
};

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
