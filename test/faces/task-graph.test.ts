import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type GraphLine, graphOf } from '../../src/faces/task-graph.ts';
import type { OrderedTask } from '../../src/model/task-order.ts';

const task = (id: string, ...needs: string[]): OrderedTask => ({ id, depends_on: needs });

/** The picture with the ids behind the edges. */
function drawn(tasks: readonly OrderedTask[], width = 40): readonly string[] {
  return graphOf(tasks, width).map(({ task: at, group, edges, named }) => {
    const words = named.length === 0 ? '' : ` ← ${named.join(', ')}`;
    return `${group} ${edges} ${tasks[at]?.id}${words}`;
  });
}

describe('the graph', () => {
  test('leads each task to those that wait for it', () => {
    const tasks = [task('a'), task('b'), task('c', 'a'), task('d', 'a', 'b'), task('e', 'c', 'd')];
    expect(drawn(tasks)).toEqual([
      '1 ┌──────── a',
      '1 │ ┌────── b',
      '2 ├─│─┬───▶ c',
      '2 └─┴─│─┬─▶ d',
      '3     └─┴─▶ e',
    ]);
  });

  test('names what it has no room to draw', () => {
    const tasks = [task('a'), task('b'), task('c', 'a', 'b')];
    expect(drawn(tasks, 2)).toEqual(['1 ┌── a', '1 │   b', '2 └─▶ c ← b']);
  });

  test('names tasks that wait in a circle, and ids that no task has', () => {
    expect(drawn([task('a', 'b'), task('b', 'a')])).toEqual(['0  a ← b', '0  b ← a']);
    expect(drawn([task('a', 'gone')])).toEqual(['1  a ← gone']);
  });
});

describe('for any plan', () => {
  const anyTasks = fc.integer({ min: 0, max: 14 }).chain((count) =>
    fc
      .tuple(
        ...Array.from({ length: count }, (_, index) =>
          fc.uniqueArray(fc.integer({ min: 0, max: Math.max(0, index - 1) }), {
            maxLength: index === 0 ? 0 : 5,
          }),
        ),
      )
      .chain((needs) =>
        fc
          .shuffledSubarray(
            needs.map((_, index) => index),
            { minLength: count },
          )
          .map((order) =>
            order.map((index) => task(`T${index}`, ...(needs[index] ?? []).map((n) => `T${n}`))),
          ),
      ),
  );
  const anyWidth = fc.integer({ min: 0, max: 40 });

  test('each task is shown once, each edge is drawn or named, and no line is wider than the others', () => {
    fc.assert(
      fc.property(anyTasks, anyWidth, (tasks, width) => {
        const lines = graphOf(tasks, width);
        const shown = lines.map(({ task: at }) => at);
        expect(shown.toSorted((a, b) => a - b)).toEqual(tasks.map((_, index) => index));
        expect(edgesIn(lines, tasks)).toEqual(tasks.flatMap(edgesOf).toSorted());
        const widths = new Set(lines.map(({ edges }) => edges.length));
        expect(widths.size).toBeLessThan(2);
        // One column more for the tip.
        expect(Math.max(0, ...widths)).toBeLessThanOrEqual(width + 1);
      }),
    );
  });

  test('also where tasks wait for each other in circles, nothing is lost', () => {
    const anyTangle = fc.array(fc.uniqueArray(fc.integer({ min: 0, max: 7 })), { maxLength: 8 });
    fc.assert(
      fc.property(anyTangle, anyWidth, (needs, width) => {
        const tasks = needs.map((own, index) => task(`T${index}`, ...own.map((n) => `T${n}`)));
        const lines = graphOf(tasks, width);
        expect(lines).toHaveLength(tasks.length);
        expect(edgesIn(lines, tasks)).toEqual(tasks.flatMap(edgesOf).toSorted());
      }),
    );
  });
});

const edgesOf = ({ id, depends_on: needs }: OrderedTask) => needs.map((need) => `${need} → ${id}`);

/** Reads the picture as a person does: follows each lane from where it begins to where it ends. */
function edgesIn(lines: readonly GraphLine[], tasks: readonly OrderedTask[]): readonly string[] {
  const lanes = new Map<number, string>();
  const edges: string[] = [];
  for (const { task: at, edges: drawing, named } of lines) {
    const id = tasks[at]?.id ?? '';
    edges.push(...named.map((need) => `${need} → ${id}`));
    const signs = Array.from(drawing);
    const joins = signs.flatMap((sign, column) => (/[├┼└┴]/.test(sign) ? [column] : []));
    expect(joins.length > 0).toBe(drawing.endsWith('▶'));
    edges.push(...joins.map((column) => `${lanes.get(column) ?? 'nothing'} → ${id}`));
    for (const [column, sign] of signs.entries()) {
      // An open lane is never broken, and no line comes from nowhere.
      expect(/[│├┼└┴]/.test(sign)).toBe(lanes.has(column));
      if (/[└┴]/.test(sign)) lanes.delete(column);
      if (/[┌┬]/.test(sign)) lanes.set(column, id);
    }
  }
  expect(lanes.size).toBe(0);
  return edges.toSorted();
}
