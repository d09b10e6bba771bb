import { describe, expect, test } from 'vitest';
import { Plan } from '../../../src/model/plan.ts';
import { Task } from '../../../src/model/task.ts';
import {
  changeFaults,
  idFaults,
  mergeChanges,
} from '../../../src/phases/planning/merge-changes.ts';
import { samplesOf } from '../../helpers/samples.ts';

const task = (id: string, title = `The work of ${id}`) =>
  Task.parse({
    id,
    title,
    description: title,
    depends_on: [],
    convergence: { criteria: [`${id} is there`] },
  });
const standing = {
  plan: Plan.parse({
    ...Plan.parse(samplesOf('plan').good[0]),
    removed_tasks: [{ id: 'TASK-009', title: 'Gone' }],
  }),
  tasks: [task('TASK-001'), { ...task('TASK-002'), team: 'core' }, task('TASK-003')],
};
const none = { plan: null, tasks: [] };

describe('what changes in a plan', () => {
  test('takes the place of the task of its id, and all other tasks stay as they are', () => {
    const changed = task('TASK-003', 'Done otherwise');
    const added = task('TASK-004');
    const changes = { plan: null, tasks: [added, changed], removed: ['TASK-001'] };
    const { answer } = mergeChanges(standing, changes, []);
    expect(answer.tasks).toEqual([standing.tasks[1], changed, added]);
    expect(answer.plan).toMatchObject({ summary: standing.plan.summary });
    expect(changeFaults(standing, changes)).toEqual([]);
  });

  test('may be the overview alone', () => {
    const plan = { summary: 'Less', approach: 'Another way' };
    const { answer } = mergeChanges(standing, { plan, tasks: [] }, []);
    expect(answer.plan).toEqual(plan);
    expect(answer.tasks.map(({ id }) => id)).toEqual(['TASK-001', 'TASK-002', 'TASK-003']);
  });

  test('keeps with each task what had to be left out of it', () => {
    const leftOut = [{ pointer: '/tasks/0/checks/1', message: 'is malformed' }];
    const merged = mergeChanges(standing, { plan: null, tasks: [task('TASK-003')] }, leftOut);
    expect(merged.leftOut).toEqual([{ pointer: '/tasks/2/checks/1', message: 'is malformed' }]);
  });

  test.each([
    [
      'changes a task that the plan does not have',
      { ...none, tasks: [task('TASK-007')] },
      '/tasks/0/id: TASK-007 is not a task of the plan; its tasks are TASK-001, TASK-002, TASK-003, and the next new one is TASK-004.',
    ],
    [
      'gives the same task twice',
      { ...none, tasks: [task('TASK-002'), task('TASK-002')] },
      '/tasks/1/id: TASK-002 is given twice.',
    ],
    [
      'removes a task that is not there',
      { ...none, removed: ['TASK-005'] },
      '/removed/0: TASK-005 is not a task of the plan; its tasks are TASK-001, TASK-002, TASK-003.',
    ],
    [
      'leaves no task',
      { ...none, removed: ['TASK-001', 'TASK-002', 'TASK-003'] },
      '/removed: no task of the plan would be left.',
    ],
  ])('is refused in one sentence if it %s', (_what, changes, sentence) => {
    expect(changeFaults(standing, changes)).toEqual([sentence]);
  });
});

describe('the ids of a planner', () => {
  test('that differ and could be file names have no fault', () => {
    expect(idFaults([task('TASK-001'), task('B')])).toEqual([]);
  });

  test('are asked for again where two tasks have the same one, whatever its case', () => {
    expect(idFaults([task('A'), task('a')])).toEqual(['/tasks/1/id: a is given twice.']);
  });

  test.each(['../../x', '/etc/cron.d/x', 'a\\b', 'x\u001b[2J', '.git', '.workflow', 'Task 1', ' '])(
    'are asked for again where one could not be a file name: %j',
    (id) => {
      const [fault, ...others] = idFaults([{ id }]);
      expect(fault).toContain('is not an id of letters, digits, "-" and "_", such as TASK-001.');
      expect(fault).not.toContain('\u001b');
      expect(others).toEqual([]);
    },
  );
});
