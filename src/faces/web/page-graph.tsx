// Draws the tasks of a plan in columns, with lines from the tasks that each waits for.
/** @jsxImportSource preact */
import type { GraphNode } from '../../model/document.ts';
import { parallelGroups } from '../../model/task-order.ts';
import { BadgeView } from './line-view.tsx';

const node = { width: 208, height: 76, across: 56, down: 16 };
const margin = 4;

interface Place {
  readonly x: number;
  readonly y: number;
}

/** Draws the graph; each task leads to its section. Nothing for tasks that wait for each other in a circle. */
export function TaskGraph({ nodes }: { readonly nodes: readonly GraphNode[] }) {
  const groups = parallelGroups(nodes.map(({ id, after }) => ({ id, depends_on: [...after] })));
  const places = new Map(
    groups.flatMap((ids, column) => ids.map((id, row) => [id, placeAt(column, row)] as const)),
  );
  const { x, y } = placeAt(groups.length - 1, Math.max(0, ...groups.map((ids) => ids.length)) - 1);
  const [width, height] = [x + node.width + margin, y + node.height + margin];
  if (groups.length === 0) return null;
  return (
    <nav class="graph wide" tabIndex={0} aria-label="The tasks and what each waits for">
      <svg width={width} height={height} viewBox={`0 0 ${width} ${height}`}>
        {nodes.flatMap(({ id, after }) =>
          after.map((need) => (
            <path key={`${need} ${id}`} d={curve(places.get(need), places.get(id))} />
          )),
        )}
        {nodes.map((one) => (
          <foreignObject
            key={one.id}
            {...places.get(one.id)}
            width={node.width}
            height={node.height}
          >
            <a href={`#${one.id}`}>
              <span class="id">
                {one.id} {one.status === null ? null : <BadgeView badge={one.status} />}
              </span>
              {one.title}
            </a>
          </foreignObject>
        ))}
      </svg>
    </nav>
  );
}

function placeAt(column: number, row: number): Place {
  return {
    x: margin + column * (node.width + node.across),
    y: margin + row * (node.height + node.down),
  };
}

/** A line from the right of one task to the left of another. */
function curve(from: Place | undefined, to: Place | undefined): string {
  if (from === undefined || to === undefined) return '';
  const [x, y, toY] = [from.x + node.width, from.y + node.height / 2, to.y + node.height / 2];
  const middle = (x + to.x) / 2;
  return `M${x} ${y}C${middle} ${y} ${middle} ${toY} ${to.x - 2} ${toY}`;
}
