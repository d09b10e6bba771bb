// Merges a planner's changes into the existing plan, task by task.
import type { LeftOut } from '../../agents/answer/read-answer.ts';
import { nameOf } from '../../model/plan-rules.ts';
import type { PlanAnswer, PlanChanges, PlanFiles } from '../../model/plan.ts';
import { type Task, unaskedTaskFields } from '../../model/task.ts';

type Changes = Pick<PlanChanges, 'plan' | 'tasks' | 'removed'>;

/** Lists the unknown and repeated tasks in an answer, and a plan left without tasks, in sentences for its author. */
export function changeFaults({ tasks: standing }: PlanFiles, changes: Changes): readonly string[] {
  const { tasks, removed = [] } = changes;
  const known = new Set(standing.map(({ id }) => id));
  const added = tasks.filter(({ id }) => !known.has(id));
  const free = nextIds(standing, added.length);
  const unknown = (id: string) =>
    `${nameOf(id)} is not a task of the plan; its tasks are ${[...known].join(', ')}`;
  const given = tasks.flatMap(({ id }, at) => {
    if (tasks.findIndex((one) => one.id === id) < at)
      return [`/tasks/${at}/id: ${nameOf(id)} is given twice.`];
    if (known.has(id) || free.includes(id)) return [];
    return [`/tasks/${at}/id: ${unknown(id)}, and the next new one is ${free[0]}.`];
  });
  const gone = removed.flatMap((id, at) =>
    known.has(id) ? [] : [`/removed/${at}: ${unknown(id)}.`],
  );
  const isEmpty = added.length === 0 && [...known].every((id) => removed.includes(id));
  return [...given, ...gone, ...(isEmpty ? ['/removed: no task of the plan would be left.'] : [])];
}

/** The ids that follow the highest one. */
function nextIds(tasks: readonly Pick<Task, 'id'>[], count: number): readonly string[] {
  const numbers = tasks.map(({ id }) => Number(/^TASK-(\d+)$/i.exec(id)?.[1] ?? 0));
  const last = Math.max(0, ...numbers);
  return Array.from({ length: Math.max(1, count) }, (_, n) => idOf(last + n + 1));
}

const idOf = (number: number) => `TASK-${String(number).padStart(3, '0')}`;

/** Expands the changes to a whole answer; what was left out of them is located in that answer. */
export function mergeChanges(
  { plan, tasks: standing }: PlanFiles,
  changes: Changes,
  leftOut: readonly LeftOut[],
): { readonly answer: Pick<PlanAnswer, 'plan' | 'tasks'>; readonly leftOut: readonly LeftOut[] } {
  const { tasks, removed = [] } = changes;
  const given = new Map(tasks.map((task) => [task.id, task]));
  const known = new Set(standing.map(({ id }) => id));
  const kept = standing.filter(({ id }) => !removed.includes(id));
  const merged = [
    ...kept.map((task) => given.get(task.id) ?? askedPart(task)),
    ...tasks.filter(({ id }) => !known.has(id)),
  ];
  const places = tasks.map(({ id }) => merged.findIndex((task) => task.id === id));
  // A person removed these tasks; a planner is not asked for them.
  const { removed_tasks: _, ...overview } = plan;
  return {
    answer: { plan: changes.plan ?? overview, tasks: merged },
    leftOut: leftOut.map((one) => ({
      ...one,
      pointer: one.pointer.replace(/^\/tasks\/(\d+)/, (_all, at) => `/tasks/${places[Number(at)]}`),
    })),
  };
}

/** The part of a task that a planner is asked for; the rest is restored from the previous plan. */
function askedPart(task: Task): Task {
  const kept: Task = { ...task };
  for (const name of unaskedTaskFields.keys()) delete kept[name];
  return kept;
}
