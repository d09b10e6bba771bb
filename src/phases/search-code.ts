import { searchChain } from '../context/chain.ts';
import { keywordsOf } from '../context/keywords.ts';
import type { CodebaseContext } from '../model/context.ts';
import type { Tools } from './tools.ts';

/** Who found which files. */
export type SearchedCode = Pick<
  CodebaseContext,
  'keywords' | 'relevant_files' | 'provider' | 'degraded' | 'falls' | 'duration_ms'
>;

export type SearchTools = Pick<Tools, 'repository' | 'providers' | 'search'>;

/** Searches for the code that a task is about. */
export async function searchCode(
  task: string,
  { repository, providers, search }: SearchTools,
  signal: AbortSignal,
): Promise<SearchedCode> {
  const keywords = keywordsOf(task);
  const query = { root: repository.root, task, keywords };
  const found = await searchChain({ providers, query, limits: { ...search, signal } });
  return {
    keywords: [...keywords],
    relevant_files: [...found.files],
    provider: found.provider,
    degraded: found.degraded,
    falls: [...found.falls],
    duration_ms: found.durationMs,
  };
}
