// Tells which agents the choices for an execution and its review name.
import type { CodeReviewTool, ExecutionMethod } from './decision.ts';

/** The agent that a method names; null for the default agent. `Auto` uses it except for low complexity. */
export function agentOfMethod(method: ExecutionMethod): string | null {
  if (method === 'Agent') return null;
  return method === 'Codex' || method === 'Auto' ? 'codex' : method;
}

/** The method by which that agent executes every task. */
export function methodOfAgent(agent: string): ExecutionMethod {
  return agent === 'codex' ? 'Codex' : agent;
}

/** The method by which a person changes a failed task by hand, in its work tree. */
export const byHand: ExecutionMethod = 'hand';

/** The agent that a choice of reviewer names, or null. */
export function agentOfReview(tool: CodeReviewTool): string | null {
  if (tool === 'Skip' || tool === 'Agent Review') return null;
  const name = tool.replace(/ Review$/, '');
  return name === 'Gemini' || name === 'Codex' ? name.toLowerCase() : name;
}

/** The choice of reviewer that a word means: `skip`, `agent`, or the name of an agent. */
export function reviewNamed(word: string): CodeReviewTool {
  if (word === 'skip') return 'Skip';
  return word === 'agent' ? 'Agent Review' : reviewByAgent(word);
}

/** The agent that `Auto` uses except for plans of low complexity. */
export const autoAgent = 'codex';

/** The choice of that agent as the reviewer. */
export function reviewByAgent(agent: string): CodeReviewTool {
  const spelled = agent === 'gemini' ? 'Gemini' : methodOfAgent(agent);
  return `${spelled} Review`;
}
