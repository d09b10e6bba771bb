import type { AgentAdapter } from '../../../src/agents/agent.ts';
import type { AgentEvent } from '../../../src/model/agent-event.ts';

/** What an adapter reads in the whole output of a run, line by line. */
export function eventsIn(adapter: Pick<AgentAdapter, 'read'>, output: string): AgentEvent[] {
  const lines = output.split('\n').filter((line) => line.trim() !== '');
  return lines.flatMap((line) => adapter.read(line));
}
