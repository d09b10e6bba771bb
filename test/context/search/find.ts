import {
  searchProvider,
  type SearchMeans,
  type SearchReport,
} from '../../../src/context/search/search-provider.ts';
import type { SearchNote } from '../../../src/context/provider.ts';
import type { Repository } from '../../../src/git/repository.ts';
import { RelevantFile } from '../../../src/model/context.ts';

/** What a search finds, and what it says of itself. */
interface Finding {
  readonly files: readonly RelevantFile[];
  readonly paths: readonly string[];
  readonly report: SearchReport | null;
  readonly notes: readonly SearchNote[];
}

export async function find(
  repository: Repository,
  task: string,
  how: SearchMeans & { readonly timeoutMs?: number; readonly maxFiles?: number } = {},
): Promise<Finding> {
  const { timeoutMs = 60_000, maxFiles = 20, ...means } = how;
  let report: SearchReport | null = null;
  const notes: SearchNote[] = [];
  const provider = searchProvider(repository, { ...means, onReport: (told) => (report = told) });
  const result = await provider.search(
    { root: repository.root, task, keywords: [] },
    {
      maxFiles,
      timeoutMs,
      signal: new AbortController().signal,
      onNote: (note) => notes.push(note),
    },
  );
  if (!result.ok) throw new Error(result.failure.reason);
  const files = result.value.map((file) => RelevantFile.parse(file));
  return { files, paths: files.map(({ path }) => path), report, notes };
}
