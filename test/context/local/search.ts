import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { localProvider, type IndexReport } from '../../../src/context/local/provider.ts';
import type { Repository } from '../../../src/context/repository.ts';
import { RelevantFile } from '../../../src/model/context.ts';

/** A folder for an index, and searches with it. */
export interface IndexRoom {
  readonly folder: string;
  search(repository: Repository, task: string): Promise<Found>;
  [Symbol.asyncDispose](): Promise<void>;
}

export interface Found {
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

/** Fails where the provider does. */
export async function searchIn(
  folder: string,
  { repository, task }: { readonly repository: Repository; readonly task: string },
): Promise<Found> {
  const reports: IndexReport[] = [];
  const onReport = (report: IndexReport): void => void reports.push(report);
  const result = await localProvider(repository, { folder, onReport }).search(
    { root: repository.root, task, keywords: [] },
    { maxFiles: 50, timeoutMs: 60_000, signal: new AbortController().signal },
  );
  const [report] = reports;
  if (!result.ok || report === undefined) throw new Error('the search failed');
  const files = result.value.map((file) => RelevantFile.parse(file));
  return { files, paths: files.map(({ path }) => path), report };
}
