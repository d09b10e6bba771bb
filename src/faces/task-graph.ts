// Draws the dependency graph with its edges, in lines.
import { type OrderedTask, parallelGroups } from '../model/task-order.ts';

/** A line of the graph: a task with the edges on its left. */
export interface GraphLine {
  /** Index of the task in the plan. */
  readonly task: number;
  /** The group, counted from 1; 0 if tasks depend on each other in a cycle. */
  readonly group: number;
  /** The edges, padded to the same width on all lines. */
  readonly edges: string;
  /** Ids of dependencies to which no edge is drawn. */
  readonly named: readonly string[];
}

/**
 * Draws tasks from top to bottom by group. Each task that others depend on has a lane down to the
 * last of them: `┌` `┬` start one, `├` `┼` lead from it to the task of the row, `└` `┴` do so and
 * end it, `│` only passes. If the lanes do not fit into `width` columns, if tasks form a cycle, or
 * if an id is unknown, the ids are named instead.
 */
export function graphOf(tasks: readonly OrderedTask[], width: number): readonly GraphLine[] {
  const rows = rowsByGroup(tasks);
  const lanes = lanesOf(rows, Math.floor(width / 2));
  return rows.map(({ task, group, needs }, at) => ({
    task: tasks.indexOf(task),
    group,
    edges: edgesAt(lanes, { at, needs: new Set(needs.values()) }),
    named: task.depends_on.filter((id) => !lanes.has(needs.get(id) ?? -1)),
  }));
}

interface TaskRow {
  readonly task: OrderedTask;
  readonly group: number;
  /** Rows of its dependencies, by id. */
  readonly needs: ReadonlyMap<string, number>;
}

function rowsByGroup(tasks: readonly OrderedTask[]): readonly TaskRow[] {
  const groups = parallelGroups(tasks);
  const groupOf = ({ id }: OrderedTask) => groups.findIndex((ids) => ids.includes(id)) + 1;
  const sorted = tasks.toSorted((a, b) => groupOf(a) - groupOf(b));
  const places = new Map(sorted.map(({ id }, at) => [id, at]));
  return sorted.map((task, at) => {
    const needs = task.depends_on.flatMap((id) => {
      const place = places.get(id) ?? at;
      return place < at && groups.length > 0 ? [[id, place] as const] : [];
    });
    return { task, group: groupOf(task), needs: new Map(needs) };
  });
}

/** Column and last row of each lane, by its first row. */
type Lanes = ReadonlyMap<number, { readonly column: number; readonly end: number }>;

/** Gives each lane the lowest free column; a lane that ends in a row leaves its column free only below that row. */
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

/** Draws the edges of one row; `needs` are the rows that it depends on. */
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
  const line = signs.slice(first).map((sign, index) => (index === 0 ? sign : crossedSign(sign)));
  return [...signs.slice(0, first), line.join('─')].join(' ') + `─${tip}`;
}

/** Returns the character for a lane that the line to the task crosses. */
function crossedSign(sign: string): string {
  return { ' ': '─', '┌': '┬', '├': '┼', '└': '┴' }[sign] ?? sign;
}
