import { projectFacts } from '../context/package/project-facts.ts';
import { surroundings } from '../context/package/surroundings.ts';
import type { CodebaseContext } from '../model/context.ts';
import { searchCode, type SearchTools } from './search-code.ts';

/** What phase 1 knows without a session. */
export type FoundCode = Omit<
  CodebaseContext,
  'session_id' | 'task_description' | 'base' | 'reranking'
>;

/** Searches for the code that a task is about, and looks around what was found. */
export async function findCode(
  task: string,
  tools: SearchTools,
  signal: AbortSignal,
): Promise<FoundCode> {
  const { repository } = tools;
  const found = await searchCode(task, tools, signal);
  const [around, facts] = await Promise.all([
    surroundings(found.relevant_files, repository),
    projectFacts(repository.root),
  ]);
  return { ...found, ...around, project_facts: [...facts] };
}
