import { onTestFinished } from 'vitest';
import { type Rig, makeRig } from './rig.ts';
import { todoProject } from './todo-project.ts';

/** Answers every question and leaves the approval to a person. */
export const leavingFlags = ['--solution', '1', '--execution', 'agent', '--review', 'skip'];

/** A rig for the running test, removed after it. */
export function testRig(): Rig {
  const rig = makeRig();
  onTestFinished(() => rig.remove());
  return rig;
}

/** The same with the little todo project in it. */
export async function todoRig(): Promise<Rig> {
  const rig = testRig();
  await todoProject(rig);
  return rig;
}
