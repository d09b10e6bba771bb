// Adds, splits, deletes and moves tasks of a plan, with what follows for the order.
import type { Result } from '../../../model/failure.ts';
import type { PlanEdit } from '../../../model/plan-edit.ts';
import type { PlanFiles } from '../../../model/plan.ts';
import type { Task } from '../../../model/task.ts';
import { executionFlow, tasksInOrder } from '../../../model/task-order.ts';
import { oneLine, sentence } from '../../../model/wording.ts';

/** The reason for a refused edit: one sentence that names the field or task, and what is allowed. */
export interface EditRefusal {
  readonly message: string;
}

/** `taken` are the names in `.task/`: a new task must not use a file that the plan does not name. */
export interface EditedFiles extends PlanFiles {
  readonly taken?: readonly string[] | undefined;
}

export type EditResult = Result<PlanFiles, EditRefusal>;

type EditOf<Kind extends PlanEdit['kind']> = Extract<PlanEdit, { kind: Kind }>;

/** Adds a new task after another one, or at the start; it depends on nothing yet. */
export function addTask(files: EditedFiles, { after, title }: EditOf<'add'>): EditResult {
  const name = oneLine(title);
  if (name === '') return refuseEdit('A new task needs a title; say in a few words what it does.');
  const before = after === null ? null : taskIn(files, after);
  if (before?.ok === false) return before;
  const at = files.tasks.findIndex(({ id }) => id === after) + 1;
  const added = newTask({ id: nextId(files), title: name, description: sentence(name) });
  return { ok: true, value: reorderTasks(files, files.tasks.toSpliced(at, 0, added)) };
}

/**
 * Splits a task into several, each depending on the previous part. The first part keeps the id and all content
 * except the files of other parts; tasks that depended on the whole depend on the last part.
 */
export function splitTask(files: EditedFiles, edit: EditOf<'split'>): EditResult {
  const { task: id, titles, files: places = [] } = edit;
  const found = taskIn(files, id);
  if (!found.ok) return found;
  const whole = found.value;
  const names = titles.map(oneLine);
  if (names.length < 2 || names.includes('')) {
    return refuseEdit(`Splitting ${id} takes at least two titles, one for each part.`);
  }
  if (places.some((part) => !Object.hasOwn(names, part))) {
    return refuseEdit(`Splitting ${id} gives each file to one of its ${names.length} parts.`);
  }
  const ids = names.map((_, part) => (part === 0 ? id : nextId(files, part)));
  const parts = names.map((title, part): Task => {
    const { title: was, files: all, source, type, priority } = whole;
    const own = all?.filter((_, index) => (places[index] ?? 0) === part);
    if (part === 0) return { ...whole, title, ...(own === undefined ? {} : { files: own }) };
    const description = `Part ${part + 1} of ${names.length} of what was ${id}, "${was}": ${title}`;
    return {
      ...newTask({ id: ids[part] ?? id, title, description }),
      depends_on: [ids[part - 1] ?? id],
      ...(own === undefined || own.length === 0 ? {} : { files: own }),
      ...(type === undefined ? {} : { type }),
      ...(priority === undefined ? {} : { priority }),
      // Lets the plan check find the solution’s task that this part carries out.
      ...(source === undefined ? {} : { source }),
    };
  });
  const last = ids.at(-1) ?? id;
  const tasks = files.tasks.flatMap((other) =>
    other.id === id ? parts : withNeeds(other, (need) => (need === id ? last : need)),
  );
  return { ok: true, value: reorderTasks(files, tasks) };
}

/** Removes a task, also from what the others depend on. */
export function deleteTask(files: PlanFiles, { task: id }: EditOf<'delete'>): EditResult {
  const task = taskIn(files, id);
  if (!task.ok) return task;
  if (files.tasks.length === 1) {
    return refuseEdit(
      `${id} is the only task, and a plan needs one; add another before you delete it.`,
    );
  }
  const left = files.tasks
    .filter((other) => other.id !== id)
    .map((other) => withNeeds(other, (need) => (need === id ? [] : need)));
  const { title, source: { original_id } = {} } = task.value;
  if (original_id === undefined) return { ok: true, value: reorderTasks(files, left) };
  // It is recorded, so that the plan check does not report the task’s work as missing.
  const removed_tasks = [...(files.plan.removed_tasks ?? []), { id, title, original_id }];
  return {
    ok: true,
    value: reorderTasks({ ...files, plan: { ...files.plan, removed_tasks } }, left),
  };
}

/** Moves a task to another position, but never before a task it depends on. */
export function moveTask(files: PlanFiles, { task: id, to }: EditOf<'move'>): EditResult {
  const moved = taskIn(files, id);
  if (!moved.ok) return moved;
  const last = files.tasks.length - 1;
  if (!Number.isInteger(to) || to < 0 || to > last) {
    return refuseEdit(`${id} can stand at a place from 1 to ${last + 1}, not at ${to + 1}.`);
  }
  const tasks = files.tasks.filter((task) => task.id !== id).toSpliced(to, 0, moved.value);
  for (const [at, task] of tasks.entries()) {
    const late = tasks.slice(at).find((other) => task.depends_on.includes(other.id));
    if (late === undefined) continue;
    return refuseEdit(
      `${id} cannot stand at place ${to + 1}: ${task.id} depends on ${late.id}, which must come before it.`,
    );
  }
  const plan = { ...files.plan, task_ids: tasks.map((task) => task.id) };
  return { ok: true, value: { ...files, plan, tasks } };
}

/**
 * Updates everything that follows from the tasks. The tasks stay in the given order and move only if a
 * dependency demands it.
 */
export function reorderTasks({ plan }: PlanFiles, tasks: readonly Task[]): PlanFiles {
  const sorted = tasksInOrder(tasks);
  const ids = sorted.map(({ id }) => id);
  const follows = { task_ids: ids, task_count: ids.length, execution_flow: executionFlow(sorted) };
  return { plan: { ...plan, ...follows }, tasks: sorted };
}

/**
 * Creates a task of which only the title is known. Its only criterion is empty on purpose: the plan check
 * reports it as missing until somebody writes it.
 */
function newTask(known: Pick<Task, 'id' | 'title' | 'description'>): Task {
  return {
    ...known,
    depends_on: [],
    convergence: { criteria: [''] },
    context_package_path: 'context-package.json',
  };
}

function nextId({ tasks, taken = [] }: EditedFiles, part = 1): string {
  const names = [...tasks.map(({ id }) => id), ...taken];
  const numbers = names.map((name) => Number(/^TASK-(\d{1,6})(?:\.json)?$/i.exec(name)?.[1] ?? 0));
  return `TASK-${String(Math.max(...numbers) + part).padStart(3, '0')}`;
}

function withNeeds(task: Task, change: (need: string) => string | readonly string[]): Task {
  return { ...task, depends_on: task.depends_on.flatMap(change) };
}

export function refuseEdit(message: string): { readonly ok: false; readonly failure: EditRefusal } {
  return { ok: false, failure: { message } };
}

/** The task with this id, or the reason why there is none. */
export function taskIn({ plan, tasks }: PlanFiles, id: string): Result<Task, EditRefusal> {
  const found = tasks.find((task) => task.id === id);
  if (found !== undefined) return { ok: true, value: found };
  return refuseEdit(
    `There is no task ${JSON.stringify(id)}; the plan has ${plan.task_ids.join(', ')}.`,
  );
}
