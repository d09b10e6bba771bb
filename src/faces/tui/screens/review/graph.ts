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
 * row, `└` `┴` do so and end it, `│` only passes. Where the lanes do not fit into `width` columns,
 * where tasks wait in a circle, or where an id is unknown, the ids are named instead.
 */
export function graphOf(
  tasks: readonly OrderedTask[],
  { width, spaced }: { readonly width: number; readonly spaced: boolean },
): readonly GraphLine[] {
  const rows = rowsByGroup(tasks);
  const lanes = lanesOf(rows, Math.floor(width / 2));
  return rows.flatMap((row, at): readonly GraphLine[] => {
    const starts = row.group !== rows[at - 1]?.group;
    const line: GraphLine = {
      task: row.index,
      group: starts ? row.group : null,
      edges: edgesAt(lanes, { at, needs: new Set(row.needs.values()) }),
      named: row.task.depends_on.filter((id) => !lanes.has(row.needs.get(id) ?? -1)),
    };
    if (!spaced || !starts || at === 0) return [line];
    const between = edgesAt(lanes, { at: at - 0.5, needs: new Set() });
    return [{ task: null, group: null, edges: between, named: [] }, line];
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

function rowsByGroup(tasks: readonly OrderedTask[]): readonly TaskRow[] {
  const groups = parallelGroups(tasks);
  const level = new Map(groups.flatMap((ids, index) => ids.map((id) => [id, index + 1] as const)));
  const sorted = tasks
    .map((task, index) => ({ task, index, group: level.get(task.id) ?? null }))
    .toSorted((a, b) => (a.group ?? 0) - (b.group ?? 0));
  const places = new Map(sorted.map(({ task }, at) => [task.id, at]));
  return sorted.map((row, at) => {
    const needs = new Map<string, number>();
    for (const id of row.task.depends_on) {
      const place = places.get(id) ?? at;
      if (place < at && row.group !== null) needs.set(id, place);
    }
    return { ...row, needs };
  });
}

/** By the row at which a lane begins: its column, and the row at which it ends. */
type Lanes = ReadonlyMap<number, { readonly column: number; readonly end: number }>;

/** The lowest column that is free from the row above on: an end and a beginning never share a place. */
function lanesOf(rows: readonly TaskRow[], most: number): Lanes {
  const ends = new Map<number, number>();
  for (const [at, { needs }] of rows.entries())
    for (const from of needs.values()) ends.set(from, at);
  const lanes = new Map<number, { column: number; end: number }>();
  const taken: number[] = [];
  for (const at of rows.keys()) {
    const end = ends.get(at);
    if (end === undefined) continue;
    const free = taken.findIndex((last) => last < at);
    const column = free === -1 ? taken.length : free;
    if (column >= most) continue;
    taken[column] = end;
    lanes.set(at, { column, end });
  }
  return lanes;
}

/** The signs of one row, or of what is between two; `needs` are the rows that it waits for. */
function edgesAt(
  lanes: Lanes,
  { at, needs }: { readonly at: number; readonly needs: ReadonlySet<number> },
): string {
  const count = Math.max(0, ...[...lanes.values()].map(({ column }) => column + 1));
  if (count === 0) return '';
  const signs = Array.from({ length: count }, () => ' ');
  for (const [from, { column, end }] of lanes) {
    if (from === at) signs[column] = '┌';
    else if (from < at && at <= end)
      signs[column] = !needs.has(from) ? '│' : end === at ? '└' : '├';
  }
  const first = signs.findIndex((sign) => '┌├└'.includes(sign));
  if (first === -1) return `${signs.join(' ')}  `;
  const tip = signs.some((sign) => '├└'.includes(sign)) ? '▶' : '─';
  const line = signs.slice(first).map((sign, index) => (index === 0 ? sign : crossed(sign)));
  return [...signs.slice(0, first), line.join('─')].join(' ') + `─${tip}`;
}

/** A sign where the line to the task leads through it. */
function crossed(sign: string): string {
  return { ' ': '─', '┌': '┬', '├': '┼', '└': '┴' }[sign] ?? sign;
}
