import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type ScheduledTask, schedule } from '../../../src/phases/execution/schedule.ts';

/** Tasks that wait only for earlier ones, on a few files; some do not say which. */
const graphs = fc.integer({ min: 1, max: 24 }).chain((count) =>
  fc.tuple(
    ...Array.from({ length: count }, (_, at) =>
      fc.record({
        id: fc.constant(`T${at}`),
        depends_on: fc.uniqueArray(fc.integer({ min: 0, max: Math.max(0, at - 1) }), {
          maxLength: 3,
        }),
        files: fc.option(
          fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd', 'e'), { maxLength: 2 }),
          {
            freq: 8,
          },
        ),
      }),
    ),
  ),
);

interface Ran {
  readonly begun: string[];
  readonly ended: string[];
  readonly blocked: Map<string, string>;
  readonly most: number;
}

/** Runs a schedule to its end, ending a random running task each time; checks it on its way. */
function run(tasks: readonly ScheduledTask[], jobs: number, pick: () => number): Ran {
  const order = schedule(tasks, jobs);
  const byId = new Map(tasks.map((task) => [task.id, task]));
  const running = new Set<string>();
  const ran: Ran = { begun: [], ended: [], blocked: new Map(), most: 0 };
  let most = 0;
  while (!order.isOver) {
    for (const id of order.begin()) {
      running.add(id);
      ran.begun.push(id);
    }
    most = Math.max(most, running.size);
    expect(running.size).toBeGreaterThan(0);
    const files = [...running].flatMap((id) => byId.get(id)?.files ?? []);
    expect(new Set(files).size).toBe(files.length);
    const isAlone = [...running].some((id) => byId.get(id)?.files === null);
    expect(running.size).toBeLessThanOrEqual(isAlone ? 1 : jobs);
    const id = [...running][pick() % running.size] ?? '';
    running.delete(id);
    const isUsable = pick() % 5 !== 0;
    ran.ended.push(isUsable ? id : `${id} failed`);
    for (const { task, by } of order.end(id, isUsable)) ran.blocked.set(task, by);
  }
  return { ...ran, most };
}

test('whatever depends on whatever, and whatever fails: nothing too early, lost, or twice', () => {
  fc.assert(
    fc.property(
      graphs,
      fc.integer({ min: 1, max: 4 }),
      fc.infiniteStream(fc.nat()),
      (drawn, jobs, picks) => {
        const tasks = drawn.map(({ depends_on: needs, ...task }, at) => ({
          ...task,
          depends_on: at === 0 ? [] : needs.map((need) => `T${need}`),
        }));
        const { begun, ended, blocked } = run(tasks, jobs, () => picks.next().value ?? 0);
        expect(new Set(begun).size).toBe(begun.length);
        expect([...begun, ...blocked.keys()].toSorted()).toEqual(
          tasks.map(({ id }) => id).toSorted(),
        );
        const failed = new Set(
          ended.flatMap((id) => (id.endsWith(' failed') ? (id.split(' ')[0] ?? '') : [])),
        );
        for (const { id, depends_on: needs } of tasks) {
          const bad = needs.some((need) => failed.has(need) || blocked.has(need));
          expect(blocked.has(id)).toBe(bad);
          for (const need of bad ? [] : needs) {
            expect(ended.indexOf(need)).toBeGreaterThanOrEqual(0);
          }
        }
        for (const by of blocked.values()) expect(failed.has(by) || blocked.has(by)).toBe(true);
      },
    ),
  );
});

describe('side by side', () => {
  test('none beside another that changes the same file, and the next one instead', () => {
    const order = schedule(
      [
        { id: 'A', depends_on: [], files: ['x'] },
        { id: 'B', depends_on: [], files: ['x'] },
        { id: 'C', depends_on: [], files: ['y'] },
      ],
      2,
    );
    expect(order.begin()).toEqual(['A', 'C']);
    order.end('A', true);
    expect(order.begin()).toEqual(['B']);
  });
});
