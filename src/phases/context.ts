import { searchChain } from '../context/chain.ts';
import { architectureInsights, detectedPatterns } from '../context/insights.ts';
import { keywordsOf } from '../context/keywords.ts';
import { projectFacts } from '../context/project-facts.ts';
import { CodebaseContext } from '../model/context.ts';
import type { Tools } from './tools.ts';

/** Phase 1: finds the code that the task is about and writes `codebase-context.json`. */
export async function gatherContext(
  task: string,
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
      const context = await searchFor(task, tools, signal);
      await tools.folder.writeJson('codebase-context.json', context);
      return context;
    },
  );
  tools.emit({
    type: 'context.gathered',
    provider: value.provider,
    degraded: value.degraded,
    files: value.relevant_files.map(({ path, start, end }) => `${path}:${start}-${end}`),
    reason: value.degraded
      ? value.falls.map(({ provider, reason }) => `${provider}: ${reason}`).join('; ')
      : null,
  });
  return value;
}

async function searchFor(
  task: string,
  tools: Tools,
  signal: AbortSignal,
): Promise<CodebaseContext> {
  const { repository, providers, search } = tools;
  const keywords = keywordsOf(task);
  const query = { root: repository.root, task, keywords };
  const found = await searchChain({ providers, query, limits: { ...search, signal } });
  return {
    session_id: tools.folder.id,
    task_description: task,
    keywords: [...keywords],
    relevant_files: [...found.files],
    detected_patterns: [...detectedPatterns(found.files, await repository.files())],
    architecture_insights: [
      ...(await architectureInsights(found.files, (path) => repository.read(path))),
    ],
    project_facts: [...(await projectFacts(repository.root))],
    provider: found.provider,
    degraded: found.degraded,
    falls: [...found.falls],
    duration_ms: found.durationMs,
    base: repository.base,
  };
}
