import type { ContextPackage } from '../../model/context-package.ts';
import type { Plan } from '../../model/plan.ts';
import type { SolutionTask } from '../../model/proposal.ts';
import { ancestry, topologicalOrder } from '../../model/task-order.ts';
import type { Task } from '../../model/task.ts';
import { oneLine, sentence } from '../../model/wording.ts';
import { areMentioned, topicsIn } from '../topic-words.ts';

/**
 * Puts back what the agent left out of the context package: key points and task dependencies of
 * the solution, constraints, milestones, execution flow. Nothing is added that is not in there.
 */
export function keepFromPackage({
  plan,
  tasks,
  contextPackage,
}: {
  readonly plan: Plan;
  readonly tasks: readonly Task[];
  readonly contextPackage: ContextPackage;
}): { readonly plan: Plan; readonly tasks: readonly Task[] } {
  const { tasks: solutionTasks, milestones } = contextPackage.implementation_plan;
  const byOrigin = tasksByOrigin(solutionTasks, tasks);
  const keep = { tasks: keepDependencies({ tasks, solutionTasks, byOrigin }), solutionTasks };
  const { tasks: complete, homeless } = keepKeyPoints({ ...keep, byOrigin });
  const flow = plan.execution_flow?.trim() ?? '';
  return {
    plan: {
      ...plan,
      shared_context: {
        dependencies: contextPackage.dependencies,
        ...plan.shared_context,
        ...(homeless.length === 0 ? {} : { key_points: homeless }),
      },
      constraints: [...new Set([...(plan.constraints ?? []), ...contextPackage.constraints])],
      execution_flow: namesTasks(flow, tasks) ? flow : flowOf(contextPackage, byOrigin),
      milestones: plan.milestones?.length ? plan.milestones : milestones,
      ...(contextPackage.uncertainty === null ? {} : { uncertainty: contextPackage.uncertainty }),
    },
    tasks: complete,
  };
}

type ByOrigin = ReadonlyMap<string, readonly string[]>;

/**
 * Which tasks of a plan carry out which task of the solution, by the solution’s id. Goes by
 * `source.original_id`, else by equal ids, else by equal numbers where both lists have as many.
 * Empty where none of it fits: nothing is guessed from wording.
 */
export function tasksByOrigin(
  solutionTasks: readonly SolutionTask[],
  tasks: readonly Task[],
): ByOrigin {
  const origins = [...new Set(solutionTasks.map(({ id }) => id))];
  for (const originsOf of [statedOrigins, ({ id }: Task) => [id]]) {
    const pairs = tasks.flatMap((task) =>
      originsOf(task).map((origin) => ({ origin, id: task.id })),
    );
    const known = pairs.filter(({ origin }) => origins.includes(origin));
    if (known.length > 0) return grouped(known);
  }
  const byNumber = new Map(tasks.map(({ id }) => [numberIn(id), id]));
  const pairs = origins.flatMap((origin) => {
    const id = byNumber.get(numberIn(origin));
    return id === undefined ? [] : [{ origin, id }];
  });
  const fits = pairs.length === tasks.length && pairs.length === origins.length;
  return grouped(fits ? pairs : []);
}

function statedOrigins({ source }: Task): readonly string[] {
  return source?.original_id?.match(/T\d{1,3}/g) ?? [];
}

function numberIn(id: string): number {
  return Number(/\d+$/.exec(id)?.[0] ?? Number.NaN);
}

function grouped(pairs: readonly { readonly origin: string; readonly id: string }[]): ByOrigin {
  const groups = Map.groupBy(pairs, ({ origin }) => origin);
  return new Map([...groups].map(([origin, group]) => [origin, group.map(({ id }) => id)]));
}

/** A flow of other ids, such as "1 → 2", says nothing of this plan. */
function namesTasks(flow: string, tasks: readonly Task[]): boolean {
  const words = new Set(flow.match(/[\p{L}\p{N}_-]+/gu));
  return tasks.some(({ id }) => words.has(id));
}

function flowOf({ implementation_plan: { execution_flow } }: ContextPackage, byOrigin: ByOrigin) {
  return execution_flow.replaceAll(/\bT\d{1,3}\b/g, (origin) => {
    const [id, ...more] = byOrigin.get(origin) ?? [origin];
    return more.length === 0 ? `${id}` : `(${[id, ...more].join(', ')})`;
  });
}

interface Keep {
  readonly tasks: readonly Task[];
  readonly solutionTasks: readonly SolutionTask[];
  readonly byOrigin: ByOrigin;
}

/**
 * Adds what a task of the solution waits for where the tasks that carry it out do not wait for
 * it yet. The agent’s own order wins: an addition that contradicts it is left out, and all of
 * them where they would make a circle together.
 */
function keepDependencies({ tasks, solutionTasks, byOrigin }: Keep): readonly Task[] {
  const comesAfter = ancestry(tasks);
  if (comesAfter === null) return tasks;
  const isOrdered = (task: string, other: string) =>
    task === other || comesAfter(task, other) || comesAfter(other, task);
  const pairs = solutionTasks.flatMap(({ id, depends_on: needs }) =>
    (byOrigin.get(id) ?? []).flatMap((task) =>
      needs
        .flatMap((need) => byOrigin.get(need) ?? [])
        .filter((other) => !isOrdered(task, other))
        .map((other) => ({ task, other })),
    ),
  );
  const added = Map.groupBy(pairs, ({ task }) => task);
  const linked = tasks.map((task) => {
    const more = added.get(task.id)?.map(({ other }) => other) ?? [];
    return { ...task, depends_on: [...new Set([...task.depends_on, ...more])] };
  });
  return topologicalOrder(linked).ok ? linked : tasks;
}

/** A key point that no task mentions joins its task’s description; without one, the plan. */
function keepKeyPoints({ tasks, solutionTasks, byOrigin }: Keep): {
  readonly tasks: readonly Task[];
  readonly homeless: readonly string[];
} {
  const topics = topicsIn(tasks);
  const dropped = solutionTasks.flatMap(({ id, key_point: point }) =>
    point === null || areMentioned(point, topics) ? [] : [{ id, point: oneLine(point) }],
  );
  return {
    tasks: tasks.map((task) => {
      const own = dropped.filter(({ id }) => byOrigin.get(id)?.includes(task.id) === true);
      const lines = own.map(({ point }) => `Key point: ${sentence(point)}`);
      return lines.length === 0
        ? task
        : { ...task, description: [`${task.description}\n`, ...lines].join('\n') };
    }),
    homeless: dropped.filter(({ id }) => !byOrigin.has(id)).map(({ point }) => point),
  };
}
