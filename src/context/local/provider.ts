import { rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ContextProvider, ContextQuery, SearchLimits } from '../provider.ts';
import type { RelevantFile } from '../../model/context.ts';
import { isSystemError } from '../../store/system-error.ts';
import { pastIds } from '../past-ids.ts';
import type { Repository } from '../repository.ts';
import { indexCommits, noCommits, type CommitIndex } from './commit-index.ts';
import type { Begun, EarlyIndex } from './early-index.ts';
import { evict, markUsed } from './eviction.ts';
import { explained, unexplained } from './explain.ts';
import { indexFiles, nothingEarly, type FileIndex } from './file-index.ts';
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
}

type Part = Pick<Repository, 'root' | 'base' | 'read' | 'marks' | 'unlisted'>;

/**
 * Ranks by an index of contents, names, definitions and past commits. The index is kept by the
 * hash of each content and commit, so that the next search reads only what changed.
 */
export function localProvider(repository: Part, cache: IndexCache): ContextProvider {
  return {
    name: 'local',
    async search(query, limits) {
      const notes: string[] = [];
      const place = indexPlace(cache.folder, repository.root);
      const onGrown = (): void => evict(cache.folder, place);
      const work = { repository, cache, query, limits, notes, onGrown };
      try {
        return { ok: true, value: await searchIn(place, work) };
      } catch (error) {
        if (error instanceof DamagedSegment) {
          rmSync(place, { recursive: true, force: true });
          notes.push(`The search index was discarded and is built again: ${error.message}.`);
          return { ok: true, value: await searchIn(place, work) };
        }
        if (!isSystemError(error)) throw error;
        notes.push(
          `The search index cannot be kept in ${cache.folder} (${error.code}); each search reads everything again.`,
        );
        return { ok: true, value: await searchWithout(work) };
      }
    },
  };
}

interface Work {
  readonly repository: Part;
  readonly cache: IndexCache;
  readonly query: ContextQuery;
  readonly limits: SearchLimits;
  readonly notes: readonly string[];
  /** Called when the kept index has become larger. */
  readonly onGrown: () => void;
}

/** Where the cache cannot be written, the index lives as long as the search. */
async function searchWithout(work: Work): Promise<readonly RelevantFile[]> {
  const folder = await mkdtemp(join(tmpdir(), 'conclave-index-'));
  try {
    return await searchIn(folder, { ...work, onGrown: () => undefined });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function searchIn(folder: string, work: Work): Promise<readonly RelevantFile[]> {
  const { repository, cache, query, limits, notes } = work;
  const begun = (await cache.early?.take(repository.root, limits.signal)) ?? null;
  const index = begun?.index ?? openIndex(folder);
  try {
    const [files, commits] = await Promise.all([
      filesOf(repository, { index, begun, signal: limits.signal }),
      commitsOf(repository, { index, begun, signal: limits.signal }),
    ]);
    forgetKernels();
    const ranking = rankFiles(query.task, { files, commits, most: limits.maxFiles });
    const found = ranking.files.map((file) =>
      limits.pathsOnly === true ? unexplained(file) : explained(file, ranking),
    );
    if (files.read + commits.read > 0) work.onGrown();
    markUsed(index.folder);
    const unlisted = repository.unlisted();
    const all = [...notes, ...index.notes];
    cache.onReport?.(indexReport({ files, commits, unlisted, notes: all }));
    return found;
  } finally {
    await begun?.settled;
    index.close();
  }
}

interface Indexing {
  readonly index: OpenIndex;
  readonly begun: Begun | null;
  readonly signal: AbortSignal;
}

async function filesOf(repository: Part, { index, begun, signal }: Indexing): Promise<FileIndex> {
  const early = (await begun?.files) ?? nothingEarly;
  return indexFiles(repository, { store: index.files, early, signal });
}

async function commitsOf(
  { root, base }: Part,
  { index, begun, signal }: Indexing,
): Promise<CommitIndex> {
  if (base.commit === null) return noCommits;
  const early = await begun?.commits;
  if (early !== undefined && begun?.commit === base.commit) return early;
  const place = { root, signal };
  const ids = await pastIds(place, base.commit);
  return indexCommits(place, { ids, store: index.commits });
}
