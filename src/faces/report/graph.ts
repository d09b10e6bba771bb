import wrapAnsi from 'wrap-ansi';
import type { TaskOutcome } from '../../model/execution.ts';
import { parallelGroups } from '../../model/task-order.ts';
import type { Task } from '../../model/task.ts';
import { oneLine } from '../../model/wording.ts';
import { type Markup, type BadgeTone, markup } from './markup.ts';

/** How a task stands, by a mark and a word, with a colour as a third. */
export interface TaskStanding {
  readonly tone: BadgeTone;
  readonly mark: string;
  readonly word: string;
}

/** As the execution left it, else as its file says. */
export function standingOf(task: Task, outcome: TaskOutcome | undefined): TaskStanding {
  const status = outcome?.status ?? task.status ?? 'pending';
  switch (status) {
    case 'completed':
      return { tone: 'good', mark: '✓', word: 'completed' };
    case 'unproven':
      return { tone: 'warn', mark: '?', word: 'unproven' };
    case 'failed':
      return { tone: 'bad', mark: '✗', word: 'failed' };
    case 'blocked':
      return { tone: 'warn', mark: '⊘', word: 'blocked' };
    case 'in_progress':
    case 'active':
      return { tone: 'warn', mark: '▸', word: 'not finished' };
    case 'skipped':
    case 'pending':
      return { tone: 'quiet', mark: '○', word: status === 'skipped' ? 'skipped' : 'planned' };
  }
}

const node = { width: 216, height: 66, acrossGap: 56, downGap: 18 };
const margin = 4;

interface Place {
  readonly x: number;
  readonly y: number;
}

/** The tasks in columns: each waits for what its lines come from. */
export function graphSvg(tasks: readonly Task[], standing: (task: Task) => TaskStanding): Markup {
  const groups = parallelGroups(tasks);
  if (groups.length === 0)
    return markup`<p>The tasks wait for each other in a circle, so there is no order to draw.</p>`;
  const rows = Math.max(...groups.map((ids) => ids.length));
  const places = placesOf(groups, rows);
  const width = groups.length * (node.width + node.acrossGap) - node.acrossGap + 2 * margin;
  const height = rows * (node.height + node.downGap) - node.downGap + 2 * margin;
  return markup`<div class="scroll graph" tabindex="0"><svg width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="The tasks and what each waits for">
<defs><marker id="tip" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" markerHeight="8" orient="auto"><path d="M0 0 8 4 0 8z"/></marker></defs>
${tasks.map((task) => linesTo(task, places))}${tasks.map((task) => nodeOf(task, { places, standing: standing(task) }))}</svg></div>`;
}

/** Shorter columns stand in the middle. */
function placesOf(
  groups: readonly (readonly string[])[],
  rows: number,
): ReadonlyMap<string, Place> {
  const step = node.height + node.downGap;
  return new Map(
    groups.flatMap((ids, column) =>
      ids.map((id, row) => {
        const x = margin + column * (node.width + node.acrossGap);
        return [id, { x, y: margin + (row + (rows - ids.length) / 2) * step }] as const;
      }),
    ),
  );
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

function nodeOf(
  { id, title }: Task,
  given: { readonly places: ReadonlyMap<string, Place>; readonly standing: TaskStanding },
): Markup | null {
  const place = given.places.get(id);
  if (place === undefined) return null;
  const { tone, mark, word } = given.standing;
  const lines = wrapAnsi(oneLine(title), 30, { hard: true }).split('\n');
  const [first = '', second = '', ...more] = lines;
  return markup`<a href="#task-${id}" class="${tone}"><title>${id}: ${title} (${word})</title><g transform="translate(${place.x} ${place.y})"><rect width="${node.width}" height="${node.height}" rx="6"/><text class="name" x="10" y="20">${mark} ${id} · ${word}</text><text x="10" y="38">${first}</text><text x="10" y="54">${second}${more.length > 0 ? '…' : ''}</text></g></a>\n`;
}
