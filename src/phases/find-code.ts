// Finds the code that a task is about, looks around it, and searches again for the words of agents.
import { searchChain } from '../context/chain.ts';
import { projectFacts } from '../context/package/project-facts.ts';
import { surroundings } from '../context/package/surroundings.ts';
import { keywordsOf } from '../context/search/keywords.ts';
import { CodebaseContext, type ProviderFall } from '../model/context.ts';
import type { Emit } from '../model/event.ts';
import type { Synthesis } from '../model/synthesis.ts';
import { type Tools, recordStep } from './tools.ts';
import type { Step } from '../model/step.ts';

/** Phase 1 knows this without a session. */
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

/** One more search when the agents named terms that the context does not know yet. */
export async function searchAgain(search: {
  readonly context: CodebaseContext;
  readonly synthesis: Synthesis;
  readonly tools: Tools;
  readonly signal: AbortSignal;
  readonly step: Step;
}): Promise<CodebaseContext> {
  const { context, synthesis, tools, signal, step } = search;
  const known = new Set(context.keywords.map((word) => word.toLowerCase()));
  const terms = synthesis.search_terms
    .filter((term) => !known.has(term.toLowerCase()))
    .slice(0, 12);
  if (terms.length === 0) return context;
  const wanted = { tools, signal, step, input: { terms } };
  const wider = await recordStep({ ...wanted, shape: CodebaseContext }, async () => {
    const query = { root: tools.repository.root, task: terms.join(' '), keywords: terms };
    const found = await searchChain({
      providers: tools.providers,
      query,
      limits: { ...tools.search, signal },
    });
    const paths = new Set(context.relevant_files.map((file) => file.path));
    const added = found.files.filter((file) => !paths.has(file.path)).slice(0, 6);
    return {
      ...context,
      keywords: [...context.keywords, ...terms],
      relevant_files: [...context.relevant_files, ...added],
      falls: [...context.falls, ...found.falls],
      notes: [...new Set([...context.notes, ...found.notes])],
    };
  });
  tellFalls(wider.falls.slice(context.falls.length), tools.emit);
  tellNotes(wider.notes.slice(context.notes.length), tools.emit);
  return wider;
}
