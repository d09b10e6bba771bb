// Applies edits to a plan, all or none, by the rules that it must keep.
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

/** Ends an edit with the reason why it is refused. */
class Refused extends Error {}

function refuse(message: string): never {
  throw new Refused(message);
}

export function refuseEdit(message: string): { readonly ok: false; readonly failure: EditRefusal } {
  return { ok: false, failure: { message } };
}

/** Turns a refusal into a result. */
function unlessRefused<T>(edit: () => T): Result<T, EditRefusal> {
  try {
    return { ok: true, value: edit() };
  } catch (error) {
    if (error instanceof Refused) return refuseEdit(error.message);
    throw error;
  }
}

/**
 * Applies all edits, in order, or returns the reason why one of them is refused: it does not fit the shapes, or
 * it breaks a rule that makes a plan invalid (ids, dependencies, circles, paths).
 */
export function applyEdits(
  files: PlanFiles,
  edits: readonly PlanEdit[],
  schemas: SchemaCheck,
): Result<PlanFiles, EditRefusal> {
  return unlessRefused(() =>
    edits.reduce((before, edit) => {
      const after = applyEdit(before, edit, schemas);
      const faults = faultsOf(after, schemas);
      if (faults.length === 0) return after;
      // A plan with faults can be fixed step by step.
      const known = new Set(faultsOf(before, schemas));
      const fault = faults.find((text) => !known.has(text));
      return fault === undefined ? after : refuse(fault);
    }, files),
  );
}

/** Says why a file from an editor does not fit; null if it does, whatever the other files are like. */
export function planFileFault(file: string, text: string, schemas: SchemaCheck): string | null {
  const content = jsonIn(text);
  if (content === undefined) return `${file} is not JSON${jsonFault(text)}.`;
  const fit = unlessRefused(() => {
    const id = file === 'plan.json' ? null : taskFrom(content, file, schemas).id;
    if (id === null) planFrom(content, schemas);
    else if (file !== taskFile(id))
      refuse(`${file} must keep the id that is its name, not ${JSON.stringify(id)}.`);
  });
  return fit.ok ? null : fit.failure.message;
}

