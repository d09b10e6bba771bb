import type { ContextPackage } from '../../model/context-package.ts';
import type { ImplementationPlan } from '../../model/proposal.ts';
import type { Plan } from '../../model/plan.ts';
import type { Task } from '../../model/task.ts';
import { ancestry, executionFlow, tasksInOrder, topologicalOrder } from '../../model/task-order.ts';
import { sentence } from '../../model/wording.ts';
import { areMentioned, topicsIn } from '../topic-words.ts';

/** Which tasks of the solution a task says that it carries out, e.g. `T1` and `T3`. */
export function originsOf({
  source,
}: {
  readonly source?: { readonly original_id?: string | undefined } | undefined;
}): readonly string[] {
  return source?.original_id?.match(/T\d{1,3}/g) ?? [];
}

/** A plan without what follows from its tasks. */
export type Overview = Pick<
  Plan,
  | 'summary'
  | 'approach'
  | 'complexity'
  | 'design_decisions'
  | 'constraints'
  | 'milestones'
  | 'shared_context'
  | '_metadata'
>;

/** The plan with what follows from its tasks, and with what the context package says. */
export function completedPlan(
  plan: Overview,
  tasks: readonly Task[],
  { implementation_plan: solution, constraints, dependencies, uncertainty }: ContextPackage,
): Plan {
  const ids = tasksInOrder(tasks).map(({ id }) => id);
  return {
    ...plan,
    task_ids: ids,
    task_count: ids.length,
    execution_flow: executionFlow(tasks),
    shared_context: { dependencies, ...plan.shared_context },
    constraints: [...new Set([...(plan.constraints ?? []), ...constraints])],
    milestones: plan.milestones?.length ? plan.milestones : solution.milestones,
    ...(uncertainty === null ? {} : { uncertainty }),
  };
}

/**
 * The tasks of a planner with what it left out of the solution: key points, and dependencies, unless
 * these make a circle with its own.
 */
export function withSolution(
  tasks: readonly Task[],
  solution: ImplementationPlan,
): readonly Task[] {
  const whole = tasks.map((task) => withKeyPoints(task, solution));
  const linked = withNeeds(whole, solution);
  return topologicalOrder(linked).ok ? linked : whole;
}

function withKeyPoints(task: Task, solution: ImplementationPlan): Task {
  const origins = originsOf(task);
  const lines = solution.tasks
    .filter(({ id }) => origins.includes(id))
    .flatMap(({ key_point: point }) => point ?? [])
    .filter((point) => !areMentioned(point, topicsIn(task)))
    .map((point) => `Key point: ${sentence(point)}`);
  if (lines.length === 0) return task;
  return { ...task, description: [`${task.description}\n`, ...lines].join('\n') };
}

function withNeeds(tasks: readonly Task[], solution: ImplementationPlan): readonly Task[] {
  const comesAfter = ancestry(tasks);
  const carryingOut = (origin: string) => tasks.filter((task) => originsOf(task).includes(origin));
  const needsOf = new Map(solution.tasks.map(({ id, depends_on: needs }) => [id, needs]));
  return tasks.map((task) => {
    const missing = originsOf(task)
      .flatMap((origin) => needsOf.get(origin) ?? [])
      .flatMap(carryingOut)
      .map(({ id }) => id)
      .filter((id) => id !== task.id && comesAfter?.(task.id, id) === false);
    return { ...task, depends_on: [...new Set([...task.depends_on, ...missing])] };
  });
}
