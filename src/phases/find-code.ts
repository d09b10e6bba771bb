import { searchChain } from '../context/chain.ts';
import { keywordsOf } from '../context/keywords.ts';
import { projectFacts } from '../context/package/project-facts.ts';
import { type Surroundings, surroundings } from '../context/package/surroundings.ts';
import type { CodebaseContext } from '../model/context.ts';
import type { Tools } from './tools.ts';

/** What phase 1 knows without a session. */
export type FoundCode = Omit<
  CodebaseContext,
  'session_id' | 'task_description' | 'base' | 'reranking'
>;

type Search = Pick<Tools, 'repository' | 'providers' | 'search'>;

/** Searches for the code that a task is about, and looks around what was found. */
export async function findCode(
  task: string,
  tools: Search,
  signal: AbortSignal,
): Promise<FoundCode> {
  const found = await searchCode(task, tools, signal);
  const [around, facts] = await Promise.all([
    surroundings(found.relevant_files, tools.repository, signal),
    projectFacts(tools.repository.root),
  ]);
  return { ...found, ...around, project_facts: [...facts] };
}

/** The search alone: who found which files. */
export async function searchCode(
  task: string,
  { repository, providers, search }: Search,
  signal: AbortSignal,
): Promise<Omit<FoundCode, keyof Surroundings | 'project_facts'>> {
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
