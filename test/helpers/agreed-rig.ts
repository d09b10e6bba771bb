import { expect } from 'vitest';
import { Synthesis } from '../../src/model/synthesis.ts';
import { planAnswer } from '../faults/three-rounds.ts';
import { planWith } from './planned-rig.ts';
import type { Rig } from './rig.ts';
import { preparedRig } from './test-rig.ts';
import { todoProject, todoTask } from './todo-project.ts';
import { stances } from './vendors.ts';

/** What vendors answer who do not argue. */
export const proposing = (...solutions: unknown[]) => ({ answer: { solutions, questions: [] } });
export const agreeing = { answer: stances({ A: 'support', B: 'unsure', C: 'unsure' }) };
export const planning = { answer: planAnswer };

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
