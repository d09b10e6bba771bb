// Splits a planning agent's answer into plan and task files, and notes what it left out of the solution.
import type { ContextPackage } from '../../model/context-package.ts';
import { type Finding, blockingFinding } from '../../model/finding.ts';
import { TaskId } from '../../model/ids.ts';
import { nameOf, taskFile } from '../../model/plan-rules.ts';
import type { Plan, PlanAnswer, PlanFiles } from '../../model/plan.ts';
import type { ImplementationPlan } from '../../model/proposal.ts';
import type { Task } from '../../model/task.ts';
import { ancestry, executionFlow, tasksInOrder, topologicalOrder } from '../../model/task-order.ts';
import { withoutRuntime } from './approval.ts';
import { originsOf } from './check-plan.ts';

/**
 * Splits a planning agent’s answer into `plan.json` and the task files. Ids that could not be file
 * names, or that an earlier task has, are replaced. What an agent has no right to set is dropped,
 * and what it left out of the solution’s dependencies and of the overview is put back.
 */
export function splitAnswer({
  answer,
  contextPackage,
  now,
  planner,
  earlier = null,
}: {
  readonly answer: PlanAnswer;
  readonly contextPackage: ContextPackage;
  readonly now: Date;
  /** The agent that gave the answer. */
  readonly planner?: string;
  /** The version before as it stands on disk; null for a first plan. */
  readonly earlier?: PlanFiles | null;
}): PlanFiles & { readonly findings: readonly Finding[] } {
  const ids = safeIds(answer);
  const renamed = answer.tasks.map(({ id }, at): [string, string] => [id, ids[at] ?? id]);
  // Of two tasks with one id, the first is meant by what depends on it.
  const byOld = new Map(renamed.toReversed());
  const split = answer.tasks.map((task, at) => ({
    // Status and result belong to execution; the package’s place belongs to us.
    ...withoutRuntime(task),
    id: ids[at] ?? task.id,
    depends_on: [...new Set(task.depends_on.map((need) => byOld.get(need) ?? need))],
    context_package_path: 'context-package.json',
  }));
  const tasks = tasksInOrder(withNeeds(split, contextPackage.implementation_plan));
  const removed = earlier?.plan.removed_tasks;
  const overview = {
    ...answer.plan,
    // Tasks that a person took out stay out, whatever the planner knows of them.
    ...(removed === undefined ? {} : { removed_tasks: removed }),
    tasks: undefined,
    _metadata: {
      timestamp: now.toISOString(),
      source: 'cli-lite-planning-agent',
      ...(planner === undefined ? {} : { planner }),
      plan_type: 'collaborative',
      planning_mode: 'agent-based',
      schema_version: '2.0',
    },
  } as const;
  const plan = completePlan(overview, tasks, contextPackage);
  return { plan, tasks, findings: twinFindings(answer, ids) };
}

function safeIds({ tasks }: PlanAnswer): readonly string[] {
  // Also ids that only a reference names: a new id must not become what it pointed at.
  const taken = new Set(tasks.flatMap(({ id, depends_on: needs }) => [id, ...needs]).map(folded));
  const given = new Set<string>();
  return tasks.map(({ id }) => {
    const keeps = TaskId.safeParse(id).success && !given.has(folded(id));
    const name = keeps ? id : nextFree(taken);
    given.add(folded(name));
    taken.add(folded(name));
    return name;
  });
}

function nextFree(taken: ReadonlySet<string>): string {
  for (let number = 1; ; number += 1) {
    const id = `TASK-${String(number).padStart(3, '0')}`;
    if (!taken.has(folded(id))) return id;
  }
}

function folded(id: string): string {
  return id.toLowerCase();
}

/** Can no longer be seen once the answer is split. */
function twinFindings({ tasks }: PlanAnswer, ids: readonly string[]): readonly Finding[] {
  const seen = tasks.map(({ id }) => folded(id));
  return tasks.flatMap(({ id }, at) => {
    if (seen.indexOf(folded(id)) === at) return [];
    const name = ids[at] ?? id;
    const message = `The answer used the id ${nameOf(id)} twice; the second task is now ${name}, so check which of them each depends_on means.`;
    const place = { file: taskFile(name), pointer: '/id' };
    return [blockingFinding({ ...place, rule: 'task-id-duplicate', message })];
  });
}

/** The dependencies of the solution that a planner left out, unless they make a circle with its own. */
function withNeeds(tasks: readonly Task[], solution: ImplementationPlan): readonly Task[] {
  const comesAfter = ancestry(tasks);
  const carryingOut = (origin: string) => tasks.filter((task) => originsOf(task).includes(origin));
  const needsOf = new Map(solution.tasks.map(({ id, depends_on: needs }) => [id, needs]));
  const linked = tasks.map((task) => {
    const missing = originsOf(task)
      .flatMap((origin) => needsOf.get(origin) ?? [])
      .flatMap(carryingOut)
      .map(({ id }) => id)
      .filter((id) => id !== task.id && comesAfter?.(task.id, id) === false);
    return { ...task, depends_on: [...new Set([...task.depends_on, ...missing])] };
  });
  return topologicalOrder(linked).ok ? linked : tasks;
}

/** A plan without what follows from its tasks. */
export type Overview = Partial<Plan> & Pick<Plan, 'summary' | 'approach' | '_metadata'>;

/** The plan with what follows from its tasks, and with what the context package says. */
export function completePlan(
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
