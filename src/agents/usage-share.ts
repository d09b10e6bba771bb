import type { AgentEvent } from '../model/event.ts';
import type { AgentAdapter, AgentRequest } from './agent.ts';

type Usage = Extract<AgentEvent, { kind: 'usage' }>;

/**
 * Makes each `usage` event tell only what came on top. Some CLIs count over their whole session:
 * what its earlier runs used (`resume.spent`) was paid for and recorded then. Where that is not
 * known the count stays as told, so that no budget is passed unseen.
 */
export function usageShare(
  { usageOfSession }: Pick<AgentAdapter, 'usageOfSession'>,
  { resume }: Pick<AgentRequest, 'resume'>,
): (event: AgentEvent) => AgentEvent {
  if (usageOfSession !== true) return (event) => event;
  let known = resume?.spent ?? { input: 0, output: 0, cached: 0 };

  function share(event: Usage): Usage {
    const { input, output, cached } = event.tokens;
    const tokens = {
      input: Math.max(0, input - known.input),
      output: Math.max(0, output - known.output),
      cached: Math.max(0, cached - known.cached),
    };
    known = event.tokens;
    return { ...event, tokens };
  }

  return (event) => (event.kind === 'usage' ? share(event) : event);
}
