import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type OrderedTask,
  ancestry,
  executionFlow,
  parallelGroups,
  topologicalOrder,
} from '../../src/model/task-order.ts';

const task = (id: string, ...needs: string[]): OrderedTask => ({ id, depends_on: needs });

/** Edges only to earlier numbers, then shuffled: never a circle. */
const acyclic = fc
  .array(fc.array(fc.nat(20), { maxLength: 4 }), { minLength: 1, maxLength: 20 })
  .map((needs) =>
    needs.map((ns, index) => task(`T${index}`, ...ns.filter((n) => n < index).map((n) => `T${n}`))),
  )
  .chain((tasks) => fc.shuffledSubarray(tasks, { minLength: tasks.length }));

describe('the order', () => {
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

  test('does not end in a call stack for a chain of 20,000 tasks', () => {
    const chain = Array.from({ length: 20_000 }, (_, i) => task(`T${i}`, `T${i + 1}`));
    expect(topologicalOrder(chain)).toMatchObject({ ok: true });
  });
});

test('a task waits for another exactly where a walk along the dependencies finds a way', () => {
  fc.assert(
    fc.property(acyclic, (tasks) => {
      const needs = new Map(tasks.map(({ id, depends_on: ds }) => [id, ds]));
      const reaches = (from: string, to: string): boolean =>
        (needs.get(from) ?? []).some((need) => need === to || reaches(need, to));
      const comesAfter = ancestry(tasks);
      for (const { id: a } of tasks) {
        for (const { id: b } of tasks) expect(comesAfter?.(a, b)).toBe(reaches(a, b));
      }
    }),
    { numRuns: 50 },
  );
});

test('no two tasks of one group wait for each other', () => {
  fc.assert(
    fc.property(acyclic, (tasks) => {
      const comesAfter = ancestry(tasks);
      for (const group of parallelGroups(tasks)) {
        for (const a of group) expect(group.some((b) => comesAfter?.(a, b))).toBe(false);
      }
    }),
    { numRuns: 50 },
  );
});

test('where there is a circle, nothing is known of who waits for whom', () => {
  const tasks = [task('A', 'B'), task('B', 'A'), task('C')];
  expect(ancestry(tasks)).toBeNull();
  expect(parallelGroups(tasks)).toEqual([]);
});

test('the flow names the groups in their order', () => {
  const tasks = [task('A'), task('B', 'A'), task('C', 'A'), task('D', 'B', 'C')];
  expect(executionFlow(tasks)).toBe('A → (B, C) → D');
});
