import { searchChain, type ChainResult } from '../context/chain.ts';
import { keywordsOf } from '../context/search/keywords.ts';
import type { CodebaseContext } from '../model/context.ts';
import type { Tools } from './tools.ts';

/** Who found which files. */
export type SearchedCode = Pick<
  CodebaseContext,
  'keywords' | 'relevant_files' | 'provider' | 'degraded' | 'falls' | 'notes' | 'duration_ms'
>;

export type SearchTools = Pick<Tools, 'repository' | 'providers' | 'search'>;

/** Searches for the code that a task is about. */
export async function searchCode(
  task: string,
  tools: SearchTools,
  signal: AbortSignal,
): Promise<SearchedCode> {
  const found = await searchFiles(task, tools, signal);
  return {
    keywords: [...keywordsOf(task)],
    relevant_files: [...found.files],
    provider: found.provider,
    degraded: found.degraded,
    falls: [...found.falls],
    notes: [...found.notes],
    duration_ms: found.durationMs,
  };
}

/** The files alone. The keywords, which take long, are looked for only where a provider asks. */
export async function searchFiles(
  task: string,
  { repository, providers, search }: SearchTools,
  signal: AbortSignal,
): Promise<ChainResult> {
  let keywords: readonly string[] | null = null;
  const query = {
    root: repository.root,
    task,
    get keywords() {
      return (keywords ??= keywordsOf(task));
    },
  };
  return await searchChain({ providers, query, limits: { ...search, signal } });
}
