import type { ContextPackage } from '../../model/context-package.ts';
import type { ImplementationPlan, SolutionTask } from '../../model/proposal.ts';
import { ancestry, flowChains, tasksInOrder, topologicalOrder } from '../../model/task-order.ts';
import type { Task } from '../../model/task.ts';
import { oneLine, sentence } from '../../model/wording.ts';
import { areMentioned, topicsIn } from '../topic-words.ts';
import type { PlanFiles } from './editing/task-edits.ts';

/**
 * Puts into a plan what its planner left out of the context package: constraints, milestones,
 * execution flow, and the key points and dependencies of the solution's tasks.
 */
export function keepFromPackage(
  { plan, tasks }: PlanFiles,
  contextPackage: ContextPackage,
): PlanFiles {
  const { implementation_plan: solution, constraints, dependencies, uncertainty } = contextPackage;
  const byOrigin = tasksByOrigin(solution.tasks, tasks);
  const flow = plan.execution_flow?.trim() ?? '';
  const words = new Set(flow.match(/[\p{L}\p{N}_-]+/gu));
  // A flow of other ids, such as "1 → 2", says nothing of this plan.
  const namesTasks = tasks.some(({ id }) => words.has(id));
  return {
    plan: {
      ...plan,
      shared_context: { dependencies, ...plan.shared_context },
      constraints: [...new Set([...(plan.constraints ?? []), ...constraints])],
      execution_flow: namesTasks ? flow : flowOf(solution, byOrigin),
      milestones: plan.milestones?.length ? plan.milestones : solution.milestones,
      ...(uncertainty === null ? {} : { uncertainty }),
    },
    tasks: keepKeyPoints(keepDependencies(tasks, solution), { solution, byOrigin }),
  };
}

type ByOrigin = ReturnType<typeof tasksByOrigin>;

function flowOf({ execution_flow: flow }: ImplementationPlan, byOrigin: ByOrigin): string {
  return flow.replaceAll(/\bT\d{1,3}\b/g, (origin) => {
    const ids = byOrigin.get(origin) ?? [origin];
    return ids.length === 1 ? ids.join('') : `(${ids.join(', ')})`;
  });
}

/** The agent’s own order wins, and nothing is added where all of it would make a circle together. */
function keepDependencies(tasks: readonly Task[], solution: ImplementationPlan): readonly Task[] {
  const missing = unmetNeeds(solution, tasks).filter(({ isTurned }) => !isTurned);
  const added = Map.groupBy(missing, ({ task }) => task);
  const linked = tasks.map((task) => {
    const more = added.get(task.id)?.map(({ other }) => other) ?? [];
    return { ...task, depends_on: [...new Set([...task.depends_on, ...more])] };
  });
  return topologicalOrder(linked).ok ? linked : tasks;
}

/** A key point that no task mentions joins the description of the tasks that carry it out. */
function keepKeyPoints(
  tasks: readonly Task[],
  { solution, byOrigin }: { readonly solution: ImplementationPlan; readonly byOrigin: ByOrigin },
): readonly Task[] {
  const topics = topicsIn(tasks);
  const dropped = solution.tasks.flatMap(({ id, key_point: point }) =>
    point === null || areMentioned(point, topics) ? [] : [{ id, point: sentence(oneLine(point)) }],
  );
  return tasks.map((task) => {
    const own = dropped.filter(({ id }) => byOrigin.get(id)?.includes(task.id));
    const lines = own.map(({ point }) => `Key point: ${point}`);
    if (lines.length === 0) return task;
    return { ...task, description: [`${task.description}\n`, ...lines].join('\n') };
  });
}

/**
 * The tasks of the solution, each after what it depends on. One that names no dependency waits for
 * what the execution flow puts right before it, unless that makes a circle with the others.
 */
export function orderedSolution({
  tasks,
  execution_flow: flow,
}: ImplementationPlan): readonly SolutionTask[] {
  const stages = flowChains(flow, new Set(tasks.map(({ id }) => id))).flatMap((chain) =>
    chain.flatMap((ids, index) => ids.map((id) => ({ id, before: chain[index - 1] ?? [] }))),
  );
  const byId = Map.groupBy(stages, ({ id }) => id);
  const waiting = tasks.map((task) => {
    const before = (byId.get(task.id) ?? []).flatMap((stage) => stage.before);
    return task.depends_on.length > 0 ? task : { ...task, depends_on: before };
  });
  return tasksInOrder(topologicalOrder(waiting).ok ? waiting : tasks);
}

/** A task of the plan that does not wait for another one, though in the solution it has to. */
interface UnmetNeed {
  readonly task: string;
  readonly other: string;
  /** The tasks of the solution that the two carry out. */
  readonly origin: string;
  readonly need: string;
  /** The plan has it the other way round. */
  readonly isTurned: boolean;
}

export function unmetNeeds(
  solution: ImplementationPlan,
  tasks: readonly Task[],
): readonly UnmetNeed[] {
  const comesAfter = ancestry(tasks);
  if (comesAfter === null) return [];
  const byOrigin = tasksByOrigin(solution.tasks, tasks);
  return orderedSolution(solution).flatMap(({ id: origin, depends_on: needs }) =>
    needs.flatMap((need) =>
      (byOrigin.get(origin) ?? []).flatMap((task) =>
        (byOrigin.get(need) ?? [])
          .filter((other) => other !== task && !comesAfter(task, other))
          .map((other) => ({ task, other, origin, need, isTurned: comesAfter(other, task) })),
      ),
    ),
  );
}

/**
 * Which tasks of a plan carry out which task of the solution, by the solution’s id. Goes by
 * `source.original_id`, else by equal ids, else by equal numbers where both lists have as many.
 * Empty where none of it fits: nothing is guessed from wording.
 */
export function tasksByOrigin(
  solutionTasks: readonly SolutionTask[],
  tasks: readonly Task[],
): ReadonlyMap<string, readonly string[]> {
  const origins = new Set(solutionTasks.map(({ id }) => id));
  const pairsBy = (originsOf: (task: Task) => readonly string[]) =>
    tasks.flatMap((task) =>
      originsOf(task).flatMap((origin) => (origins.has(origin) ? [{ origin, id: task.id }] : [])),
    );
  const byNumber = new Map([...origins].map((origin) => [numberIn(origin), origin]));
  const numbered = pairsBy(({ id }) => [byNumber.get(numberIn(id)) ?? '']);
  const isOneToOne =
    tasks.length === origins.size &&
    new Set(numbered.map(({ origin }) => origin)).size === origins.size;
  const stated = pairsBy(statedOrigins);
  const equal = pairsBy(({ id }) => [id]);
  const pairs = [stated, equal, isOneToOne ? numbered : []].find(({ length }) => length > 0) ?? [];
  const groups = Map.groupBy(pairs, ({ origin }) => origin);
  return new Map([...groups].map(([origin, group]) => [origin, group.map(({ id }) => id)]));
}

function statedOrigins({ source }: Task): readonly string[] {
  return source?.original_id?.match(/T\d{1,3}/g) ?? [];
}

function numberIn(id: string): number {
  return Number(/\d+$/.exec(id)?.[0] ?? Number.NaN);
}
