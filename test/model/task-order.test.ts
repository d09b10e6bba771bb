import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type OrderedTask,
  ancestry,
  mayRunTogether,
  flowChains,
  parallelGroups,
  topologicalOrder,
} from '../../src/model/task-order.ts';
import { cpuFloors } from '../helpers/cpu-floors.ts';

const task = (id: string, ...needs: string[]): OrderedTask => ({ id, depends_on: needs });

/** Edges only to earlier numbers, then shuffled: never a circle. */
const acyclic = fc
  .array(fc.array(fc.nat(20), { maxLength: 4 }), { minLength: 1, maxLength: 20 })
  .map((needs) =>
    needs.map((ns, index) => task(`T${index}`, ...ns.filter((n) => n < index).map((n) => `T${n}`))),
  )
  .chain((tasks) => fc.shuffledSubarray(tasks, { minLength: tasks.length }));

describe('the order', () => {
  test('puts dependencies first and keeps the given order otherwise', () => {
    expect(topologicalOrder([task('A', 'C'), task('B'), task('C')])).toEqual({
      ok: true,
      value: ['C', 'A', 'B'],
    });
  });

  test('passes over ids that no task has', () => {
    expect(topologicalOrder([task('A', 'nobody')])).toEqual({ ok: true, value: ['A'] });
  });

  test('names a circle from its start back to its start', () => {
    const circle = [task('X'), task('A', 'B'), task('B', 'C'), task('C', 'B')];
    expect(topologicalOrder(circle)).toEqual({ ok: false, failure: { cycle: ['B', 'C', 'B'] } });
  });

  test('holds each id once, after all that it needs, whatever the tasks', () => {
    fc.assert(
      fc.property(acyclic, (tasks) => {
        const order = topologicalOrder(tasks);
        if (!order.ok) throw new Error('no order');
        expect(order.value.toSorted()).toEqual(tasks.map(({ id }) => id).toSorted());
        const place = new Map(order.value.map((id, index) => [id, index]));
        for (const { id, depends_on: needs } of tasks) {
          for (const need of needs) expect(place.get(need)).toBeLessThan(place.get(id) ?? -1);
        }
      }),
    );
  });

  test('leaves tasks alone that are in order already', () => {
    fc.assert(
      fc.property(acyclic, (tasks) => {
        const order = topologicalOrder(tasks);
        if (!order.ok) throw new Error('no order');
        const byId = new Map(tasks.map((one) => [one.id, one]));
        const sorted = order.value.flatMap((id) => byId.get(id) ?? []);
        expect(topologicalOrder(sorted)).toEqual(order);
      }),
    );
  });

  test('does not end in a call stack for a chain of 20,000 tasks', () => {
    const chain = Array.from({ length: 20_000 }, (_, i) => task(`T${i}`, `T${i + 1}`));
    expect(topologicalOrder(chain)).toMatchObject({ ok: true });
  });
});

describe('two tasks may run together', () => {
  test('only without a way between them', () => {
    const together = mayRunTogether([task('A'), task('B', 'A'), task('C', 'B'), task('D', 'A')]);
    expect(together('B', 'D')).toBe(true);
    expect(together('D', 'C')).toBe(true);
    expect(together('A', 'C')).toBe(false);
    expect(together('C', 'A')).toBe(false);
    expect(together('A', 'A')).toBe(false);
    expect(together('A', 'nobody')).toBe(false);
  });

  test('never where there is a circle', () => {
    const tasks = [task('A', 'B'), task('B', 'A'), task('C'), task('D')];
    expect(mayRunTogether(tasks)('C', 'D')).toBe(false);
    expect(ancestry(tasks)).toBeNull();
    expect(parallelGroups(tasks)).toEqual([]);
  });

  test('exactly where a walk along the dependencies finds no way', () => {
    fc.assert(
      fc.property(acyclic, (tasks) => {
        const needs = new Map(tasks.map(({ id, depends_on: ds }) => [id, ds]));
        const reaches = (from: string, to: string): boolean =>
          (needs.get(from) ?? []).some((need) => need === to || reaches(need, to));
        const together = mayRunTogether(tasks);
        for (const { id: a } of tasks) {
          for (const { id: b } of tasks) {
            expect(together(a, b)).toBe(a !== b && !reaches(a, b) && !reaches(b, a));
          }
        }
      }),
      { numRuns: 50 },
    );
  });

  test('within one group', () => {
    fc.assert(
      fc.property(acyclic, (tasks) => {
        const together = mayRunTogether(tasks);
        for (const group of parallelGroups(tasks)) {
          for (const a of group) {
            for (const b of group) expect(a === b || together(a, b)).toBe(true);
          }
        }
      }),
      { numRuns: 50 },
    );
  });
});

test('1,000 tasks with 3,000 dependencies are ordered and compared in little time', () => {
  const tasks = Array.from({ length: 1_000 }, (_, i) =>
    task(`T${i}`, ...[5, 7, 31].filter((back) => back <= i).map((back) => `T${i - back}`)),
  );
  const start = cpuFloors();
  const together = mayRunTogether(tasks);
  let pairs = 0;
  for (const { id: a } of tasks) for (const { id: b } of tasks) pairs += together(a, b) ? 1 : 0;
  expect(pairs).toBeGreaterThan(1_000);
  expect(parallelGroups(tasks).flat()).toHaveLength(1_000);
  expect(cpuFloors() - start).toBeLessThan(40);
});

describe('an execution flow', () => {
  const known = new Set(['T1', 'T2', 'T3', 'T4', 'TASK-001', 'TASK-002']);

  test.each([
    ['T1 → T2 → T3', [[['T1'], ['T2'], ['T3']]]],
    ['T1->T2-->T3 => T4', [[['T1'], ['T2'], ['T3'], ['T4']]]],
    ['T1 -> (T2, T3) -> T4', [[['T1'], ['T2', 'T3'], ['T4']]]],
    ['T1 → [T2 | T3] → T4', [[['T1'], ['T2', 'T3'], ['T4']]]],
    [
      'T1 → T2; T1 → T3',
      [
        [['T1'], ['T2']],
        [['T1'], ['T3']],
      ],
    ],
    [
      'T1 → T2\nT3 → T4',
      [
        [['T1'], ['T2']],
        [['T3'], ['T4']],
      ],
    ],
    ['T1 (the schema) → T2 (the interface)', [[['T1'], ['T2']]]],
    ['TASK-001 → TASK-002', [[['TASK-001'], ['TASK-002']]]],
  ])('%j is read as stages', (text, stages) => {
    expect(flowChains(text, known)).toEqual(stages);
  });

  test.each([
    '',
    'T1, T2, T3',
    'T1',
    'as you like',
    'T1 before T2 → T3',
    'T1 → T2 if needed',
    'T1 → (T2 → T3, T4)',
    'T1 → T2 → T1',
    'T1 → T9 → T2',
    'T1-T3 → T4',
  ])('%j gives no order', (text) => {
    expect(flowChains(text, known)).toEqual([]);
  });
});
