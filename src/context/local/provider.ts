import { hash } from 'node:crypto';
import { rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ContextProvider, ContextQuery, SearchLimits } from '../provider.ts';
import type { RelevantFile } from '../../model/context.ts';
import { isSystemError } from '../../store/system-error.ts';
import type { Repository } from '../repository.ts';
import { indexCommits, type CommitIndex } from './commit-index.ts';
import { evict, markUsed } from './eviction.ts';
import { explained, unexplained } from './explain.ts';
import { indexFiles } from './file-index.ts';
import { rankFiles } from './rank-files.ts';
import { indexReport, type IndexReport } from './report.ts';
import { DamagedSegment } from './segment.ts';
import { openStore } from './segment-store.ts';

export type { IndexReport } from './report.ts';

/** Where the index is kept, and who is told what was read for it. */
export interface IndexCache {
  /** Absolute. Made where it is missing; everything in it can be built again. */
  readonly folder: string;
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
      const place = join(cache.folder, hash('sha256', repository.root).slice(0, 24));
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
        notes.push(`The search index cannot be kept in ${cache.folder} (${error.code}).`);
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
  readonly notes: string[];
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
  const { signal, maxFiles } = limits;
  const note = (sentence: string): void => void notes.push(sentence);
  const stores = [
    openStore(join(folder, 'files'), note),
    openStore(join(folder, 'commits'), note),
  ] as const;
  try {
    const [files, commits] = await Promise.all([
      indexFiles(repository, { store: stores[0], signal }),
      commitsOf(repository, { store: stores[1], signal }),
    ]);
    const ranking = rankFiles(query.task, { files, commits, most: maxFiles });
    const found = ranking.files.map((file) =>
      limits.pathsOnly === true ? unexplained(file) : explained(file, ranking),
    );
    if (files.read + commits.read > 0) work.onGrown();
    markUsed(folder);
    cache.onReport?.(indexReport({ files, commits, unlisted: repository.unlisted(), notes }));
    return found;
  } finally {
    for (const store of stores) store.close();
  }
}

async function commitsOf(
  { root, base }: Part,
  {
    store,
    signal,
  }: { readonly store: Parameters<typeof indexCommits>[1]['store']; readonly signal: AbortSignal },
): Promise<CommitIndex> {
  return base.commit === null
    ? { commits: [], read: 0 }
    : indexCommits({ root, signal }, { head: base.commit, store });
}
