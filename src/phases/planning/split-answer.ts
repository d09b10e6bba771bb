import type { ContextPackage } from '../../model/context-package.ts';
import { TaskId } from '../../model/ids.ts';
import type { Finding } from '../../model/finding.ts';
import type { Plan, PlanAnswer } from '../../model/plan.ts';
import type { Task } from '../../model/task.ts';
import { nameOf, taskFile } from '../../model/plan-rules.ts';
import { pathProblem } from '../../model/repository-path.ts';
import { topologicalOrder } from '../../model/task-order.ts';
import { oneLine } from '../../model/wording.ts';
import { highestNumber } from './editing/task-edits.ts';
import { withoutRuntime } from './approval.ts';
import { keepFromPackage } from './keep-from-package.ts';

/** The tasks that the session had before a new version of its plan. */
export interface EarlierTasks {
  /** As the planner wrote the version before. */
  readonly written: readonly Task[];
  /** As they stood on disk when it was sent back. */
  readonly current: readonly Task[];
  /** The highest number that a task of the session ever had. */
  readonly lastNumber: number;
}

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
  /** Null for a first plan. */
  readonly earlier?: EarlierTasks | null;
}): {
  readonly plan: Plan;
  readonly tasks: readonly Task[];
  readonly findings: readonly Finding[];
} {
  const names = safeNames(answer, earlier);
  const tasks = answer.tasks.map((task, index) =>
    cleanTask(task, names.tasks[index] ?? task.id, names.byOld),
  );
  const { execution_flow: flow } = answer.plan;
  const plan: Plan = {
    ...answer.plan,
    ...(flow === undefined || earlier === null
      ? {}
      : {
          execution_flow: flow.replaceAll(/[A-Za-z0-9][\w-]*/g, (id) => names.byOld.get(id) ?? id),
        }),
    task_ids: tasks.map(({ id }) => id),
    task_count: tasks.length,
    tasks: undefined,
    _metadata: {
      timestamp: now.toISOString(),
      source: 'cli-lite-planning-agent',
      plan_type: 'collaborative',
      planning_mode: 'agent-based',
      schema_version: '2.0',
    },
  };
  const kept = keepFromPackage({ plan, tasks, contextPackage });
  return {
    plan: { ...kept.plan, task_ids: orderedIds(kept.tasks) },
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

/** A second task with the same id gets one of its own; references stay with the first. */
function safeNames({ tasks }: PlanAnswer, earlier: EarlierTasks | null): SafeNames {
  // Also ids that only a reference names: a new id must not become what it pointed at.
  const used = tasks.flatMap(({ id, depends_on: needs }) => [id, ...needs]);
  const taken = new Set(used.map(folded));
  const given = new Set<string>();
  const byOld = new Map<string, string>();
  const names = tasks.map((task) => {
    const { id } = task;
    const keeps =
      TaskId.safeParse(id).success && !given.has(folded(id)) && !wasOfAnother(task, earlier);
    const name = keeps ? id : nextFree(taken, earlier?.lastNumber ?? 0);
    given.add(folded(name));
    taken.add(folded(name));
    if (!byOld.has(id)) byOld.set(id, name);
    return name;
  });
  return { tasks: names, byOld };
}

/** Whether a task that is gone had the id. One that a person took out may come back as it was. */
function wasOfAnother({ id, title }: Task, earlier: EarlierTasks | null): boolean {
  const withId = (tasks: readonly Task[]) => tasks.find((task) => folded(task.id) === folded(id));
  if (earlier === null || withId(earlier.current) !== undefined) return false;
  const before = withId(earlier.written);
  if (before !== undefined) return oneLine(before.title) !== oneLine(title);
  const number = highestNumber([id]);
  return number > 0 && number <= earlier.lastNumber;
}

function nextFree(taken: ReadonlySet<string>, lastNumber: number): string {
  for (let number = lastNumber + 1; ; number += 1) {
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

/** The agent’s own order, changed only where a dependency demands it. */
function orderedIds(tasks: readonly Task[]): string[] {
  const order = topologicalOrder(tasks);
  return order.ok ? [...order.value] : tasks.map(({ id }) => id);
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
