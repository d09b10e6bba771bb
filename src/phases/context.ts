import { CodebaseContext } from '../model/context.ts';
import { findCode, tellFalls, tellNotes } from './find-code.ts';
import { mostOffered, rerank, reranker } from './rerank.ts';
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

function announce(context: CodebaseContext, tools: Tools): void {
  const { degraded, falls, notes } = context;
  tellFalls(falls, tools.emit);
  if (!degraded) tellNotes(notes, tools.emit);
  const reasons = [...falls.map(({ provider, reason }) => `${provider}: ${reason}`), ...notes];
  tools.emit({
    type: 'context.gathered',
    provider: context.provider,
    degraded,
    files: places(context),
    reason: degraded ? reasons.join('; ') : null,
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
