import type { z } from 'zod';
import type { Result } from '../../../model/failure.ts';
import { isObject, jsonIn } from '../../../model/json.ts';
import type { PlanEdit } from '../../../model/plan-edit.ts';
import { planFindings, taskFile } from '../../../model/plan-rules.ts';
import { Plan } from '../../../model/plan.ts';
import { Task, runtimeTaskFields } from '../../../model/task.ts';
import { listed } from '../../../model/wording.ts';
import type { SchemaCheck } from '../../../store/published-schemas.ts';
import { jsonFault } from '../../validating/json-fault.ts';
import type { StoredPlan } from '../read-plan.ts';
import {
  type Edited,
  type PlanFiles,
  type Refused,
  refused,
  reordered,
  taskAdded,
  taskDeleted,
  taskIn,
  taskMoved,
  taskSplit,
} from './task-edits.ts';

/**
 * All of the edits, in order, or the reason why one of them is refused: it does not fit the
 * shapes, or it breaks a rule that makes a plan invalid (ids, dependencies, circles, paths).
 */
export function applyEdits(files: PlanFiles, edits: readonly PlanEdit[], shapes: Shapes): Edited {
  let left = files;
  for (const edit of edits) {
    const edited = applyEdit(left, edit, shapes);
    if (!edited.ok) return edited;
    const broken = brokenRule(left, edited.value);
    if (broken !== null) return refused(broken);
    left = { ...files, ...edited.value };
  }
  return { ok: true, value: left };
}

/**
 * What a whole file from an editor makes of the plan; null where the plan cannot be judged as a
 * whole, because another file is unreadable or missing.
 */
export function replacedFile({
  file,
  text,
  stored,
  shapes,
}: {
  readonly file: string;
  readonly text: string;
  readonly stored: StoredPlan;
  readonly shapes: Shapes;
}): Result<PlanFiles | null, Refused> {
  const content = jsonIn(text);
  if (content === undefined) return refused(`${file} is not JSON: ${placeOfFault(text)}.`);
  if (hasProtoName(content)) return refused(`${file} cannot hold a field "__proto__".`);
  const isPlan = file === 'plan.json';
  const [fault] = shapes.check(isPlan ? 'plan' : 'task', content);
  if (fault !== undefined) return refused(`${file}${fault.pointer}: ${fault.message}.`);
  const task = isPlan ? null : Task.parse(content);
  if (task !== null && file !== taskFile(task.id)) {
    return refused(`${file} must keep the id that is its name, not ${JSON.stringify(task.id)}.`);
  }
  if (stored.plan === null) return { ok: true, value: null };
  const plan = task === null ? Plan.parse(content) : stored.plan;
  // The list of ids may be another one; an id without a file is named by the rules.
  const byId = new Map([...stored.tasks, ...stored.leftOver].map((one) => [one.id, one]));
  if (task !== null) byId.set(task.id, task);
  const files = { plan, tasks: plan.task_ids.flatMap((id) => byId.get(id) ?? []) };
  const broken = brokenRule(stored, files);
  return broken === null ? { ok: true, value: files } : refused(broken);
}

function applyEdit(files: PlanFiles, edit: PlanEdit, shapes: Shapes): Edited {
  switch (edit.kind) {
    case 'set':
      return setField(files, edit, shapes);
    case 'delete':
      return taskDeleted(files, edit);
    case 'split':
      return taskSplit(files, edit);
    case 'move':
      return taskMoved(files, edit);
    case 'add':
      return taskAdded(files, edit);
  }
}

/** The first rule that the plan kept before and does not keep any more; null if there is none. */
function brokenRule(before: PlanFiles, after: PlanFiles): string | null {
  const known = new Set(blockingTexts(before));
  return blockingTexts(after).find((text) => !known.has(text)) ?? null;
}

function blockingTexts({ plan, tasks }: PlanFiles): readonly string[] {
  const entries = tasks.map((task) => ({ file: taskFile(task.id), task }));
  return planFindings({ plan, tasks: entries })
    .filter(({ severity }) => severity === 'blocking')
    .map(({ message }) => message);
}

function placeOfFault(text: string): string {
  const fault = jsonFault(text);
  return fault === null
    ? 'its content cannot be read'
    : `line ${fault.line}, column ${fault.column}: ${fault.message}`;
}

type Shapes = Pick<SchemaCheck, 'check' | 'schema' | 'extension'>;
type SetEdit = Extract<PlanEdit, { kind: 'set' }>;

/** Sets one field of the plan or of a task; a value that does not fit its shape is refused. */
function setField(files: PlanFiles, edit: SetEdit, shapes: Shapes): Edited {
  const why = protectedField(edit);
  if (why !== null) return refused(why);
  if (edit.task === null) {
    const plan = changed(edit, { name: 'plan', before: files.plan, shape: Plan, shapes });
    return plan.ok ? { ok: true, value: { ...files, plan: plan.value } } : plan;
  }
  const before = taskIn(files, edit.task);
  if (!before.ok) return before;
  const task = changed(edit, { name: 'task', before: before.value, shape: Task, shapes });
  if (!task.ok) return task;
  const tasks = files.tasks.map((other) => (other.id === edit.task ? task.value : other));
  const orders = /^depends_on(?:\.|$)/.test(edit.field);
  return { ok: true, value: orders ? reordered(files, tasks) : { ...files, tasks } };
}

