import { searchChain } from '../context/chain.ts';
import { keywordsOf } from '../context/keywords.ts';
import { projectFacts } from '../context/package/project-facts.ts';
import { type Surroundings, surroundings } from '../context/package/surroundings.ts';
import { CodebaseContext } from '../model/context.ts';
import { mostOffered, rerank, reranker } from './rerank.ts';
import { tellFalls } from './tell-falls.ts';
import type { Tools } from './tools.ts';

/** Who may put the found files in order, best first; null where nobody is to be asked. */
export type Rerankers = readonly string[] | null;

/** Phase 1: finds the code that the task is about and writes `codebase-context.json`. */
export async function gatherContext(
  { task, rerankers }: { readonly task: string; readonly rerankers: Rerankers },
  tools: Tools,
  signal: AbortSignal,
): Promise<CodebaseContext> {
  const { value } = await tools.steps.run(
    {
      key: 'context',
      group: 'context',
      kind: 'calculation',
      input: { task },
      shape: CodebaseContext,
      signal,
    },
    async () => {
      const context = await firstContext({ task, rerankers }, tools, signal);
      await tools.folder.writeJson('codebase-context.json', context);
      return context;
    },
  );
  announce(value, tools);
  // Recorded with the search, so that a resumed session goes the way it went.
  if (value.reranking === null) return value;
  const ordered = value.reranking.state === 'due' ? await rerank(value, tools, signal) : value;
  announceOrder(ordered, tools);
  return ordered;
}

async function firstContext(
  { task, rerankers }: { readonly task: string; readonly rerankers: Rerankers },
  tools: Tools,
  signal: AbortSignal,
): Promise<CodebaseContext> {
  const reranking = rerankers === null ? null : await reranker(rerankers, tools, signal);
  const { maxFiles } = tools.search;
  const most = reranking?.state === 'due' ? Math.max(maxFiles, mostOffered) : maxFiles;
  const search = { ...tools, search: { ...tools.search, maxFiles: most } };
  const found = await findCode(task, search, signal);
  return {
    session_id: tools.folder.id,
    task_description: task,
    ...found,
    reranking,
    base: tools.repository.base,
  };
}

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

function announce(context: CodebaseContext, tools: Tools): void {
  tellFalls(context.falls, tools.emit);
  tools.emit({
    type: 'context.gathered',
    provider: context.provider,
    degraded: context.degraded,
    files: places(context),
    reason: context.degraded
      ? context.falls.map(({ provider, reason }) => `${provider}: ${reason}`).join('; ')
      : null,
  });
}

function announceOrder(context: CodebaseContext, tools: Tools): void {
  const { agent, state, note } = context.reranking ?? { agent: null, state: 'skipped', note: '' };
  tools.emit({
    type: 'context.reranked',
    agent,
    files: places(context),
    note: state === 'counted' ? null : note,
  });
}

function places({ relevant_files: files }: CodebaseContext): string[] {
  return files.map(({ path, start, end }) => `${path}:${start}-${end}`);
}
