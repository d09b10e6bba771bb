// Applies edits to a plan, all or none, by the rules that it must keep.
import type { z } from 'zod';
import type { Result } from '../../../model/failure.ts';
import { isObject, jsonIn } from '../../../model/json.ts';
import { fieldText, type PlanEdit } from '../../../model/plan-edit.ts';
import { otherCommands, taskFile } from '../../../model/plan-rules.ts';
import { Plan, type PlanFiles } from '../../../model/plan.ts';
import { executionFlow, tasksInOrder } from '../../../model/task-order.ts';
import { Task, runtimeTaskFields } from '../../../model/task.ts';
import { hasOtherCommands } from '../../../model/task-test.ts';
import { counted } from '../../../model/wording.ts';
import type { SchemaCheck } from '../../../store/published-schemas.ts';
import type { SchemaFinding } from '../../../store/user-schema.ts';
import { jsonFault } from '../json-fault.ts';
import { formFindings } from '../check-plan.ts';
import { hiddenPlanFields } from './plan-markdown.ts';

/** The reason for a refused edit: one sentence that names the field or task, and what is allowed. */
export interface EditRefusal {
  readonly message: string;
}

type EditResult = Result<PlanFiles, EditRefusal>;

/**
 * Applies all edits, in order, or returns the reason why one of them is refused: it does not fit the shapes, or
 * it breaks a rule that makes a plan invalid (ids, dependencies, circles, paths).
 */
export function applyEdits(
  files: PlanFiles,
  edits: readonly PlanEdit[],
  schemas: SchemaCheck,
): EditResult {
  let left = files;
  for (const edit of edits) {
    const edited = applyEdit(left, edit, schemas);
    if (!edited.ok) return edited;
    const fault = newFault(left, edited.value, schemas);
    if (fault !== null) return refuseEdit(fault);
    left = edited.value;
  }
  return { ok: true, value: left };
}

/** Says why a file from an editor does not fit; null if it does, whatever the other files are like. */
export function planFileFault(file: string, text: string, schemas: SchemaCheck): string | null {
  const content = jsonIn(text);
  if (content === undefined) return `${file} is not JSON${jsonFault(text)}.`;
  const isPlan = file === 'plan.json';
  const fit = isPlan
    ? checkFit(content, { name: 'plan', shape: Plan, file, schemas })
    : checkFit(content, { name: 'task', shape: Task, file, schemas });
  if (!fit.ok) return fit.failure.message;
  const id = 'id' in fit.value ? fit.value.id : '';
  return isPlan || file === taskFile(String(id))
    ? null
    : `${file} must keep the id that is its name, not ${JSON.stringify(id)}.`;
}

function applyEdit(files: PlanFiles, edit: PlanEdit, schemas: SchemaCheck): EditResult {
  switch (edit.kind) {
    case 'set':
      return setField(files, edit, schemas);
    case 'move':
      return moveTask(files, edit);
    case 'whole':
      return replaceWhole(files, edit, schemas);
  }
}

/** Takes a whole plan; what follows from the tasks, and what only programs write, stays as it was. */
function replaceWhole(
  files: PlanFiles,
  { plan: fields, tasks: all }: Extract<PlanEdit, { kind: 'whole' }>,
  schemas: SchemaCheck,
): EditResult {
  const ids = all.map(({ id }) => String(id));
  const twice = ids.find((id, at) => ids.indexOf(id) !== at);
  if (twice !== undefined) return refuseEdit(`${twice} stands there twice.`);
  const hidden = Object.entries(files.plan).filter(([name]) => hiddenPlanFields.includes(name));
  const follows = { ...Object.fromEntries(hidden), task_ids: ids, task_count: ids.length };
  const plan = checkFit(
    { ...fields, ...follows },
    { name: 'plan', shape: Plan, file: 'plan.json', schemas },
  );
  if (!plan.ok) return plan;
  const tasks: Task[] = [];
  for (const [at, own] of all.entries()) {
    const id = ids[at] ?? '';
    const before = Object.entries(files.tasks.find((one) => one.id === id) ?? {});
    const written = before.filter(([name]) => runtimeTaskFields.includes(name));
    const target = { name: 'task', shape: Task, file: taskFile(id), schemas } as const;
    const task = checkFit({ ...own, ...Object.fromEntries(written) }, target);
    if (!task.ok) return task;
    tasks.push(task.value);
  }
  const gone = files.tasks.filter(({ id }) => !ids.includes(id));
  const removed = gone.flatMap(({ id, title, source: { original_id } = {} }) =>
    original_id === undefined ? [] : [{ id, title, original_id }],
  );
  const removed_tasks = [...(files.plan.removed_tasks ?? []), ...removed];
  const kept = removed.length === 0 ? plan.value : { ...plan.value, removed_tasks };
  return { ok: true, value: reorderTasks({ plan: kept, tasks }, tasks) };
}

