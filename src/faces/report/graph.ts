import { parallelGroups } from '../../model/task-order.ts';
import type { Task } from '../../model/task.ts';
import { type Markup, markup } from './markup.ts';

const node = { width: 216, height: 72, acrossGap: 56, downGap: 18 };
const margin = 4;

interface Place {
  readonly x: number;
  readonly y: number;
}

/** The tasks in columns, each with its status; its lines come from the tasks it waits for. */
export function graphSvg(tasks: readonly Task[], status: (task: Task) => Markup): Markup {
  const groups = parallelGroups(tasks);
  if (groups.length === 0)
    return markup`<p>The tasks wait for each other in a circle, so there is no order to draw.</p>`;
  const [stepX, stepY] = [node.width + node.acrossGap, node.height + node.downGap];
  const places = new Map<string, Place>(
    groups.flatMap((ids, column) =>
      ids.map((id, row) => [id, { x: margin + column * stepX, y: margin + row * stepY }] as const),
    ),
  );
  const width = groups.length * stepX - node.acrossGap + 2 * margin;
  const rows = Math.max(...groups.map((ids) => ids.length));
  const height = rows * stepY - node.downGap + 2 * margin;
  return markup`<div class="scroll" tabindex="0"><svg width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="The tasks and what each waits for">
<defs><marker id="tip" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" markerHeight="8" orient="auto"><path d="M0 0 8 4 0 8z"/></marker></defs>
${tasks.map((task) => linesTo(task, places))}${tasks.map((task) => nodeOf(task, places.get(task.id), status(task)))}</svg></div>`;
}

function linesTo({ id, depends_on: needs }: Task, places: ReadonlyMap<string, Place>): Markup[] {
  const end = places.get(id);
  return needs.flatMap((need) => {
    const start = places.get(need);
    if (start === undefined || end === undefined) return [];
    const [x, y] = [start.x + node.width, start.y + node.height / 2];
    const [toX, toY] = [end.x, end.y + node.height / 2];
    const bend = node.acrossGap / 2;
    return markup`<path d="M${x} ${y}C${x + bend} ${y} ${toX - bend} ${toY} ${toX} ${toY}" marker-end="url(#tip)"/>\n`;
  });
}

function nodeOf({ id, title }: Task, place: Place | undefined, status: Markup): Markup | null {
  if (place === undefined) return null;
  return markup`<foreignObject x="${place.x}" y="${place.y}" width="${node.width}" height="${node.height}"><a class="node" href="#task-${id}">${status} ${id}<br>${title}</a></foreignObject>\n`;
}
