import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { differingFiles } from '../../../src/context/local/differing.ts';
import { earlyIndex, type EarlyIndex } from '../../../src/context/local/early-index.ts';
import type { Reading } from '../../../src/context/local/file-index.ts';
import { hasIndex } from '../../../src/context/local/index-place.ts';
import { localProvider, type IndexReport } from '../../../src/context/local/provider.ts';
import { openRepository } from '../../../src/git/open-repository.ts';
import type { Sparing } from '../../../src/git/quick-status.ts';
import type { Repository } from '../../../src/git/repository.ts';
import { RelevantFile } from '../../../src/model/context.ts';

/** Nobody waits for a search. */
export const unhurried: Reading = {
  signal: new AbortController().signal,
  enough: new AbortController().signal,
};

/** A folder for an index, and searches with it. */
export interface IndexRoom {
  readonly folder: string;
  search(repository: Repository, task: string): Promise<Found>;
  [Symbol.asyncDispose](): Promise<void>;
}

export interface Found {
  readonly notes: readonly string[];
  readonly files: readonly RelevantFile[];
  readonly paths: readonly string[];
  readonly report: IndexReport;
}

export async function indexRoom(): Promise<IndexRoom> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'conclave-index-room-')));
  return {
    folder,
    search: (repository, task) => searchIn(folder, { repository, task }),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}

/** As `conclave context` does it: what is committed is indexed while the repository is opened. */
export async function searchEarly(
  folder: string,
  { root, task }: { readonly root: string; readonly task: string },
): Promise<Found> {
  const { signal } = new AbortController();
  const early = earlyIndex({ folder, allowed: Promise.resolve(true), signal });
  const sparing: Sparing = {
    scratch: folder,
    differing: (files) => differingFiles(files, { root, found: early.found(), signal }),
  };
  try {
    const repository = await openRepository({
      root,
      base: null,
      snapshots: null,
      isPassing: true,
      signal,
      onCommit: early.begin,
      sparing,
      isKnown: (found) => hasIndex(folder, found),
    });
    return await searchIn(folder, { repository, task, early });
  } finally {
    await early.end();
  }
}

/** Fails where the provider does. */
export async function searchIn(
  folder: string,
  search: {
    readonly repository: Repository;
    readonly task: string;
    readonly early?: EarlyIndex;
  },
): Promise<Found> {
  const { repository, task, early } = search;
  const reports: IndexReport[] = [];
  const notes: string[] = [];
  const onReport = (report: IndexReport): void => void reports.push(report);
  const cache = { folder, onReport, ...(early === undefined ? {} : { early }) };
  const result = await localProvider(repository, cache).search(
    { root: repository.root, task, keywords: [] },
    {
      maxFiles: 50,
      timeoutMs: 60_000,
      signal: unhurried.signal,
      onNote: ({ text }) => notes.push(text),
    },
  );
  const [report] = reports;
  if (!result.ok || report === undefined) throw new Error('the search failed');
  const files = result.value.map((file) => RelevantFile.parse(file));
  return { files, paths: files.map(({ path }) => path), report, notes };
}
