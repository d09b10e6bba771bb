import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ContextProvider, ContextQuery, SearchLimits } from '../provider.ts';
import type { RelevantFile } from '../../model/context.ts';
import { counted } from '../../model/wording.ts';
import { isSystemError } from '../../store/system-error.ts';
import { pastIds } from '../../git/past-ids.ts';
import type { Repository } from '../../git/repository.ts';
import { timeLimit } from '../time-limit.ts';
import { indexCommits, noCommits, type CommitIndex } from './commit-index.ts';
import type { Begun, EarlyIndex } from './early-index.ts';
import { evict, markUsed } from './eviction.ts';
import { explained, unexplained } from './explain.ts';
import { indexFiles, nothingEarly, type FileIndex, type Reading } from './file-index.ts';
import { forgetKernels } from './kernel.ts';
import { indexPlace } from './index-place.ts';
import { openIndex, type OpenIndex } from './open-index.ts';
import { rankFiles } from './rank-files.ts';
import { indexReport, type IndexReport } from './report.ts';
import { DamagedSegment } from './segment.ts';

export type { IndexReport } from './report.ts';

/** Where the index is kept, and who is told what was read for it. */
export interface IndexCache {
  /** Absolute. Made where it is missing; everything in it can be built again. */
  readonly folder: string;
  /** What was begun before the repository was open. */
  readonly early?: EarlyIndex;
  readonly onReport?: (report: IndexReport) => void;
  readonly onTaken?: Reading['onTaken'];
}

type Part = Pick<Repository, 'root' | 'base' | 'read' | 'marks' | 'leftOut'>;

/** Of the time of a search: what is left is for ranking, and for what is being read then. */
const readingShare = 2 / 3;

/**
 * Ranks by an index of contents, names, definitions and past commits. The index is kept by the
 * hash of each content and commit, so that the next search reads only what changed.
 */
export function localProvider(repository: Part, cache: IndexCache): ContextProvider {
  return {
    name: 'local',
    async search(query, limits) {
      const note = (text: string): void => limits.onNote?.({ text, isWeaker: false });
      const enough = timeLimit(limits.timeoutMs * readingShare);
      const place = indexPlace(cache.folder, repository.root);
      const onGrown = (): void => evict(cache.folder, place);
      const work = { repository, cache, query, limits, enough, onGrown };
      try {
        return { ok: true, value: await searchIn(place, work) };
      } catch (error) {
        if (error instanceof DamagedSegment) {
          rmSync(place, { recursive: true, force: true });
          note(`The search index was discarded and is built again: ${error.message}.`);
          return { ok: true, value: await searchIn(place, work) };
        }
        if (!isSystemError(error)) throw error;
        note(
          `The search index cannot be kept in ${cache.folder} (${error.code}); each search reads everything again.`,
        );
        return await searchWithout(work);
      }
    },
  };
}

interface Work {
  readonly repository: Part;
  readonly cache: IndexCache;
  readonly query: ContextQuery;
  readonly limits: SearchLimits;
  /** Then no more is read. */
  readonly enough: AbortSignal;
  /** Called when the kept index has become larger. */
  readonly onGrown: () => void;
}

/** Where the cache cannot be written, the index lives as long as the search. */
async function searchWithout(work: Work): ReturnType<ContextProvider['search']> {
  try {
    using folder = passingFolder();
    return { ok: true, value: await searchIn(folder.path, { ...work, onGrown: () => undefined }) };
  } catch (error) {
    if (!isSystemError(error)) throw error;
    return { ok: false, failure: { reason: `no index can be written (${error.code})` } };
  }
}

/** A folder that is gone at the latest when the process ends: nobody waits for a search to stop. */
function passingFolder(): Disposable & { readonly path: string } {
  const path = mkdtempSync(join(tmpdir(), 'conclave-index-'));
  // A thread may still be writing there.
  const remove = (): void => rmSync(path, { recursive: true, force: true, maxRetries: 5 });
  process.once('exit', remove);
  return {
    path,
    [Symbol.dispose]() {
      process.off('exit', remove);
      remove();
    },
  };
}

async function searchIn(folder: string, work: Work): Promise<readonly RelevantFile[]> {
  const { repository, cache, query, limits, enough } = work;
  const reading: Reading = { signal: limits.signal, enough, onTaken: cache.onTaken };
  const begun = (await cache.early?.take(repository.root, reading)) ?? null;
  const index = begun?.index ?? openIndex(folder);
  try {
    const [files, commits] = await Promise.all([
      filesOf(repository, { index, begun, ...reading }),
      commitsOf(repository, { index, begun, ...reading }),
    ]);
    forgetKernels();
    const ranking = rankFiles(query.task, { files, commits, most: limits.maxFiles });
    const found = ranking.files.map((file) =>
      limits.pathsOnly === true ? unexplained(file) : explained(file, ranking),
    );
    if (files.read + commits.read > 0) work.onGrown();
    markUsed(index.folder);
    const report = indexReport({ files, commits, leftOut: repository.leftOut() });
    for (const text of index.notes) limits.onNote?.({ text, isWeaker: false });
    const cut = cutText(files, commits);
    if (cut !== null) limits.onNote?.({ text: cut, isWeaker: true });
    cache.onReport?.(report);
    return found;
  } finally {
    await begun?.settled;
    index.close();
  }
}

/** What there was no time to read, as a sentence; null where everything was read. */
function cutText({ unread, paths }: FileIndex, { isCut, ids }: CommitIndex): string | null {
  const texts = [
    ...(unread === 0
      ? []
      : [`${unread} of ${paths.length} files were judged without their contents`]),
    ...(isCut ? [`only ${counted(ids.length, 'past commit')} counted`] : []),
  ];
  if (texts.length === 0) return null;
  return `There was no time to read everything: ${texts.join(', and ')}; the next search goes on from there.`;
}

interface Indexing extends Reading {
  readonly index: OpenIndex;
  readonly begun: Begun | null;
}

async function filesOf(
  repository: Part,
  { index, begun, ...reading }: Indexing,
): Promise<FileIndex> {
  const early = (await begun?.files) ?? nothingEarly;
  return indexFiles(repository, { ...reading, store: index.files, early });
}

async function commitsOf(
  { root, base }: Part,
  { index, begun, signal, enough }: Indexing,
): Promise<CommitIndex> {
  if (base.commit === null) return noCommits;
  const early = await begun?.commits;
  if (early !== undefined && begun?.commit === base.commit) return early;
  const place = { root, signal };
  const ids = await pastIds(place, base.commit);
  return indexCommits(place, { ids, store: index.commits, enough });
}
