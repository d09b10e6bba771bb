// Checks the ids of a planner's tasks, and merges its changes into the existing plan, task by task.
import type { LeftOut } from '../../agents/answer/read-answer.ts';
import { TaskId } from '../../model/ids.ts';
import { nameOf } from '../../model/plan-rules.ts';
import type { PlanAnswer, PlanChanges, PlanFiles } from '../../model/plan.ts';
import type { Task } from '../../model/task.ts';

type Changes = Pick<PlanChanges, 'plan' | 'tasks' | 'removed'>;

/** Lists ids that are given twice, or that could not be file names, in sentences for their author. */
export function idFaults(tasks: readonly Pick<Task, 'id'>[]): readonly string[] {
  const ids = tasks.map(({ id }) => id.toLowerCase());
  return tasks.flatMap(({ id }, at) => {
    if (ids.indexOf(id.toLowerCase()) < at) return `/tasks/${at}/id: ${nameOf(id)} is given twice.`;
    if (TaskId.safeParse(id).success) return [];
    return `/tasks/${at}/id: ${nameOf(id)} is not an id of letters, digits, "-" and "_", such as ${idOf(at + 1)}.`;
  });
}

/** Lists the unknown and repeated tasks in an answer, and a plan left without tasks, in sentences for its author. */
export function changeFaults({ tasks: standing }: PlanFiles, changes: Changes): readonly string[] {
  const { tasks, removed = [] } = changes;
  const known = new Set(standing.map(({ id }) => id));
  const added = tasks.filter(({ id }) => !known.has(id));
  const numbers = standing.map(({ id }) => Number(/^TASK-(\d+)$/i.exec(id)?.[1] ?? 0));
  const last = Math.max(0, ...numbers);
  const free = [1, ...added.keys()].map((_, at) => idOf(last + at + 1));
  const unknown = (id: string) =>
    `${nameOf(id)} is not a task of the plan; its tasks are ${[...known].join(', ')}`;
  const given = tasks.flatMap(({ id }, at) =>
    known.has(id) || free.includes(id)
      ? []
      : `/tasks/${at}/id: ${unknown(id)}, and the next new one is ${free[0]}.`,
  );
  const gone = removed.flatMap((id, at) =>
    known.has(id) ? [] : `/removed/${at}: ${unknown(id)}.`,
  );
  const isEmpty = added.length === 0 && [...known].every((id) => removed.includes(id));
  const empty = isEmpty ? ['/removed: no task of the plan would be left.'] : [];
  return [...idFaults(tasks), ...given, ...gone, ...empty];
}

/** The id of a task by its number, e.g. `TASK-001`. */
export function idOf(number: number): string {
  return `TASK-${String(number).padStart(3, '0')}`;
}

/** Expands the changes to a whole answer; what was left out of them is located in that answer. */
export function mergeChanges(
  { plan, tasks: standing }: PlanFiles,
  changes: Changes,
  leftOut: readonly LeftOut[],
): { readonly answer: Pick<PlanAnswer, 'plan' | 'tasks'>; readonly leftOut: readonly LeftOut[] } {
  const { tasks, removed = [] } = changes;
  const given = new Map(tasks.map((task) => [task.id, task]));
  const known = new Set(standing.map(({ id }) => id));
  const merged = [
    ...standing.filter(({ id }) => !removed.includes(id)).map((task) => given.get(task.id) ?? task),
    ...tasks.filter(({ id }) => !known.has(id)),
  ];
  const places = tasks.map(({ id }) => merged.findIndex((task) => task.id === id));
  return {
    answer: { plan: changes.plan ?? plan, tasks: merged },
    leftOut: leftOut.map((one) => ({
      ...one,
      pointer: one.pointer.replace(/^\/tasks\/(\d+)/, (_all, at) => `/tasks/${places[Number(at)]}`),
    })),
  };
}
