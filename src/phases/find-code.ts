import { searchChain } from '../context/chain.ts';
import { projectFacts } from '../context/package/project-facts.ts';
import { surroundings } from '../context/package/surroundings.ts';
import { keywordsOf } from '../context/search/keywords.ts';
import type { CodebaseContext, ProviderFall } from '../model/context.ts';
import type { Emit } from '../model/event.ts';
import type { Tools } from './tools.ts';

/** What phase 1 knows without a session. */
export type FoundCode = Omit<
  CodebaseContext,
  'session_id' | 'task_description' | 'base' | 'reranking'
>;

/** Searches for the code that a task is about, and looks around what was found. */
export async function findCode(
  task: string,
  { repository, providers, search }: Pick<Tools, 'repository' | 'providers' | 'search'>,
  signal: AbortSignal,
): Promise<FoundCode> {
  const query = { root: repository.root, task, keywords: keywordsOf(task) };
  const found = await searchChain({ providers, query, limits: { ...search, signal } });
  const [around, facts] = await Promise.all([
    surroundings(found.files, repository),
    projectFacts(
      repository,
      found.files.map(({ path }) => path),
    ),
  ]);
  return {
    keywords: [...query.keywords],
    relevant_files: [...found.files],
    ...around,
    project_facts: [...facts],
    provider: found.provider,
    degraded: found.degraded,
    falls: [...found.falls],
    notes: [...found.notes],
    duration_ms: found.durationMs,
  };
}

/** Tells of each provider of the search that did not answer. */
export function tellFalls(falls: readonly ProviderFall[], emit: Emit): void {
  for (const { provider, reason, ms } of falls) {
    emit({ type: 'context.fell', provider, reason, ms: ms ?? 0 });
  }
}

/** Tells what the search had to say, as warnings. */
export function tellNotes(notes: readonly string[], emit: Emit): void {
  for (const text of notes) emit({ type: 'warning.raised', text });
}
