import { z } from 'zod';
import { planAnswer } from '../faults/three-rounds.ts';
import type { Rig } from './rig.ts';
import { todoRig } from './test-rig.ts';
import { configureVendors, formatterSolution, listSolution, stances } from './vendors.ts';

/** The todo project with two vendors: they agree in the first round, unless one of them asks. */
export async function twoVendors(questions: readonly string[] = []): Promise<Rig> {
  const rig = await todoRig();
  // The labels are dealt out anew for each session, so that the one preferred goes by its name.
  const preferred = listSolution().name;
  const examine = { answer: stances({ A: 'support', B: 'support' }, { preferred }) };
  const plan = { answer: planAnswer };
  const second = [formatterSolution(), ...(questions.length === 0 ? [listSolution()] : [])];
  const recommended = second.at(-1)?.name;
  configureVendors(rig, {
    alpha: { propose: { answer: { solutions: [listSolution()], questions } }, examine, plan },
    beta: { propose: { answer: { recommended, solutions: second, questions: [] } }, examine, plan },
  });
  return rig;
}

/** The same with agents that never answer. */
export async function busyVendors(): Promise<Rig> {
  const rig = await todoRig();
  const solutions = [listSolution()];
  const busy = { propose: { delay_ms: 600_000, answer: { solutions, questions: [] } } };
  configureVendors(rig, { alpha: busy, beta: busy });
  return rig;
}

export function statusOf(rig: Rig): string {
  return z.object({ status: z.string() }).parse(rig.json('session-state.json')).status;
}
