import { expect } from 'vitest';
import { Synthesis } from '../../src/model/synthesis.ts';
import { planAnswer } from '../faults/three-rounds.ts';
import type { Rig } from './rig.ts';
import { leavingFlags, preparedRig } from './test-rig.ts';
import { todoProject, todoTask } from './todo-project.ts';
import { configureVendors, listSolution, stances } from './vendors.ts';

const [first, ...others] = planAnswer.tasks;

/** The planner’s plan with the first task under another title, as the answer to a comment. */
export const revisedPlan = {
  ...planAnswer,
  tasks: [{ ...first, title: 'Print the todos as one JSON array' }, ...others],
};

/** Two vendors that agree at once; what they do as planners is `plan`. */
export function planWith(rig: Rig, plan: Readonly<Record<string, unknown>>): void {
  const propose = { answer: { solutions: [listSolution()], questions: [] } };
  const vendor = { propose, examine: { answer: stances({ A: 'support' }) }, plan };
  configureVendors(rig, { alpha: vendor, beta: vendor });
}

/** The todo project with a session of these vendors, which waits for its plan to be approved. */
export function plannedRig(): Promise<Rig> {
  return preparedRig('planned', async (rig) => {
    await todoProject(rig);
    planWith(rig, { answer: planAnswer });
    expect((await rig.conclave('plan', ...leavingFlags, todoTask)).code).toBe(0);
  });
}

/** The todo project with a plan of the analysts, made with these flags. */
export function analysedRig(...flags: readonly string[]): Promise<Rig> {
  return preparedRig(['analysed', ...flags].join(''), async (rig) => {
    await todoProject(rig);
    const { code } = await rig.conclave('plan', '--tools', 'local', ...flags, todoTask);
    expect(code).toBe(0);
  });
}

/** The files of the newest plan with their contents, by path. */
export function planFiles(rig: Rig): Readonly<Record<string, string>> {
  const all = rig.contents(rig.session().slice(rig.repo.length + 1));
  return Object.fromEntries(
    Object.entries(all).filter(([path]) => /^(plan\.|\.task\/|approval|execution-)/.test(path)),
  );
}

/** What vendors answer who do not argue. */
export const proposing = (...solutions: unknown[]) => ({ answer: { solutions, questions: [] } });
export const agreeing = { answer: stances({ A: 'support', B: 'unsure', C: 'unsure' }) };
export const planning = { answer: planAnswer };
export const calmVendor = { propose: proposing(listSolution()), examine: agreeing, plan: planning };

export function synthesisOf(rig: Rig, round: number): Synthesis {
  return Synthesis.parse(rig.json(`rounds/${round}/synthesis.json`));
}

/** Two vendors that agreed at once, and their approved plan under a constraint. */
export function agreedRig(): Promise<Rig> {
  return preparedRig('agreed', async (rig) => {
    await todoProject(rig);
    planWith(rig, planning);
    const constraint = ['--constraint', 'Keep the text output unchanged'];
    const { code } = await rig.conclave('plan', '--auto-yes', ...constraint, todoTask);
    expect(code).toBe(0);
  });
}
