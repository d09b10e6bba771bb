import { planAnswer } from '../faults/three-rounds.ts';
import type { Rig } from './rig.ts';
import { todoRig } from './test-rig.ts';
import { todoTask } from './todo-project.ts';
import { configureVendors, listSolution, stances } from './vendors.ts';

/** What the worker does with a task, by `TASK-001`, `TASK-001-work`, `TASK-001-fix` …: see vendor.mjs. */
export type Work = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** The todo project with an approved plan, and a worker that carries its tasks out. */
export async function approvedRig(
  work: Work,
  { plan = planAnswer, more = '' }: { readonly plan?: object; readonly more?: string } = {},
): Promise<Rig> {
  const rig = await todoRig();
  workBy(rig, work, { plan, more });
  const { code, stderr } = await rig.conclave('plan', '--auto-yes', '--max-rounds', '3', todoTask);
  if (code !== 0) throw new Error(`no approved plan: ${stderr}`);
  return rig;
}

/** Configures two vendors that agree on that plan and do that work. */
export function workBy(
  rig: Rig,
  work: Work,
  { plan = planAnswer, more = '' }: { readonly plan?: object; readonly more?: string } = {},
): void {
  const propose = { answer: { solutions: [listSolution()], questions: [] } };
  const done = { answer: 'Done.' };
  const script = {
    propose,
    examine: { answer: stances({ A: 'support' }) },
    plan: { answer: plan },
    execute: done,
    ...Object.fromEntries(Object.entries(work).map(([task, act]) => [task, { ...done, ...act }])),
  };
  configureVendors(rig, { alpha: script, beta: script }, more);
}
