import { onTestFinished } from 'vitest';
import { copiedRig } from './copied-rig.ts';
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

/** The same as `prepare` leaves it, which is done once for each name. */
export async function preparedRig(
  name: string,
  prepare: (rig: Rig) => Promise<void>,
): Promise<Rig> {
  const rig = await copiedRig(name, prepare);
  onTestFinished(() => rig.remove());
  return rig;
}

/** The same with the little todo project in it. */
export function todoRig(): Promise<Rig> {
  return preparedRig('todo', todoProject);
}
