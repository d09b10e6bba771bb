import { searchChain } from '../../../src/context/chain.ts';
import { keywordsOf } from '../../../src/context/search/task-terms.ts';
import { contextProviders } from '../../../src/context/provider-list.ts';
import type { Repository } from '../../../src/git/repository.ts';
import type { Agent, AgentEnd, AgentRequest, AnalystInput } from '../../../src/agents/agent.ts';
import type { AgentEvent } from '../../../src/model/agent-event.ts';
import { Proposal, type ProposedSolution } from '../../../src/model/proposal.ts';
import { codebaseContext } from '../../helpers/codebase-context.ts';
import { agentRoom, runToEnd } from '../agent-room.ts';

/** A request as phase 1 leads to it: the files are really searched for. */
export async function requestFor(
  repository: Repository,
  task: string,
  about: Partial<Pick<AnalystInput, 'round' | 'constraints'>> = {},
): Promise<AgentRequest> {
  const keywords = keywordsOf(task);
  const signal = new AbortController().signal;
  const { files, provider, degraded, falls, durationMs } = await searchChain({
    providers: contextProviders(['search'], { repository }),
    query: { root: repository.root, task, keywords },
    limits: { maxFiles: 10, timeoutMs: 10_000, signal },
  });
  const room = agentRoom();
  room.remove();
  const context = codebaseContext({
    task_description: task,
    keywords: [...keywords],
    relevant_files: [...files],
    provider,
    degraded,
    falls: [...falls],
    duration_ms: durationMs,
    base: repository.base,
  });
  const usual = { session: 'MCP-test', round: 1, task, constraints: [] };
  return room.request({ about: { ...usual, ...about, context } });
}

export async function ranBy(
  agent: Agent | undefined,
  request: AgentRequest,
  signal = new AbortController().signal,
): Promise<{ readonly end: AgentEnd; readonly events: readonly AgentEvent[] }> {
  if (agent === undefined) throw new Error('There is no such analyst.');
  return await runToEnd(agent, request, signal);
}

export function proposalIn(end: AgentEnd): Proposal {
  if (!end.ok) throw new Error(end.failure.detail);
  return Proposal.parse(JSON.parse(end.text));
}

/** Everything in a solution that can be checked against the repository and is not so. */
export async function faultsOf(
  solution: ProposedSolution | undefined,
  repository: Repository,
): Promise<readonly string[]> {
  if (solution === undefined) return ['no solution'];
  const faults: string[] = [];
  for (const { path, line, quote } of solution.claims) {
    const text = (await repository.read(path))?.split('\n')[line - 1];
    if (quote === '' || text === undefined || !text.includes(quote))
      faults.push(`${path}:${line} ${quote}`);
  }
  const { tasks, execution_flow: flow } = solution.implementation_plan;
  for (const [index, task] of tasks.entries()) {
    const before = new Set(tasks.slice(0, index).map(({ id }) => id));
    for (const id of task.depends_on) {
      if (!before.has(id)) faults.push(`${task.id} depends on ${id}`);
      if (flow.indexOf(id) > flow.indexOf(task.id)) faults.push(`${flow}: ${id} after ${task.id}`);
    }
    if (!flow.includes(task.id)) faults.push(`${flow} without ${task.id}`);
    for (const { file, line, action } of task.files) {
      const content = await repository.read(file);
      if (action !== 'create' && content === null) faults.push(`${file} is not there`);
      if (action === 'create' && (await repository.exists(file))) faults.push(`${file} is there`);
      if (line !== undefined && line > (content ?? '').split('\n').length)
        faults.push(`${file}:${line}`);
    }
  }
  return faults;
}