/** The first fault that did not exist before: a plan with faults can thus be fixed step by step. */
function newFault(before: PlanFiles, after: PlanFiles, schemas: SchemaCheck): string | null {
  const known = new Set(faultsOf(before, schemas));
  return faultsOf(after, schemas).find((text) => !known.has(text)) ?? null;
}

function faultsOf(files: PlanFiles, schemas: SchemaCheck): readonly string[] {
  return formFindings(files, schemas)
    .filter(({ severity }) => severity === 'blocking')
    .map(({ rule, file, pointer, message }) =>
      rule === 'shape' ? faultText(file, { pointer, message }) : message,
    );
}

type SetEdit = Extract<PlanEdit, { kind: 'set' }>;

/** Sets one field of the plan or of a task; a value that does not fit its shape is refused. */
function setField(files: PlanFiles, edit: SetEdit, schemas: SchemaCheck): EditResult {
  const why = protectedField(edit);
  if (why !== null) return refuseEdit(why);
  if (edit.task === null) {
    const target = { name: 'plan', shape: Plan, file: 'plan.json', schemas } as const;
    const plan = changeField(edit, files.plan, target);
    return plan.ok ? { ok: true, value: { ...files, plan: plan.value } } : plan;
  }
  if (isProof(files, edit.task)) return dropProof(files, { ...edit, task: edit.task });
  const before = taskIn(files, edit.task);
  if (!before.ok) return before;
  const target = { name: 'task', shape: Task, file: taskFile(edit.task), schemas } as const;
  const task = changeField(edit, before.value, target);
  if (!task.ok) return task;
  if (/^test(?:\.|$)/.test(edit.field) && hasOtherCommands(task.value)) {
    return refuseEdit(otherCommands(edit.task));
  }
  const after = withTask(files, task.value);
  const orders = /^depends_on(?:\.|$)/.test(edit.field);
  return { ok: true, value: orders ? reorderTasks(files, after.tasks) : after };
}

function isProof({ plan }: PlanFiles, id: string): boolean {
  return plan.proofs?.some((proof) => proof.id === id) === true;
}

/** Drops a proof with the reason of a person; no task turns it green any more. */
function dropProof(
  { plan, tasks }: PlanFiles,
  { task: id, field, value }: SetEdit & { readonly task: string },
): EditResult {
  const why = typeof value === 'string' ? value.trim() : '';
  if (field !== 'dropped' || why === '') {
    return refuseEdit(`${id} takes only "dropped", with the reason; its code is its file.`);
  }
  const { proofs = [], dropped_proofs: dropped = [] } = plan;
  const gone = proofs.filter((proof) => proof.id === id);
  return {
    ok: true,
    value: {
      plan: {
        ...plan,
        proofs: proofs.filter((proof) => proof.id !== id),
        dropped_proofs: [...dropped, ...gone.map(({ sentence }) => ({ id, sentence, why }))],
      },
      tasks: tasks.map((task) =>
        task.proves?.includes(id) === true
          ? { ...task, proves: task.proves.filter((one) => one !== id) }
          : task,
      ),
    },
  };
}

/** Explains why a field cannot be set: it follows from something else, or execution writes it. Null if it can. */
function protectedField({ task, field }: SetEdit): string | null {
  const [name = ''] = field.split('.');
  if (task === null) {
    if (name === 'proofs' || name === 'dropped_proofs') {
      return 'A proof changes by its file in proof/tests/, or by P1.dropped with the reason.';
    }
    if (!['task_ids', 'task_count', 'tasks', 'execution_flow'].includes(name)) return null;
    return `plan ${name} follows from the tasks; change those instead.`;
  }
  if (name === 'id') {
    return `${task} keeps its id, which is also the name of its file; add another task instead.`;
  }
  return runtimeTaskFields.includes(name)
    ? `${task} ${name} is written by execution and cannot be set.`
    : null;
}