function applyEdit(files: PlanFiles, edit: PlanEdit, schemas: SchemaCheck): PlanFiles {
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
): PlanFiles {
  const ids = all.map(({ id }) => String(id));
  const twice = ids.find((id, at) => ids.indexOf(id) !== at);
  if (twice !== undefined) refuse(`${twice} stands there twice.`);
  const hidden = Object.entries(files.plan).filter(([name]) => hiddenPlanFields.includes(name));
  const follows = { ...Object.fromEntries(hidden), task_ids: ids, task_count: ids.length };
  const plan = planFrom({ ...fields, ...follows }, schemas);
  const tasks = all.map((own, at) => {
    const id = ids[at] ?? '';
    const before = Object.entries(files.tasks.find((one) => one.id === id) ?? {});
    const written = before.filter(([name]) => runtimeTaskFields.includes(name));
    return taskFrom({ ...own, ...Object.fromEntries(written) }, taskFile(id), schemas);
  });
  const removed = files.tasks.flatMap(({ id, title, source: { original_id } = {} }) =>
    ids.includes(id) || original_id === undefined ? [] : { id, title, original_id },
  );
  const removed_tasks = [...(files.plan.removed_tasks ?? []), ...removed];
  return reorderTasks(removed.length === 0 ? plan : { ...plan, removed_tasks }, tasks);
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
function setField(files: PlanFiles, edit: SetEdit, schemas: SchemaCheck): PlanFiles {
  const why = protectedField(edit);
  if (why !== null) refuse(why);
  const { task: id, field } = edit;
  const { plan, tasks } = files;
  if (id === null) {
    return { plan: planFrom(changedField(edit, plan, schemas), schemas), tasks };
  }
  if (plan.proofs?.some((proof) => proof.id === id) === true) return dropProof(files, id, edit);
  const before = taskIn(files, id);
  const task = taskFrom(changedField(edit, before, schemas), taskFile(id), schemas);
  if (/^test(?:\.|$)/.test(field) && hasOtherCommands(task)) refuse(otherCommands(id));
  const after = tasks.map((other) => (other === before ? task : other));
  return /^depends_on(?:\.|$)/.test(field) ? reorderTasks(plan, after) : { plan, tasks: after };
}

/** Drops a proof with the reason of a person; no task turns it green any more. */
function dropProof({ plan, tasks }: PlanFiles, id: string, { field, value }: SetEdit): PlanFiles {
  const why = typeof value === 'string' ? value.trim() : '';
  if (field !== 'dropped' || why === '') {
    refuse(`${id} takes only "dropped", with the reason; its code is its file.`);
  }
  const { proofs = [], dropped_proofs: dropped = [] } = plan;
  const gone = proofs.filter((proof) => proof.id === id);
  return {
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
): PlanFiles {
  const moved = taskIn(files, id);
  const last = files.tasks.length - 1;
  if (!Number.isInteger(to) || to < 0 || to > last) {
    refuse(`${id} can stand at a place from 1 to ${last + 1}, not at ${to + 1}.`);
  }
  const tasks = files.tasks.filter((task) => task !== moved).toSpliced(to, 0, moved);
  for (const [at, task] of tasks.entries()) {
    const late = tasks.slice(at).find((other) => task.depends_on.includes(other.id));
    if (late === undefined) continue;
    refuse(
      `${id} cannot stand at place ${to + 1}: ${task.id} depends on ${late.id}, which must come before it.`,
    );
  }
  return { plan: { ...files.plan, task_ids: tasks.map((task) => task.id) }, tasks };
}

/**
 * Updates everything that follows from the tasks. The tasks stay in the given order and move only if a
 * dependency demands it.
 */
function reorderTasks(plan: Plan, tasks: readonly Task[]): PlanFiles {
  const sorted = tasksInOrder(tasks);
  const ids = sorted.map(({ id }) => id);
  const follows = { task_ids: ids, task_count: ids.length, execution_flow: executionFlow(sorted) };
  return { plan: { ...plan, ...follows }, tasks: sorted };
}

function planFrom(value: unknown, schemas: SchemaCheck): Plan {
  return Plan.safeParse(value).data ?? refuseShape('plan', 'plan.json', value, schemas);
}

function taskFrom(value: unknown, file: string, schemas: SchemaCheck): Task {
  return Task.safeParse(value).data ?? refuseShape('task', file, value, schemas);
}

function refuseShape(
  name: 'plan' | 'task',
  file: string,
  value: unknown,
  schemas: SchemaCheck,
): never {
  const [fault = { pointer: '', message: 'it does not fit' }] = schemas.check(name, value);
  return refuse(faultText(file, fault));
}

/** Words a fault with the field’s name as a person would write it, e.g. `TASK-001 files.1.path: …`. */
function faultText(file: string, { pointer, message }: SchemaFinding): string {
  const about = /^\.task\/(.+)\.json$/.exec(file)?.[1] ?? 'plan';
  return `${[about, fieldText(pointer.slice(1).replaceAll('/', '.'))].join(' ').trim()}: ${message}.`;
}

/** A copy of a plan or task with the field set. */
function changedField(
  { task, field, value }: SetEdit,
  before: Plan | Task,
  schemas: SchemaCheck,
): unknown {
  const about = task ?? 'plan';
  const name = task === null ? 'plan' : 'task';
  const path = field.split('.');
  if (!isField(path, before, [schemas.schema(name), schemas.extension(name)])) {
    const named = JSON.stringify(fieldText(field));
    refuse(`${about} has no field ${named}; "conclave schema ${name}" lists the built-in ones.`);
  }
  const after = structuredClone(before);
  const why = put(after, path, value);
  return why === null ? after : refuse(`${about} ${fieldText(field)} cannot be set: ${why}.`);
}

/**
 * True for a known field. Plans and tasks may have additional fields, so the shape does not catch a misspelt
 * name.
 */
function isField(path: readonly string[], before: object, schemas: readonly unknown[]): boolean {
  const [first = ''] = path;
  if (path.includes('') || path.includes('__proto__')) return false;
  return Object.hasOwn(before, first) || schemas.some((schema) => hasField(schema, first));
}

/** Says whether a schema, or one that it is composed of, has a field. */
function hasField(schema: unknown, name: string): boolean {
  if (!isObject(schema)) return false;
  const { properties, allOf, anyOf, oneOf } = schema;
  if (isObject(properties) && Object.hasOwn(properties, name)) return true;
  return [allOf, anyOf, oneOf].flat().some((part) => hasField(part, name));
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

/** The task with this id; refuses an edit of any other. */
function taskIn({ plan, tasks }: PlanFiles, id: string): Task {
  return (
    tasks.find((task) => task.id === id) ??
    refuse(`There is no task ${JSON.stringify(id)}; the plan has ${plan.task_ids.join(', ')}.`)
  );
}
