import type { ContextPackage } from '../../model/context-package.ts';
import { TaskId } from '../../model/ids.ts';
import type { Finding } from '../../model/finding.ts';
import type { Plan, PlanAnswer } from '../../model/plan.ts';
import type { Task } from '../../model/task.ts';
import { nameOf, taskFile } from '../../model/plan-rules.ts';
import { pathProblem } from '../../model/repository-path.ts';
import { tasksInOrder } from '../../model/task-order.ts';
import { type PlanFiles, lastNumberOf, numberOf } from './editing/task-edits.ts';
import { withoutRuntime } from './approval.ts';
import { keepFromPackage } from './from-solution.ts';

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
