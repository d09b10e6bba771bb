// Tests of how a plan is compared with the order and the key points of its solution.
import { describe, expect, test } from 'vitest';
import type { Task } from '../../../src/model/task.ts';
import { solutionFindings } from '../../../src/phases/planning/check-solution.ts';
import { short, solutionTask, taskOf, withTasks } from './samples.ts';

const carrying = (id: string, origin: string, ...needs: string[]) =>
  taskOf(id, { source: { original_id: origin }, depends_on: needs });

describe('the order of a plan', () => {
  const solution = ['T1', 'T2', 'T3'].map((id) => solutionTask(id));
  const find = (flow: string, tasks: readonly Task[]) =>
    solutionFindings({ tasks, contextPackage: withTasks(solution, flow) });

  test('that turns the flow of the solution round is a warning', () => {
    const tasks = [carrying('A', 'T1', 'B'), carrying('B', 'T2'), carrying('C', 'T3', 'A')];
    const found = find('T1 → T2 → T3', tasks);
    expect(short(found)).toEqual(['warning order-turned .task/A.json/depends_on']);
    expect(found[0]?.message).toContain(
      'A waits for B, but the solution has them the other way round: T1 → T2 → T3;',
    );
  });

  test.each([
    ['the flow', 'T1 → T2 → T3', [carrying('A', 'T1'), carrying('B', 'T2', 'A')]],
    ['more at once', 'T1 → T2 → T3', [carrying('A', 'T1'), carrying('B', 'T2')]],
    ['one of a group first', 'T1, then (T2, T3)', [carrying('A', 'T2'), carrying('B', 'T3', 'A')]],
    ['a task of several', 'T1 -> T2 + T3', [carrying('A', 'T1, T3', 'B'), carrying('B', 'T2')]],
    ['parts of one task', 'T1 → T2', [carrying('A', 'T1', 'B'), carrying('B', 'T1')]],
    [
      'a flow in words',
      'First T2, because T1 needs it',
      [carrying('A', 'T1', 'B'), carrying('B', 'T2')],
    ],
    ['a nested flow', '(T1 → T2), T3', [carrying('A', 'T1', 'B'), carrying('B', 'T3')]],
    ['no flow', '', [carrying('A', 'T1', 'B'), carrying('B', 'T2')]],
    ['a circle', 'T1 → T2', [carrying('A', 'T1', 'B'), carrying('B', 'T2', 'A')]],
  ])('with %s has no finding', (_what, flow, tasks) => {
    expect(find(flow, tasks)).toEqual([]);
  });
});

const findLost = (point: string | null, ...tasks: readonly Task[]) =>
  solutionFindings({
    tasks,
    contextPackage: withTasks([solutionTask('T1', { key_point: point })]),
  });

describe('the key point of a task', () => {
  test('of which no name occurs in the task that came of it is a warning', () => {
    const found = findLost('Make the signal inside `retryLoop`', carrying('A', 'T1'));
    expect(short(found)).toEqual(['warning key-point-lost .task/A.json/description']);
    expect(found[0]?.message).toContain('its key point: "Make the signal inside `retryLoop`"');
  });

  test.each([
    ['a path', 'Look at src/retry.ts first', 'See src/retry.ts.'],
    ['a symbol', 'The limit holds in retryLoop', 'In RETRYLOOP it does.'],
    ['one of several names', 'Use `a` in `b"c`', 'In b"c.'],
    [
      'its words without the name',
      'Keys of an array `key[]` are never duplicates',
      'Array keys are never duplicates.',
    ],
    ['no name at all', 'The limit holds for each attempt', 'Something else.'],
  ])('is there with %s', (_what, point, description) => {
    expect(findLost(point, { ...carrying('A', 'T1'), description })).toEqual([]);
  });

  test('may show in any part of a split task, and is not asked of a task that nobody carries out', () => {
    const point = 'Inside `retryLoop`';
    const second = { ...carrying('B', 'T1'), implementation: ['In retryLoop.'] };
    expect(findLost(point, carrying('A', 'T1'), second)).toEqual([]);
    expect(findLost(point, taskOf('A'))).toEqual([]);
    expect(findLost(null, carrying('A', 'T1'))).toEqual([]);
  });
});
