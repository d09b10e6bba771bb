import type { Result } from '../../../model/failure.ts';
import type { PlanEdit } from '../../../model/plan-edit.ts';
import type { Plan } from '../../../model/plan.ts';
import type { Task } from '../../../model/task.ts';
import { flowChains, parallelGroups, tasksInOrder } from '../../../model/task-order.ts';
import { oneLine, sentence } from '../../../model/wording.ts';

/** A plan with its tasks, in the order of `plan.task_ids`. */
export interface PlanFiles {
  readonly plan: Plan;
  readonly tasks: readonly Task[];
  /** Tasks that have a file, but no place in `plan.task_ids`. */
  readonly leftOver?: readonly Task[];
}

/** Why an edit is refused: one sentence that names the field or task, and what is allowed. */
export interface Refused {
  readonly message: string;
}

export type Edited = Result<PlanFiles, Refused>;

type EditOf<Kind extends PlanEdit['kind']> = Extract<PlanEdit, { kind: Kind }>;

/** Puts a new task behind another one, or first; it depends on nothing yet. */
export function taskAdded(files: PlanFiles, { after, title }: EditOf<'add'>): Edited {
  const name = oneLine(title);
  if (name === '') return refused('A new task needs a title; say in a few words what it does.');
  const before = after === null ? null : taskIn(files, after);
  if (before?.ok === false) return before;
  const at = files.tasks.findIndex(({ id }) => id === after) + 1;
  const added = newTask({ id: nextId(files), title: name, description: sentence(name) });
  return { ok: true, value: reordered(files, files.tasks.toSpliced(at, 0, added)) };
}

/**
 * Makes several tasks of one, each depending on the part before. The first keeps the id and all of
 * the content but the files that go to another part; whatever depended on the whole depends on the last part.
 */
export function taskSplit(files: PlanFiles, edit: EditOf<'split'>): Edited {
  const { task: id, titles, files: places = [] } = edit;
  const whole = taskIn(files, id);
  if (!whole.ok) return whole;
  const names = titles.map(oneLine);
  if (names.length < 2 || names.includes('')) {
    return refused(`Splitting ${id} takes at least two titles, one for each part.`);
  }
  if (places.some((part) => !Object.hasOwn(names, part))) {
    return refused(`Splitting ${id} gives each file to one of its ${names.length} parts.`);
  }
  const parts = names.map((title, part) => {
    const first = { ...whole.value, title };
    const task =
      part === 0 ? first : furtherPart(whole.value, { title, part, count: names.length, files });
    return { ...task, ...filesOfPart(whole.value, { part, places }) };
  });
  const last = parts.at(-1)?.id ?? id;
  const tasks = files.tasks.flatMap((other) =>
    other.id === id ? parts : withNeeds(other, (need) => (need === id ? last : need)),
  );
  return { ok: true, value: reordered(files, tasks) };
}

/** Takes a task out, and out of what the others depend on. */
export function taskDeleted(files: PlanFiles, { task: id }: EditOf<'delete'>): Edited {
  const task = taskIn(files, id);
  if (!task.ok) return task;
  if (files.tasks.length === 1) {
    return refused(
      `${id} is the only task, and a plan needs one; add another before you delete it.`,
    );
  }
  const left = files.tasks
    .filter((other) => other.id !== id)
    .map((other) => withNeeds(other, (need) => (need === id ? [] : need)));
  const { title, source: { original_id } = {} } = task.value;
  // So that the plan check does not miss what it carried out.
  const removed = original_id === undefined ? [] : [{ id, title, original_id }];
  const all = [...(files.plan.removed_tasks ?? []), ...removed];
  const { _metadata: metadata } = files.plan;
  const plan = {
    ...files.plan,
    ...(all.length === 0 ? {} : { removed_tasks: all }),
    _metadata: { ...metadata, last_task: lastNumberOf(files) },
  };
  return { ok: true, value: reordered({ ...files, plan }, left) };
}

/** Gives a task another position in the order, never before what it depends on. */
export function taskMoved(files: PlanFiles, { task: id, to }: EditOf<'move'>): Edited {
  const moved = taskIn(files, id);
  if (!moved.ok) return moved;
  const last = files.tasks.length - 1;
  if (!Number.isInteger(to) || to < 0 || to > last) {
    return refused(`${id} can stand at a position from 0 to ${last}, not at ${to}.`);
  }
  const rest = files.tasks.filter((task) => task.id !== id);
  const [before, after] = [rest.slice(0, to), rest.slice(to)];
  const needed = after.find((task) => moved.value.depends_on.includes(task.id));
  const waiting = before.find((task) => task.depends_on.includes(id));
  const other = needed ?? waiting;
  if (other !== undefined) {
    const [late, early] = other === needed ? [id, other.id] : [other.id, id];
    return refused(
      `${id} cannot stand at position ${to}: ${late} depends on ${early}, which must come before it; move ${other.id} first or change what ${late} depends on.`,
    );
  }
  const tasks = [...before, moved.value, ...after];
  return {
    ok: true,
    value: { plan: { ...files.plan, task_ids: tasks.map((task) => task.id) }, tasks },
  };
}

