// Tells which agents the choices for an execution and its review name.
import type { CodeReviewTool, ExecutionMethod } from './decision.ts';

/** The agent that a method names; null for the default agent. `Auto` takes it for all but low complexity. */
export function agentOfMethod(method: ExecutionMethod): string | null {
  if (method === 'Agent') return null;
  return method === 'Codex' || method === 'Auto' ? 'codex' : method;
}

/** The method that has every task carried out by that agent. */
export function methodOfAgent(agent: string): ExecutionMethod {
  return agent === 'codex' ? 'Codex' : agent;
}

/** The agent that a choice of a reviewer names; null where it names none. */
export function agentOfReview(tool: CodeReviewTool): string | null {
  if (tool === 'Skip' || tool === 'Agent Review') return null;
  const name = tool.replace(/ Review$/, '');
  return name === 'Gemini' || name === 'Codex' ? name.toLowerCase() : name;
}

/** The agent that `Auto` takes for all but plans of low complexity. */
export const autoAgent = 'codex';

/** The choice of that agent as the reviewer. */
export function reviewByAgent(agent: string): CodeReviewTool {
  const spelled = agent === 'gemini' ? 'Gemini' : methodOfAgent(agent);
  return `${spelled} Review`;
}
