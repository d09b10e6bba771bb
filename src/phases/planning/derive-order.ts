import type { SolutionTask } from '../../model/proposal.ts';
import { tidyPath } from '../../model/repository-path.ts';
import { type OrderedTask, ancestry, topologicalOrder } from '../../model/task-order.ts';
import { flowChains } from './check-flow.ts';

/** A task of the solution with its place in the plan. */
export interface PlacedTask {
  readonly id: string;
  readonly origin: SolutionTask;
  readonly dependsOn: readonly string[];
}

/**
 * Puts the solution’s tasks in order: dependencies first, then the execution flow, then as
 * listed. Two tasks that touch one file are made to wait for each other, and a task without
 * dependencies waits for what the flow puts right before it. Dependencies that lead nowhere or
 * in a circle stay as they are, for the plan check to name.
 */
export function placeTasks(solutionTasks: readonly SolutionTask[], flow: string): PlacedTask[] {
  const stated = solutionTasks.map((task, index) => ({
    id: String(index),
    depends_on: task.depends_on.flatMap((need) => keysOf(solutionTasks, need)),
  }));
  const { order, flowNeeds } = orderOf(stated, flowEdges(solutionTasks, flow));
  const ids = new Map(order.map((key, index) => [key, taskId(index + 1)]));
  const placed = order.flatMap((key) => {
    const origin = solutionTasks[Number(key)];
    if (origin === undefined) return [];
    const needs =
      origin.depends_on.length > 0
        ? origin.depends_on.flatMap((need) => idsOf(keysOf(solutionTasks, need), ids) ?? [need])
        : (idsOf(flowNeeds.get(key) ?? [], ids) ?? []);
    return [{ id: ids.get(key) ?? key, origin, dependsOn: [...new Set(needs)] }];
  });
  return queueForFiles(placed);
}

function taskId(number: number): string {
  return `TASK-${String(number).padStart(3, '0')}`;
}

/** The solution may use one id twice; whoever depends on it then waits for both. */
function keysOf(solutionTasks: readonly SolutionTask[], id: string): readonly string[] {
  return solutionTasks.flatMap((task, index) => (task.id === id ? [String(index)] : []));
}

/** Null where no key has a task, so that the caller can keep what was written. */
function idsOf(
  keys: readonly string[],
  ids: ReadonlyMap<string, string>,
): readonly string[] | null {
  const found = keys.flatMap((key) => ids.get(key) ?? []);
  return found.length === 0 ? null : found;
}

type Needs = ReadonlyMap<string, readonly string[]>;

function flowEdges(solutionTasks: readonly SolutionTask[], flow: string): Needs {
  const known = new Set(solutionTasks.map(({ id }) => id));
  const needs = new Map<string, string[]>();
  for (const stages of flowChains(flow, known)) {
    for (const [index, stage] of stages.entries()) {
      const before = (stages[index - 1] ?? []).flatMap((id) => keysOf(solutionTasks, id));
      for (const key of stage.flatMap((id) => keysOf(solutionTasks, id))) {
        needs.set(key, [...(needs.get(key) ?? []), ...before]);
      }
    }
  }
  return needs;
}

/** A flow that contradicts the dependencies is left aside. */
function orderOf(
  stated: readonly OrderedTask[],
  flowNeeds: Needs,
): { readonly order: readonly string[]; readonly flowNeeds: Needs } {
  const joined = topologicalOrder(
    stated.map(({ id, depends_on: needs }) => ({
      id,
      depends_on: [...needs, ...(flowNeeds.get(id) ?? [])],
    })),
  );
  if (joined.ok) return { order: joined.value, flowNeeds };
  const plain = topologicalOrder(stated);
  const listed = stated.map(({ id }) => id);
  return { order: plain.ok ? plain.value : listed, flowNeeds: new Map() };
}

/** Tasks that touch one file must not run at once: each waits for the one before it. */
function queueForFiles(placed: readonly PlacedTask[]): PlacedTask[] {
  const comesAfter = ancestry(
    placed.map(({ id, dependsOn }) => ({ id, depends_on: [...dependsOn] })),
  );
  const lastToTouch = new Map<string, string>();
  return placed.map((task) => {
    const paths = new Set(task.origin.files.map(({ file }) => tidyPath(file)));
    const before = [...paths].flatMap((path) => lastToTouch.get(path) ?? []);
    for (const path of paths) lastToTouch.set(path, task.id);
    const added = before.filter((other) => comesAfter === null || !comesAfter(task.id, other));
    return { ...task, dependsOn: [...new Set([...task.dependsOn, ...added])] };
  });
}
