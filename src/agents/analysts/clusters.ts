import { folderOf } from '../../git/paths.ts';
import type { Target } from './targets.ts';

/** Files that change together: one folder, or one imports the other. */
export interface Cluster {
  readonly targets: readonly Target[];
  /** Clusters that this one imports; they stand earlier in the list. */
  readonly needs: readonly Cluster[];
}

/** Groups the targets and puts what is imported before what imports it. */
export function clustersOf(targets: readonly Target[]): readonly Cluster[] {
  const groups: (readonly Target[])[] = [
    ...Map.groupBy(targets, ({ path }) => folderOf(path)).values(),
  ];
  const waiting = new Set(groups);
  const done: { group: readonly Target[]; cluster: Cluster }[] = [];
  while (waiting.size > 0) {
    const next = nextOf(waiting);
    waiting.delete(next);
    const needs = done.filter(({ group }) => imports(next, group)).map(({ cluster }) => cluster);
    done.push({ group: next, cluster: { targets: next, needs } });
  }
  return done.map(({ cluster }) => cluster);
}

/** The first group that needs none of the others; in a circle simply the first. */
function nextOf(waiting: ReadonlySet<readonly Target[]>): readonly Target[] {
  const groups = [...waiting];
  const free = groups.find((one) => !groups.some((other) => other !== one && imports(one, other)));
  return free ?? groups[0] ?? [];
}

function imports(one: readonly Target[], other: readonly Target[]): boolean {
  const paths = new Set(other.map(({ path }) => path));
  return one.some((target) => target.imports.some((edge) => paths.has(edge.target)));
}
