// Orders tasks by their dependencies, and finds cycles and tasks that may run at once.
import type { Result } from './failure.ts';
import type { Task } from './task.ts';

/** The part of a task that decides its order. */
export type OrderedTask = Pick<Task, 'id' | 'depends_on'>;

/**
 * The ids, ordered so that each comes after what it depends on, otherwise as given. Ids without a
 * task are skipped. A cycle ends with the id that it starts with.
 */
export function topologicalOrder(
  tasks: readonly OrderedTask[],
): Result<readonly string[], { readonly cycle: readonly string[] }> {
  const walk: Walk = { needs: needsOf(tasks), done: new Set() };
  for (const id of walk.needs.keys()) {
    const cycle = visit(id, walk);
    if (cycle !== null) return { ok: false, failure: { cycle } };
  }
  return { ok: true, value: [...walk.done] };
}

/** The tasks in that order; as given if they depend on each other in a cycle. */
export function tasksInOrder<T extends OrderedTask>(tasks: readonly T[]): readonly T[] {
  const order = topologicalOrder(tasks);
  if (!order.ok) return tasks;
  const place = new Map(order.value.map((id, index) => [id, index]));
  return tasks.toSorted((a, b) => (place.get(a.id) ?? 0) - (place.get(b.id) ?? 0));
}

/** Tells whether the first task depends, directly or not, on the second; null if the tasks have a cycle. */
export function ancestry(
  tasks: readonly OrderedTask[],
): ((task: string, ancestor: string) => boolean) | null {
  if (!topologicalOrder(tasks).ok) return null;
  const needs = needsOf(tasks);
  return (task, ancestor) => {
    const reached = new Set(needs.get(task));
    for (const id of reached) {
      if (id === ancestor) return true;
      for (const need of needs.get(id) ?? []) reached.add(need);
    }
    return false;
  };
}

/** The ids in groups: each group depends only on earlier ones. Empty if there is a cycle. */
export function parallelGroups(tasks: readonly OrderedTask[]): readonly (readonly string[])[] {
  const order = topologicalOrder(tasks);
  if (!order.ok) return [];
  const needs = needsOf(tasks);
  const depth = new Map<string, number>();
  const groups: string[][] = [];
  for (const id of order.value) {
    const level = Math.max(0, ...(needs.get(id) ?? []).map((need) => (depth.get(need) ?? -1) + 1));
    depth.set(id, level);
    (groups[level] ??= []).push(id);
  }
  return groups;
}

/** The order on one line, e.g. `TASK-001 → (TASK-002, TASK-003) → TASK-004`. */
export function executionFlow(tasks: readonly OrderedTask[]): string {
  const groups = parallelGroups(tasks).map((ids) => ids.join(', '));
  return groups.map((ids) => (ids.includes(', ') ? `(${ids})` : ids)).join(' → ');
}

function needsOf(tasks: readonly OrderedTask[]): ReadonlyMap<string, readonly string[]> {
  return new Map(tasks.map(({ id, depends_on: needs }) => [id, needs]));
}

interface Walk {
  readonly needs: ReadonlyMap<string, readonly string[]>;
  /** The ids in the order in which they were finished. */
  readonly done: Set<string>;
}

/** Visits depth first with its own stack: a chain of tasks may be longer than the call stack. */
function visit(start: string, { needs, done }: Walk): readonly string[] | null {
  if (done.has(start)) return null;
  const open = new Set([start]);
  const stack = [{ id: start, rest: (needs.get(start) ?? []).values() }];
  for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
    const next = top.rest.next();
    if (next.done === true) {
      stack.pop();
      open.delete(top.id);
      done.add(top.id);
    } else if (open.has(next.value)) {
      const path = [...open];
      return [...path.slice(path.indexOf(next.value)), next.value];
    } else if (needs.has(next.value) && !done.has(next.value)) {
      open.add(next.value);
      stack.push({ id: next.value, rest: (needs.get(next.value) ?? []).values() });
    }
  }
  return null;
}