/**
 * Brings everything that follows from the tasks in line with them: list and count of ids, and
 * an execution flow that names them. The tasks stay in the order given, moved only where a
 * dependency demands it.
 */
export function reordered(before: PlanFiles, tasks: readonly Task[]): PlanFiles {
  const sorted = tasksInOrder(tasks);
  const ids = sorted.map(({ id }) => id);
  const flow = flowOf(before, sorted);
  const plan: Plan = { ...before.plan, task_ids: ids, task_count: ids.length };
  return {
    plan: flow === undefined ? plan : { ...plan, execution_flow: flow },
    tasks: sorted,
  };
}

/**
 * A task of which only the title is known. Its one criterion is empty on purpose: the plan check
 * names it as missing until somebody writes it.
 */
function newTask(known: Pick<Task, 'id' | 'title' | 'description'>): Task {
  return {
    ...known,
    depends_on: [],
    convergence: { criteria: [''] },
    context_package_path: 'context-package.json',
  };
}

/** An id that no task of the plan ever had, above all of those. */
function nextId(files: PlanFiles, part = 1): string {
  return `TASK-${String(lastNumberOf(files) + part).padStart(3, '0')}`;
}

function furtherPart(
  { id, title: was, type, priority, source }: Task,
  {
    title,
    part,
    count,
    files,
  }: { readonly title: string; readonly part: number; readonly count: number; files: PlanFiles },
): Task {
  const description = `Part ${part + 1} of ${count} of what was ${id}, "${was}": ${title}`;
  return {
    ...newTask({ id: nextId(files, part), title, description }),
    depends_on: [part === 1 ? id : nextId(files, part - 1)],
    ...(type === undefined ? {} : { type }),
    ...(priority === undefined ? {} : { priority }),
    // Lets the plan check find the solution’s task that this part carries out.
    ...(source === undefined ? {} : { source }),
  };
}

/** A part that gets none has no list, save the first where the task had one. */
function filesOfPart(
  { files }: Task,
  { part, places }: { readonly part: number; readonly places: readonly number[] },
): Pick<Task, 'files'> {
  const own = files?.filter((_, index) => (places[index] ?? 0) === part) ?? [];
  return files === undefined || (own.length === 0 && part > 0) ? {} : { files: own };
}

function withNeeds(task: Task, change: (need: string) => string | readonly string[]): Task {
  return { ...task, depends_on: task.depends_on.flatMap(change) };
}

/** Prose that is no plain chain of ids is a person’s or an agent’s own: it stays. */
function flowOf({ plan, tasks: earlier }: PlanFiles, tasks: readonly Task[]): string | undefined {
  const { execution_flow: flow } = plan;
  const known = new Set(earlier.map(({ id }) => id));
  if (flow === undefined || flowChains(flow, known).length === 0) return flow;
  const stages = parallelGroups(tasks).map((ids) =>
    ids.length === 1 ? ids.join('') : `(${ids.join(', ')})`,
  );
  return shapeOf(earlier) === shapeOf(tasks) ? flow : stages.join(' → ');
}

function shapeOf(tasks: readonly Task[]): string {
  return JSON.stringify(tasks.map(({ id, depends_on: needs }) => [id, needs]));
}

export function refused(message: string): { readonly ok: false; readonly failure: Refused } {
  return { ok: false, failure: { message } };
}

/** The task with this id, or why there is none. */
export function taskIn({ plan, tasks }: PlanFiles, id: string): Result<Task, Refused> {
  const found = tasks.find((task) => task.id === id);
  if (found !== undefined) return { ok: true, value: found };
  return refused(
    `There is no task ${JSON.stringify(id)}; the plan has ${plan.task_ids.join(', ')}.`,
  );
}

/** The highest number that a task of the plan ever had: 7 after `TASK-007`; 0 where none has one. */
export function lastNumberOf({ plan, tasks, leftOver = [] }: PlanFiles): number {
  const { _metadata: metadata } = plan;
  const numbers = [...tasks, ...leftOver].map(({ id }) => numberOf(id));
  return Math.max(metadata.last_task ?? 0, ...numbers);
}

/** 7 for `TASK-007`; 0 for an id without a number. */
export function numberOf(id: string): number {
  return Number(/^TASK-(\d{1,6})$/i.exec(id)?.[1] ?? 0);
}
