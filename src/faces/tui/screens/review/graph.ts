import { type OrderedTask, parallelGroups } from '../../../../model/task-order.ts';

/** One line of the graph: a task, or the lines that lead from one group to the next. */
export interface GraphLine {
  /** Index of the task in the plan; null between two groups. */
  readonly task: number | null;
  /** Counted from 1, on the first line of each group; null elsewhere and where tasks wait in a circle. */
  readonly group: number | null;
  /** The edges, as wide on every line. */
  readonly edges: string;
  /** Ids that the task waits for and that no edge is drawn to. */
  readonly named: readonly string[];
}

/**
 * Tasks from top to bottom by group, with the edges on their left. Each task that others wait for
 * has a lane down to the last of them: `┌` `┬` begin one, `├` `┼` lead from it to the task of the
 * row, `└` `┴` do so and end it, `│` only passes. Where there are more lanes than columns, where
 * tasks wait in a circle, or where an id is unknown, the ids are named instead.
 */
export function graphOf(
  tasks: readonly OrderedTask[],
  { width, spaced }: { readonly width: number; readonly spaced: boolean },
): readonly GraphLine[] {
  const rows = orderedRows(tasks);
  const lanes = lanesOf(rows, width);
  const count = Math.max(0, ...[...lanes.values()].map(({ column }) => column + 1));
  const gap = count * 2 <= width ? 1 : 0;
  return rows.flatMap((row, at): readonly GraphLine[] => {
    const starts = row.group !== rows[at - 1]?.group;
    const line: GraphLine = {
      task: row.index,
      group: starts ? row.group : null,
      edges: rowEdges({ row, at, lanes, count, gap }),
      named: row.task.depends_on.filter((id) => !isDrawn(row.needs.get(id), lanes)),
    };
    if (!spaced || !starts || at === 0) return [line];
    return [
      { task: null, group: null, edges: betweenEdges({ at, lanes, count, gap }), named: [] },
      line,
    ];
  });
}

interface TaskRow {
  readonly task: OrderedTask;
  /** In the plan. */
  readonly index: number;
  readonly group: number | null;
  /** Rows of the tasks that it waits for, by id. */
  readonly needs: ReadonlyMap<string, number>;
}

interface Lane {
  readonly column: number;
  /** The row that it ends at. */
  readonly end: number;
}

/** By the row at which they begin. */
type Lanes = ReadonlyMap<number, Lane>;

function orderedRows(tasks: readonly OrderedTask[]): readonly TaskRow[] {
  const all = tasks.map((task, index) => ({ task, index }));
  const groups = parallelGroups(tasks);
  const level = new Map(groups.flatMap((ids, index) => ids.map((id) => [id, index + 1] as const)));
  const sorted = all.toSorted((a, b) => (level.get(a.task.id) ?? 0) - (level.get(b.task.id) ?? 0));
  const places = new Map(sorted.map(({ task }, at) => [task.id, at]));
  return sorted.map(({ task, index }, at) => ({
    task,
    index,
    group: level.get(task.id) ?? null,
    needs: new Map(
      task.depends_on.flatMap((id) => {
        const place = places.get(id);
        return place !== undefined && place < at && level.size > 0 ? [[id, place] as const] : [];
      }),
    ),
  }));
}

/** The lowest column that is free from the row above on: an end and a beginning never share a place. */
function lanesOf(rows: readonly TaskRow[], width: number): Lanes {
  const ends = new Map<number, number>();
  for (const [at, { needs }] of rows.entries())
    for (const from of needs.values()) ends.set(from, at);
  const lanes = new Map<number, Lane>();
  const taken: number[] = [];
  for (const at of rows.keys()) {
    const end = ends.get(at);
    if (end === undefined) continue;
    const free = taken.findIndex((last) => last < at);
    const column = free === -1 ? taken.length : free;
    if (column >= width) continue;
    taken[column] = end;
    lanes.set(at, { column, end });
  }
  return lanes;
}

function isDrawn(from: number | undefined, lanes: Lanes): boolean {
  return from !== undefined && lanes.has(from);
}

interface Drawing {
  /** The row, or the one below for what is between. */
  readonly at: number;
  readonly lanes: Lanes;
  readonly count: number;
  /** Columns between two lanes. */
  readonly gap: number;
}

function rowEdges({ row, at, lanes, count, gap }: Drawing & { readonly row: TaskRow }): string {
  if (count === 0) return '';
  const needed = new Set(row.needs.values());
  const cells = Array.from({ length: count }, (): Cell => 'none');
  for (const [from, { column, end }] of lanes) {
    if (from === at) cells[column] = 'begins';
    else if (from < at && at <= end)
      cells[column] = cellOf({ joins: needed.has(from), ends: end === at });
  }
  const first = cells.findIndex((cell) => cell !== 'none' && cell !== 'passes');
  const joins = cells.some((cell) => cell === 'joins' || cell === 'ends');
  const tip = first === -1 ? ' ' : joins ? '▶' : '─';
  return (
    cells
      .map((cell, column) => {
        const isLine = first !== -1 && column >= first;
        const shape = shapes[cell][column === first ? 0 : isLine ? 1 : 2];
        return shape + (isLine ? '─' : ' ').repeat(gap);
      })
      .join('') + tip
  );
}

function betweenEdges({ at, lanes, count, gap }: Drawing): string {
  const open = new Set(
    [...lanes].filter(([from, { end }]) => from < at && end >= at).map(([, { column }]) => column),
  );
  if (count === 0) return '';
  const cells = Array.from({ length: count }, (_, column) => (open.has(column) ? '│' : ' '));
  return `${cells.map((cell) => cell + ' '.repeat(gap)).join('')} `;
}

type Cell = 'none' | 'passes' | 'begins' | 'joins' | 'ends';

/** Where the line to the task begins, on that line, and left of it. */
const shapes: Readonly<Record<Cell, readonly [string, string, string]>> = {
  none: [' ', '─', ' '],
  passes: ['│', '│', '│'],
  begins: ['┌', '┬', ' '],
  joins: ['├', '┼', ' '],
  ends: ['└', '┴', ' '],
};

function cellOf({ joins, ends }: { readonly joins: boolean; readonly ends: boolean }): Cell {
  if (!joins) return 'passes';
  return ends ? 'ends' : 'joins';
}
