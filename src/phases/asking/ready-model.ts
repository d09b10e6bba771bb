import type { AgentPool } from '../../agents/pool.ts';

/** The first of some agents that has a model and is ready now, or null. */
export async function readyModel(
  names: readonly string[],
  agents: AgentPool,
  signal: AbortSignal,
): Promise<string | null> {
  for (const name of names) {
    const agent = agents.get(name);
    if (agent?.kind !== 'model') continue;
    const { state } = await agent.ready(signal);
    if (state === 'ready') return name;
  }
  return null;
}
