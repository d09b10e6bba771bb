import { expect, test } from 'vitest';
import { tasksByOrigin } from '../../../src/phases/planning/task-mapping.ts';
import { solutionTask, taskOf } from './samples.ts';

const origins = [solutionTask('T1'), solutionTask('T2')];
const from = (original: string) => ({ source: { original_id: original } });

test('tasks that name their origin are mapped by it', () => {
  const tasks = [taskOf('A', from('T2')), taskOf('B', from('T1, T2')), taskOf('TASK-001')];
  expect([...tasksByOrigin(origins, tasks)]).toEqual([
    ['T2', ['A', 'B']],
    ['T1', ['B']],
  ]);
});

test('else tasks with the same id, else with the same numbers', () => {
  expect([...tasksByOrigin(origins, [taskOf('T2'), taskOf('X')])]).toEqual([['T2', ['T2']]]);
  expect([...tasksByOrigin(origins, [taskOf('TASK-002'), taskOf('TASK-001')])]).toEqual([
    ['T1', ['TASK-001']],
    ['T2', ['TASK-002']],
  ]);
});

test('where the numbers do not fit one to one, nothing is guessed', () => {
  expect(tasksByOrigin(origins, [taskOf('TASK-001')]).size).toBe(0);
  expect(tasksByOrigin(origins, [taskOf('TASK-001'), taskOf('TASK-003')]).size).toBe(0);
  expect(tasksByOrigin(origins, [taskOf('one'), taskOf('two')]).size).toBe(0);
});
