import { describe, expect, test } from 'vitest';
import { Plan } from '../../../src/model/plan.ts';
import { type Task, Task as TaskShape } from '../../../src/model/task.ts';
import { approvalHolds, planHash } from '../../../src/phases/planning/plan-hash.ts';
import { approvalOf, planOf, taskOf } from './samples.ts';

const plan = planOf(['A', 'B']);
const tasks = [taskOf('A', { note: { z: 1, a: [1, { y: 2, x: 3 }] } }), taskOf('B')];

/** The same value with all keys the other way round, as another editor may write it. */
function turned(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(turned);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([key, member]) => [key, turned(member)]),
  );
}

describe('the hash of a plan', () => {
  test('does not change with the order of keys or of tasks on disk', () => {
    const others = tasks.toReversed().map((task) => TaskShape.parse(turned(task)));
    expect(planHash(Plan.parse(turned(plan)), others)).toBe(planHash(plan, tasks));
  });

  test('does not change with what execution writes', () => {
    const executed: Task[] = tasks.map((task) => ({
      ...task,
      status: 'completed',
      executed_at: '2026-11-21T09:00:00.000Z',
      result: { success: true },
    }));
    expect(planHash(plan, executed)).toBe(planHash(plan, tasks));
  });

  test('changes with anything else, wherever it stands', () => {
    const hashes = [
      planHash(plan, tasks),
      planHash({ ...plan, summary: 'Another.' }, tasks),
      planHash({ ...plan, task_ids: ['B', 'A'] }, tasks),
      planHash({ ...plan, status: 'completed' }, tasks),
      planHash(plan, tasks.slice(1)),
      planHash(plan, [...tasks, ...tasks]),
      planHash(plan, [taskOf('A', { note: { z: 1, a: [{ y: 2, x: 3 }, 1] } }), taskOf('B')]),
      planHash(plan, [taskOf('A', { note: { z: '1', a: [1, { y: 2, x: 3 }] } }), taskOf('B')]),
      planHash(plan, [taskOf('A', { note: { status: 'x' } }), taskOf('B')]),
    ];
    expect(new Set(hashes).size).toBe(hashes.length);
  });
});

test('an approval holds until plan or tasks change', () => {
  const approval = approvalOf(plan, tasks);
  expect(approvalHolds(approval, plan, tasks)).toBe(true);
  expect(approvalHolds(approval, plan, tasks.toReversed())).toBe(true);
  expect(approvalHolds(approval, { ...plan, approach: 'Another.' }, tasks)).toBe(false);
  expect(approvalHolds(approval, plan, [...tasks, taskOf('C')])).toBe(false);
});
