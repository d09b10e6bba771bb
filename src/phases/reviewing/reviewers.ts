import { z } from 'zod';
import type { CodeReviewTool } from '../../model/decision.ts';
import { agentOfReview, type TaskOutcome } from '../../model/execution.ts';
import { readyModels } from '../asking/ask-seat.ts';
import { type Tools, recorded } from '../tools.ts';

interface Choice {
  readonly tool: CodeReviewTool;
  /** The default agent, then who else may be asked, in order. */
  readonly names: readonly string[];
  readonly outcomes: readonly Pick<TaskOutcome, 'executor'>[];
}

/** Who may be asked for a review, in order; nobody where it is skipped. A recorded step. */
export async function readyReviewers(
  choice: Choice & {
    /** Of the execution. */
    readonly number: number;
  },
  tools: Tools,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const vendorOf = (name: string) => tools.agents.get(name)?.vendorOf(tools.modelFor(name)) ?? null;
  const group = `review-${choice.number}`;
  const step = { tools, signal, group, name: 'reviewers', shape: z.array(z.string()) };
  return recorded(step, () =>
    readyModels(reviewersFor({ ...choice, vendorOf }), tools.agents, signal),
  );
}

/**
 * Who may review, in order. Whoever carried all tasks out alone comes after those of other vendors,
 * unless the user named that agent.
 */
export function reviewersFor({
  tool,
  names,
  outcomes,
  vendorOf,
}: Choice & {
  /** Null where it is not known. */
  readonly vendorOf: (name: string) => string | null;
}): readonly string[] {
  if (tool === 'Skip') return [];
  const chosen = agentOfReview[tool];
  const first = chosen === null ? [] : [chosen];
  const executors = new Set(outcomes.flatMap(({ executor }) => executor ?? []));
  const [author] = executors;
  const isOther = (name: string) =>
    executors.size === 1 && author !== undefined && vendorOf(name) !== vendorOf(author);
  return [...new Set([...first, ...names.filter(isOther), ...names])];
}
