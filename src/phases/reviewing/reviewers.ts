import { z } from 'zod';
import type { CodeReviewTool } from '../../model/decision.ts';
import { agentOfReview, type TaskOutcome } from '../../model/execution.ts';
import { readyModel } from '../asking/ask-seat.ts';
import { type Tools, recorded } from '../tools.ts';

interface Choice {
  readonly tool: CodeReviewTool;
  /** The default agent, then who else may be asked, in order. */
  readonly names: readonly string[];
  /** Who carried the tasks out. */
  readonly executors: readonly (string | null)[];
}

/** Who may be asked for a review, in order; nobody where it is skipped. A recorded step. */
export async function readyReviewers(
  given: Omit<Choice, 'executors'> & {
    /** Of the execution. */
    readonly number: number;
    readonly outcomes: readonly TaskOutcome[];
  },
  tools: Tools,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const { tool, names, number, outcomes } = given;
  const group = `review-${number}`;
  const vendorOf = (name: string) => tools.agents.get(name)?.vendorOf(tools.modelFor(name)) ?? null;
  const step = { tools, signal, group, name: 'reviewers', shape: z.array(z.string()) };
  return recorded(step, async () => {
    const ready: string[] = [];
    for (const name of wanted({ tool, names })) {
      if ((await readyModel([name], tools.agents, signal)) !== null) ready.push(name);
    }
    const executors = outcomes.map(({ executor }) => executor);
    return [...reviewersFor({ tool, names, executors, ready, vendorOf })];
  });
}

/**
 * Those of the ready ones who may review, in order. Whoever carried all tasks out alone comes after
 * those of other vendors, unless the user named that agent.
 */
export function reviewersFor(
  choice: Choice & {
    readonly ready: readonly string[];
    /** Null where it is not known. */
    readonly vendorOf: (name: string) => string | null;
  },
): readonly string[] {
  const { tool, ready, vendorOf } = choice;
  const all = wanted(choice).filter((name) => ready.includes(name));
  const [author, ...others] = new Set(choice.executors.filter((name) => name !== null));
  if (author === undefined || others.length > 0 || agentOfReview[tool] === author) return all;
  const isOther = (name: string) => name !== author && vendorOf(name) !== vendorOf(author);
  const first = all.filter((name) => name === agentOfReview[tool]);
  return [...new Set([...first, ...all.filter(isOther), ...all])];
}

function wanted({ tool, names }: Omit<Choice, 'executors'>): readonly string[] {
  if (tool === 'Skip') return [];
  const first = agentOfReview[tool];
  return [...new Set([...(first === null ? [] : [first]), ...names])];
}
