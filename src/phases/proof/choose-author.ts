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
  const { method, planners, executors, candidates, receipts } = choice;
  const { agents, phases } = tools;
  const vendorOf = (name: string, call: RequestPhase) => vendorFor(tools, { name, call, receipts });
  const step = { tools, signal, step: own.authors, input: { method }, shape: Authors };
  return recordStep(step, async () => {
    const { agent: chosen } = choiceFor(phases, 'proof');
    const named = [agentOfMethod(method) ?? []]
      .flat()
      .map((name) => agents.get(name)?.name ?? name);
    const able = [...named, ...executors].filter((name) => agents.get(name)?.traits.edits === true);
    const [executor = able[0] ?? null] = await findReadyModels(able, agents, signal);
    const doing = executor === null ? null : vendorOf(executor, 'execute');
    const [planner] = planners;
    const planning = planner === undefined ? null : vendorOf(planner, 'plan');
    const isOwn = (name: string) => [null, doing].includes(vendorOf(name, 'proof'));
    // What speaks against an agent, the worst first.
    const against = (name: string) => [
      name !== chosen,
      isOwn(name),
      vendorOf(name, 'proof') === planning,
      receipts.some(({ agent, failure }) => agent === name && failure !== null),
    ];
    const weight = (name: string) => Number(against(name).map(Number).join(''));
    const ready = await findReadyModels([...[chosen ?? []].flat(), ...candidates], agents, signal);
    const names = ready.toSorted((a, b) => weight(a) - weight(b));
    return { names, executor, own: names.filter(isOwn) };
  });
}
