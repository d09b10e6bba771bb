// Turns running totals of usage into increments.
import type { AgentEvent } from '../../model/agent-event.ts';
import type { AgentAdapter, AgentRequest } from '../agent.ts';

/**
 * Turns the running totals of `usage` events into increments, for CLIs that count over their whole
 * session. What earlier runs used (`resume.spent`) has been recorded then; if that is unknown, the
 * first total counts as it is, so that no budget is exceeded unnoticed.
 */
export function usageShare(
  { usageOfSession }: Pick<AgentAdapter, 'usageOfSession'>,
  { resume }: Pick<AgentRequest, 'resume'>,
): (event: AgentEvent) => AgentEvent {
  if (usageOfSession !== true) return (event) => event;
  let known = resume?.spent ?? { input: 0, output: 0, cached: 0 };
  return (event) => {
    if (event.kind !== 'usage') return event;
    const { input, output, cached } = event.tokens;
    const tokens = {
      input: Math.max(0, input - known.input),
      output: Math.max(0, output - known.output),
      cached: Math.max(0, cached - known.cached),
    };
    known = event.tokens;
    return { ...event, tokens };
  };
}
