import type { ContextPackage } from '../../model/context-package.ts';
import { TaskId } from '../../model/ids.ts';
import type { Finding } from '../../model/finding.ts';
import type { Plan, PlanAnswer } from '../../model/plan.ts';
import type { Task } from '../../model/task.ts';
import { nameOf, taskFile } from '../../model/plan-rules.ts';
import { pathProblem } from '../../model/repository-path.ts';
import { tasksInOrder, topologicalOrder } from '../../model/task-order.ts';
import { oneLine, sentence } from '../../model/wording.ts';
import { areMentioned, topicsIn } from '../topic-words.ts';
import { type PlanFiles, lastNumberOf, numberOf } from './editing/task-edits.ts';
import { withoutRuntime } from './approval.ts';
import { tasksByOrigin, unmetNeeds } from './solution-order.ts';

/**
 * Splits a planning agent’s answer into `plan.json` and the task files. Valid ids stay; others
 * are replaced, with every reference to them, so that each id can be a file name and none is that
 * of another task that is gone. What an agent has no right to set is dropped, and what it left out
 * of the context package is put back.
 * Findings name what must not be approved as it stands; `checkPlan` names the rest.
 */
export function splitAnswer({
  answer,
  contextPackage,
  now,
  earlier = null,
}: {
  readonly answer: PlanAnswer;
  readonly contextPackage: ContextPackage;
  readonly now: Date;
  /** The version before as it stands on disk; null for a first plan. */
  readonly earlier?: PlanFiles | null;
}): PlanFiles & { readonly findings: readonly Finding[] } {
  const names = safeNames(answer, earlier);
  const removed = earlier?.plan.removed_tasks;
  const tasks = answer.tasks.map((task, index) =>
    cleanTask(task, names.tasks[index] ?? task.id, names.byOld),
  );
  const plan: Plan = {
    ...answer.plan,
    execution_flow: answer.plan.execution_flow?.replaceAll(
      /[A-Za-z0-9][\w-]*/g,
      (id) => names.byOld.get(id) ?? id,
    ),
    // What a person took out stays out, whatever the planner knows of it.
    ...(removed === undefined ? {} : { removed_tasks: removed }),
    task_ids: tasks.map(({ id }) => id),
    task_count: tasks.length,
    tasks: undefined,
    _metadata: {
      timestamp: now.toISOString(),
      source: 'cli-lite-planning-agent',
      plan_type: 'collaborative',
      planning_mode: 'agent-based',
      schema_version: '2.0',
      ...(earlier === null ? {} : { last_task: lastNumberOf(earlier) }),
    },
  };
  const kept = keepFromPackage({ plan, tasks }, contextPackage);
  return {
    plan: { ...kept.plan, task_ids: tasksInOrder(kept.tasks).map(({ id }) => id) },
    tasks: kept.tasks,
    findings: answerFindings(answer, names.tasks),
  };
}

interface SafeNames {
  /** The id of each task, in the answer’s order. */
  readonly tasks: readonly string[];
  /** From the answer’s id to ours. */
  readonly byOld: ReadonlyMap<string, string>;
}

/**
 * A second task with the same id gets one of its own; references stay with the first. So does a
 * task with the number of another one that is gone.
 */
function safeNames({ tasks }: PlanAnswer, earlier: PlanFiles | null): SafeNames {
  // Also ids that only a reference names: a new id must not become what it pointed at.
  const used = tasks.flatMap(({ id, depends_on: needs }) => [id, ...needs]);
  const taken = new Set(used.map(folded));
  const given = new Set<string>();
  const byOld = new Map<string, string>();
  const present = new Set(earlier?.tasks.map(({ id }) => folded(id)));
  const last = earlier === null ? 0 : lastNumberOf(earlier);
  const names = tasks.map(({ id }) => {
    const isGone = numberOf(id) > 0 && numberOf(id) <= last && !present.has(folded(id));
    const keeps = TaskId.safeParse(id).success && !given.has(folded(id)) && !isGone;
    const name = keeps ? id : nextFree(taken, last);
    given.add(folded(name));
    taken.add(folded(name));
    if (!byOld.has(id)) byOld.set(id, name);
    return name;
  });
  return { tasks: names, byOld };
}

function nextFree(taken: ReadonlySet<string>, last: number): string {
  for (let number = last + 1; ; number += 1) {
    const id = `TASK-${String(number).padStart(3, '0')}`;
    if (!taken.has(folded(id))) return id;
  }
}

function folded(id: string): string {
  return id.toLowerCase();
}

/** Status and result belong to execution; the package’s place belongs to us. */
function cleanTask(task: Task, id: string, byOld: ReadonlyMap<string, string>): Task {
  return {
    ...withoutRuntime(task),
    id,
    depends_on: [...new Set(task.depends_on.map((need) => byOld.get(need) ?? need))],
    context_package_path: 'context-package.json',
  };
}

/**
 * Puts back what the agent left out of the context package: constraints, milestones, execution flow,
 * and the key points and dependencies of the solution's tasks. Adds nothing that is not in there.
 */
function keepFromPackage({ plan, tasks }: PlanFiles, contextPackage: ContextPackage): PlanFiles {
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

type Solution = ContextPackage['implementation_plan'];
type ByOrigin = ReturnType<typeof tasksByOrigin>;

function flowOf({ execution_flow: flow }: Solution, byOrigin: ByOrigin): string {
  return flow.replaceAll(/\bT\d{1,3}\b/g, (origin) => {
    const ids = byOrigin.get(origin) ?? [origin];
    return ids.length === 1 ? ids.join('') : `(${ids.join(', ')})`;
  });
}

/** The agent’s own order wins, and nothing is added where all of it would make a circle together. */
function keepDependencies(tasks: readonly Task[], solution: Solution): readonly Task[] {
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
  { solution, byOrigin }: { readonly solution: Solution; readonly byOrigin: ByOrigin },
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

/** Faults of the answer that can no longer be seen once it is split. */
function answerFindings({ tasks }: PlanAnswer, names: readonly string[]): readonly Finding[] {
  return tasks.flatMap(({ id }, index): Finding[] => {
    const name = names[index] ?? id;
    const place = { severity: 'blocking', file: taskFile(name), pointer: '/id' } as const;
    if (isHostile(id)) {
      const message = `The answer gave ${name} the id ${nameOf(id)}, which is a path or holds control characters; check the whole task before you trust it.`;
      return [{ ...place, rule: 'task-id-hostile', message }];
    }
    const first = tasks.findIndex((task) => folded(task.id) === folded(id));
    if (first === index) return [];
    const message = `The answer used the id ${nameOf(id)} twice; the second task is now ${name}, so check which of them each depends_on means.`;
    return [{ ...place, rule: 'task-id-duplicate', message }];
  });
}

/** A plain slip such as "Task 1" is corrected without a word; a path is not a slip. */
function isHostile(id: string): boolean {
  return id.includes('/') || (id.trim() !== '' && pathProblem(id.trim()) !== null);
}