/** Moves a task to another position, but never before a task it depends on. */
function moveTask(
  files: PlanFiles,
  { task: id, to }: Extract<PlanEdit, { kind: 'move' }>,
): EditResult {
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
function reorderTasks({ plan }: PlanFiles, tasks: readonly Task[]): PlanFiles {
  const sorted = tasksInOrder(tasks);
  const ids = sorted.map(({ id }) => id);
  const follows = { task_ids: ids, task_count: ids.length, execution_flow: executionFlow(sorted) };
  return { plan: { ...plan, ...follows }, tasks: sorted };
}

function withTask({ plan, tasks }: PlanFiles, task: Task): PlanFiles {
  return { plan, tasks: tasks.map((other) => (other.id === task.id ? task : other)) };
}

/** The shape that a value has to fit. */
interface Target<T> {
  readonly name: 'plan' | 'task';
  readonly shape: z.ZodType<T>;
  readonly file: string;
  readonly schemas: SchemaCheck;
}

function checkFit<T>(
  value: unknown,
  { name, shape, file, schemas }: Target<T>,
): Result<T, EditRefusal> {
  const parsed = shape.safeParse(value);
  if (parsed.success) return { ok: true, value: parsed.data };
  const [fault = { pointer: '', message: 'it does not fit' }] = schemas.check(name, value);
  return refuseEdit(faultText(file, fault));
}

/** Words a fault with the field’s name as a person would write it, e.g. `TASK-001 files.1.path: …`. */
function faultText(file: string, { pointer, message }: SchemaFinding): string {
  const about = /^\.task\/(.+)\.json$/.exec(file)?.[1] ?? 'plan';
  return `${[about, fieldText(pointer.slice(1).replaceAll('/', '.'))].join(' ').trim()}: ${message}.`;
}

function changeField<T extends object>(
  edit: SetEdit,
  before: T,
  target: Target<T>,
): Result<T, EditRefusal> {
  const about = edit.task ?? 'plan';
  const path = edit.field.split('.');
  if (!isField(path, before, target)) {
    const name = JSON.stringify(fieldText(edit.field));
    return refuseEdit(
      `${about} has no field ${name}; "conclave schema ${target.name}" lists the built-in ones.`,
    );
  }
  const after = structuredClone(before);
  const why = put(after, path, edit.value);
  return why === null
    ? checkFit(after, target)
    : refuseEdit(`${about} ${fieldText(edit.field)} cannot be set: ${why}.`);
}

/**
 * True for a known field. Plans and tasks may have additional fields, so the shape does not catch a misspelt
 * name.
 */
function isField(
  path: readonly string[],
  before: object,
  { name, schemas }: Pick<Target<unknown>, 'name' | 'schemas'>,
): boolean {
  const [first = ''] = path;
  if (path.includes('') || path.includes('__proto__')) return false;
  const schemasOf = [schemas.schema(name), schemas.extension(name)];
  return Object.hasOwn(before, first) || schemasOf.some((schema) => hasField(schema, first));
}

/** Says whether a schema, or one that it is composed of, has a field. */
function hasField(schema: unknown, name: string): boolean {
  if (!isObject(schema)) return false;
  const { properties, allOf, anyOf, oneOf } = schema;
  if (isObject(properties) && Object.hasOwn(properties, name)) return true;
  return [allOf, anyOf, oneOf].some(
    (parts) => Array.isArray(parts) && parts.some((part) => hasField(part, name)),
  );
}

/** Sets the value at the path, or removes what is there if it is null. Returns the reason if it cannot. */
function put(
  inside: unknown,
  [name = '', ...rest]: readonly string[],
  value: SetEdit['value'],
): string | null {
  const [next] = rest;
  const removes = next === undefined && value === null;
  const missing = /^\d+$/.test(next ?? '') ? [] : {};
  if (Array.isArray(inside)) {
    const list: unknown[] = inside;
    const index = /^\d{1,6}$/.test(name) ? Number(name) : Infinity;
    if (index > list.length - (removes ? 1 : 0)) {
      return `there is no entry ${fieldText(name)} in a list of ${counted(list.length, 'entry', 'entries')}`;
    }
    if (removes) list.splice(index, 1);
    else list[index] = next === undefined ? value : (list[index] ?? missing);
    return next === undefined ? null : put(list[index], rest, value);
  }
  if (!isObject(inside)) return 'it is inside a single value; set that as a whole';
  if (removes && !Object.hasOwn(inside, name)) return 'there is nothing to remove';
  if (removes) delete inside[name];
  else inside[name] = next === undefined ? value : (inside[name] ?? missing);
  return next === undefined ? null : put(inside[name], rest, value);
}

export function refuseEdit(message: string): { readonly ok: false; readonly failure: EditRefusal } {
  return { ok: false, failure: { message } };
}

/** The task with this id, or the reason why there is none. */
function taskIn({ plan, tasks }: PlanFiles, id: string): Result<Task, EditRefusal> {
  const found = tasks.find((task) => task.id === id);
  if (found !== undefined) return { ok: true, value: found };
  return refuseEdit(
    `There is no task ${JSON.stringify(id)}; the plan has ${plan.task_ids.join(', ')}.`,
  );
}
