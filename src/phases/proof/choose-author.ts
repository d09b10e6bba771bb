// Chooses who writes the proofs: first an agent whose vendor neither plans nor does the work.
import { z } from 'zod';
import type { ExecutionMethod } from '../../model/decision.ts';
import { choiceFor } from '../../model/phase-choice.ts';
import type { RequestPhase, steps } from '../../model/steps.ts';
import type { Synthesis } from '../../model/synthesis.ts';
import { agentOfMethod } from '../../model/team.ts';
import { findReadyModels } from '../asking/ask-seat.ts';
import { type Tools, recordStep, vendorFor } from '../phase-tools.ts';

/** The agents that may write the proofs, best first. */
const Authors = z.object({
  names: z.array(z.string()),
  executor: z.string().nullable().describe('Who is to do the work; null if nobody can.'),
  own: z
    .array(z.string())
    .describe('Those of the executor’s vendor, or of an unknown one, which may share its errors.'),
});
export type Authors = z.infer<typeof Authors>;

export interface AuthorChoice {
  readonly method: ExecutionMethod;
  /** The agents that may be asked to plan, and to do the work, in order. */
  readonly planners: readonly string[];
  readonly executors: readonly string[];
  /** Those who took part, and the chain unless the seats were chosen. */
  readonly candidates: readonly string[];
  readonly receipts: Synthesis['receipts'];
}

/** Chooses the authors as a recorded step, because it depends on who is ready. */
export function chooseAuthors(
  choice: AuthorChoice,
  own: ReturnType<typeof steps.proof>,
  { tools, signal }: { readonly tools: Tools; readonly signal: AbortSignal },
): Promise<Authors> {
  const step = { tools, signal, step: own.authors, input: { method: choice.method } };
  return recordStep({ ...step, shape: Authors }, () => authorsNow(choice, tools, signal));
}

async function authorsNow(
  choice: AuthorChoice,
  tools: Tools,
  signal: AbortSignal,
): Promise<Authors> {
  const { method, planners, executors, candidates, receipts } = choice;
  const { agent: chosen } = choiceFor(tools.phases, 'proof');
  const named = [...(chosen === null ? [] : [chosen]), ...candidates];
  const ready = await findReadyModels(named, tools.agents, signal);
  const vendorOf = (name: string | null, call: RequestPhase) =>
    name === null ? null : vendorFor(tools, { name, call, receipts });
  const [planner = null] = await findReadyModels(planners.slice(0, 1), tools.agents, signal);
  const executor = await executorOf({ method, executors }, tools, signal);
  const doing = vendorOf(executor, 'execute');
  const planning = vendorOf(planner ?? planners[0] ?? null, 'plan');
  const rank = (name: string) => {
    const vendor = vendorOf(name, 'proof');
    if (vendor === null || vendor === doing) return 2;
    return vendor === planning ? 1 : 0;
  };
  const didFail = (name: string) =>
    Number(receipts.some(({ agent, failure }) => agent === name && failure !== null));
  const others = ready
    .filter((name) => name !== chosen)
    .toSorted((a, b) => rank(a) - rank(b) || didFail(a) - didFail(b));
  const names = chosen !== null && ready.includes(chosen) ? [chosen, ...others] : others;
  return { names, executor, own: names.filter((name) => rank(name) === 2) };
}

/** The agent that does the work by this method, as far as that is known before the plan. */
async function executorOf(
  { method, executors }: Pick<AuthorChoice, 'method' | 'executors'>,
  { agents }: Tools,
  signal: AbortSignal,
): Promise<string | null> {
  const named = agentOfMethod(method);
  const wanted = named === null ? executors : [agents.get(named)?.name ?? named, ...executors];
  const able = wanted.filter((name) => agents.get(name)?.traits.edits === true);
  for (const name of able) {
    const [ready] = await findReadyModels([name], agents, signal);
    if (ready !== undefined) return ready;
  }
  return able[0] ?? null;
}
