import type { ContextPackage } from '../../model/context-package.ts';
import type { Plan } from '../../model/plan.ts';
import type { Task } from '../../model/task.ts';
import { ancestry, topologicalOrder } from '../../model/task-order.ts';
import { oneLine, sentence } from '../../model/wording.ts';
import { tasksByOrigin } from './task-mapping.ts';
import { mentions, significantWords, textIn } from './mentions.ts';

interface Made {
  readonly plan: Plan;
  readonly tasks: readonly Task[];
}

/**
 * Puts back what the agent left out of the context package: key points and task dependencies of
 * the solution, constraints, milestones, execution flow. Nothing is added that is not in there.
 */
export function keepFromPackage({
  plan,
  tasks,
  contextPackage,
}: Made & { readonly contextPackage: ContextPackage }): Made {
  const {
    tasks: solutionTasks,
    execution_flow: flow,
    milestones,
  } = contextPackage.implementation_plan;
  const byOrigin = tasksByOrigin(solutionTasks, tasks);
  const linked = keepDependencies({ tasks, contextPackage, byOrigin });
  const { tasks: told, homeless } = keepKeyPoints({ tasks: linked, contextPackage, byOrigin });
  return {
    plan: {
      ...plan,
      shared_context: keepShared(plan.shared_context ?? {}, contextPackage, homeless),
      constraints: [...new Set([...(plan.constraints ?? []), ...contextPackage.constraints])],
      execution_flow: filled(plan.execution_flow) ?? inTaskIds(flow, byOrigin),
      milestones: (plan.milestones ?? []).length === 0 ? milestones : (plan.milestones ?? []),
      ...(contextPackage.uncertainty === null ? {} : { uncertainty: contextPackage.uncertainty }),
    },
    tasks: told,
  };
}

function inTaskIds(flow: string, byOrigin: ReadonlyMap<string, readonly string[]>): string {
  return flow.replaceAll(/\bT\d{1,3}\b/g, (origin) => {
    const [id, ...more] = byOrigin.get(origin) ?? [origin];
    return more.length === 0 ? `${id}` : `(${[id, ...more].join(', ')})`;
  });
}

function filled(text: string | undefined): string | undefined {
  return text === undefined || text.trim() === '' ? undefined : text;
}

function keepShared(
  shared: NonNullable<Plan['shared_context']>,
  { dependencies }: ContextPackage,
  keyPoints: readonly string[],
): NonNullable<Plan['shared_context']> {
  return {
    dependencies,
    ...shared,
    ...(keyPoints.length === 0 ? {} : { key_points: keyPoints }),
  };
}

interface Keep {
  readonly tasks: readonly Task[];
  readonly contextPackage: ContextPackage;
  readonly byOrigin: ReadonlyMap<string, readonly string[]>;
}

/**
 * Adds what a task of the solution waits for where the tasks that carry it out do not wait for
 * it yet. The agent’s own order wins: an addition that contradicts it is left out, and all of
 * them where they would make a circle together.
 */
function keepDependencies({ tasks, contextPackage, byOrigin }: Keep): readonly Task[] {
  const comesAfter = ancestry(tasks);
  if (comesAfter === null) return tasks;
  const added = new Map<string, Set<string>>();
  for (const { id, depends_on: needs } of contextPackage.implementation_plan.tasks) {
    for (const earlier of needs.map((need) => byOrigin.get(need) ?? [])) {
      for (const task of byOrigin.get(id) ?? []) {
        if (
          earlier.some(
            (other) => task === other || comesAfter(task, other) || comesAfter(other, task),
          )
        )
          continue;
        added.set(task, new Set([...(added.get(task) ?? []), ...earlier]));
      }
    }
  }
  const linked = tasks.map((task) => {
    const more = added.get(task.id);
    return more === undefined ? task : { ...task, depends_on: [...task.depends_on, ...more] };
  });
  return topologicalOrder(linked).ok ? linked : tasks;
}

/** A key point that no task mentions joins its task’s description; without one, the plan. */
function keepKeyPoints({ tasks, contextPackage, byOrigin }: Keep): {
  readonly tasks: readonly Task[];
  readonly homeless: readonly string[];
} {
  const told = significantWords(textIn(tasks));
  const dropped = contextPackage.implementation_plan.tasks.flatMap(({ id, key_point: point }) =>
    point === null || mentions(told, point) ? [] : [{ id, point: oneLine(point) }],
  );
  const added = new Map<string, string[]>();
  for (const { id, point } of dropped) {
    for (const task of byOrigin.get(id) ?? []) added.set(task, [...(added.get(task) ?? []), point]);
  }
  return {
    tasks: tasks.map((task) => withPoints(task, added.get(task.id) ?? [])),
    homeless: dropped.filter(({ id }) => !byOrigin.has(id)).map(({ point }) => point),
  };
}

function withPoints(task: Task, points: readonly string[]): Task {
  if (points.length === 0) return task;
  const added = points.map((point) => `Key point: ${sentence(point)}`).join('\n');
  return { ...task, description: `${task.description}\n\n${added}` };
}
