// Draws the tasks of a plan in columns, with lines from the tasks that each waits for.
/** @jsxImportSource preact */
import type { GraphNode } from '../../model/document.ts';
import { parallelGroups } from '../../model/task-order.ts';
import { BadgeView } from './line-view.tsx';

const node = { width: 208, height: 76, across: 56, down: 16 };
const margin = 4;

const step = { x: node.width + node.across, y: node.height + node.down };

/** Draws the graph; each task leads to its section. Nothing for tasks that wait for each other in a circle. */
export function TaskGraph({ nodes }: { readonly nodes: readonly GraphNode[] }) {
  const groups = parallelGroups(nodes.map(({ id, after }) => ({ id, depends_on: [...after] })));
  const places = new Map(
    groups.flatMap((ids, column) =>
      ids.map(
        (id, row) => [id, { x: margin + column * step.x, y: margin + row * step.y }] as const,
      ),
    ),
  );
  const rows = Math.max(...groups.map((ids) => ids.length));
  const width = groups.length * step.x - node.across + 2 * margin;
  const height = rows * step.y - node.down + 2 * margin;
  /** A line from the right of one task to the left of another. */
  const curve = (need: string, id: string) => {
    const [from, to] = [places.get(need), places.get(id)];
    if (from === undefined || to === undefined) return undefined;
    const [x, y, toY] = [from.x + node.width, from.y + node.height / 2, to.y + node.height / 2];
    const middle = (x + to.x) / 2;
    return `M${x} ${y}C${middle} ${y} ${middle} ${toY} ${to.x - 2} ${toY}`;
  };
  return groups.length === 0 ? null : (
    <nav class="graph wide" tabIndex={0} aria-label="The tasks and what each waits for">
      <svg width={width} height={height} viewBox={`0 0 ${width} ${height}`}>
        {nodes.map(({ id, title, after, status }) => (
          <g key={id}>
            {after.map((need) => (
              <path key={need} d={curve(need, id)} />
            ))}
            <foreignObject {...places.get(id)} width={node.width} height={node.height}>
              <a href={`#${id}`}>
                <span class="id">
                  {id} {status === null ? null : <BadgeView badge={status} />}
                </span>
                {title}
              </a>
            </foreignObject>
          </g>
        ))}
      </svg>
    </nav>
  );
}