/** Fields that follow from something else, or that execution writes. */
function protectedField({ task, field }: Pick<SetEdit, 'task' | 'field'>): string | null {
  const [name = ''] = field.split('.');
  if (task === null) {
    if (!['task_ids', 'task_count', 'tasks'].includes(name)) return null;
    return `plan ${name} follows from the tasks; add, delete, split or move a task instead.`;
  }
  if (name === 'id') {
    return `${task} keeps its id, which is also the name of its file; add another task instead.`;
  }
  return runtimeTaskFields.includes(name)
    ? `${task} ${name} is written by execution and cannot be set.`
    : null;
}

interface Target<T> {
  readonly name: 'plan' | 'task';
  readonly before: T;
  readonly shape: z.ZodType<T>;
  readonly shapes: Shapes;
}

/** Only new faults count: a file that is faulty elsewhere can be fixed step by step. */
function changed<T>(edit: SetEdit, target: Target<T>): Result<T, Refused> {
  const { name, before, shape, shapes } = target;
  const about = edit.task ?? 'plan';
  const after = structuredClone(before);
  const why = unknownField(edit, target) ?? misplaced(after, edit);
  if (why !== null) return refused(`${about} ${why}`);
  const known = new Set(shapes.check(name, before).map(faultText));
  const faults = shapes
    .check(name, after)
    .filter((fault) => !known.has(faultText(fault)))
    .map(({ pointer, message }) => ({ field: fieldOf(pointer), message }));
  const fault = faults.find(({ field }) => field === edit.field) ?? faults[0];
  if (fault === undefined) return { ok: true, value: shape.parse(after) };
  return refused(
    edit.value === null && fault.field === edit.field
      ? `${edit.field} of ${about} cannot be removed; change it instead.`
      : `${about} ${fault.field}: ${fault.message}.`,
  );
}

function faultText({ pointer, message }: { pointer: string; message: string }): string {
  return `${pointer} ${message}`;
}

function fieldOf(pointer: string): string {
  return pointer.split('/').slice(1).join('.');
}

/** Plans and tasks may hold fields of one’s own, so a misspelt name is no fault of the shape. */
function unknownField(
  { task, field, value }: SetEdit,
  { name, before, shapes }: Target<unknown>,
): string | null {
  const path = field.split('.');
  const [first = ''] = path;
  if (path.includes('')) return `has no field ${JSON.stringify(field)}: a name is empty.`;
  if (path.includes('__proto__') || hasProtoName(value)) return `cannot hold a field "__proto__".`;
  const names = [...fieldNames(shapes.schema(name)), ...fieldNames(shapes.extension(name))];
  if (names.includes(first) || (isObject(before) && Object.hasOwn(before, first))) return null;
  const known = [...new Set(names)].filter((one) => protectedField({ task, field: one }) === null);
  const near = known.filter((one) => one.slice(0, 2) === first.slice(0, 2).toLowerCase());
  const hint = near.length > 0 ? near : known;
  return `has no field ${JSON.stringify(first)}; there ${hint.length === 1 ? 'is' : 'are'} ${listed(hint)}.`;
}

function fieldNames(schema: unknown): readonly string[] {
  if (!isObject(schema)) return [];
  const { properties, allOf, anyOf, oneOf } = schema;
  const parts = [allOf, anyOf, oneOf].flatMap((part) => (Array.isArray(part) ? part : []));
  return [...Object.keys(isObject(properties) ? properties : {}), ...parts.flatMap(fieldNames)];
}

/** JavaScript takes this name for something else, and would drop what stands under it. */
function hasProtoName(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Object.hasOwn(value, '__proto__') || Object.values(value).some(hasProtoName);
}

/** Puts the value at the path, or for null takes out what stands there; says why it cannot. */
function misplaced(whole: unknown, { field, value }: SetEdit): string | null {
  const names = field.split('.');
  let inside = whole;
  for (const [at, name] of names.entries()) {
    const place = names.slice(0, at).join('.');
    const isLast = at === names.length - 1;
    const missing = /^\d+$/.test(names[at + 1] ?? '') ? [] : {};
    if (Array.isArray(inside)) {
      const list: unknown[] = inside;
      const index = /^\d{1,6}$/.test(name) ? Number(name) : Infinity;
      const removes = isLast && value === null;
      if (index > list.length - (removes ? 1 : 0)) return noEntry(place, { list, name, removes });
      list.splice(index, 1, ...(removes ? [] : [isLast ? value : (list[index] ?? missing)]));
      inside = list[index];
    } else if (isObject(inside)) {
      const own = Object.hasOwn(inside, name) ? inside[name] : undefined;
      if (!isLast) inside[name] = own ?? missing;
      else if (value !== null) inside[name] = value;
      else if (own === undefined) return `${place} has no ${name} that could be removed.`.trim();
      else delete inside[name];
      inside = inside[name];
    } else return `${place} is a single value without fields; set it as a whole.`;
  }
  return null;
}

function noEntry(
  place: string,
  { list, name, removes }: { readonly list: readonly unknown[]; name: string; removes: boolean },
): string {
  const { length } = list;
  const has = length === 0 ? 'is an empty list' : `has only the entries up to ${length - 1}`;
  const hint = removes ? '' : `; ${length} adds one`;
  return `${place} ${has}, so there is no entry ${JSON.stringify(name)}${hint}.`;
}
