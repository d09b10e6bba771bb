import type { Plan } from '../../../model/plan.ts';
import type { Task } from '../../../model/task.ts';
import { parallelGroups, topologicalOrder } from '../../../model/task-order.ts';
import { flowChains } from '../check-flow.ts';
import type { PlanFiles } from './plan-files.ts';

/**
 * Brings everything that follows from the tasks in line with them: list and count of ids, an
 * execution flow that names them, parallel groups where tasks have such numbers. The tasks stay
 * in the order given, moved only where a dependency demands it.
 */
export function reordered(before: PlanFiles, tasks: readonly Task[]): PlanFiles {
  const sorted = inOrder(tasks);
  const ids = sorted.map(({ id }) => id);
  const flow = flowOf(before, sorted);
  const plan: Plan = { ...before.plan, task_ids: ids, task_count: ids.length };
  return {
    plan: flow === undefined ? plan : { ...plan, execution_flow: flow },
    tasks: regrouped(sorted),
  };
}

/** Tasks that wait for each other in a circle stay as they are, for the rules to name. */
function inOrder(tasks: readonly Task[]): readonly Task[] {
  const order = topologicalOrder(tasks);
  if (!order.ok) return tasks;
  const place = new Map(order.value.map((id, index) => [id, index]));
  return tasks.toSorted((a, b) => (place.get(a.id) ?? 0) - (place.get(b.id) ?? 0));
}

/** Prose that is no plain chain of ids is a person’s or an agent’s own: it stays. */
function flowOf({ plan, tasks: earlier }: PlanFiles, tasks: readonly Task[]): string | undefined {
  const { execution_flow: flow } = plan;
  const known = new Set(earlier.map(({ id }) => id));
  if (flow === undefined || flowChains(flow, known).length === 0) return flow;
  const unchanged = shapeOf(earlier) === shapeOf(tasks);
  return unchanged ? flow : parallelGroups(tasks).map(stage).join(' → ');
}

function shapeOf(tasks: readonly Task[]): string {
  return JSON.stringify(tasks.map(({ id, depends_on: needs }) => [id, needs]));
}

function stage(ids: readonly string[]): string {
  return ids.length === 1 ? ids.join('') : `(${ids.join(', ')})`;
}

function regrouped(tasks: readonly Task[]): readonly Task[] {
  if (tasks.every((task) => task.parallel_group === undefined)) return tasks;
  const groups = parallelGroups(tasks);
  const numbers = new Map(
    groups.flatMap((ids, index) => ids.map((id) => [id, index + 1] as const)),
  );
  return tasks.map((task) => {
    const group = numbers.get(task.id);
    return group === undefined ? task : { ...task, parallel_group: group };
  });
}
