import type { z } from 'zod';
import type { Result } from '../../../model/failure.ts';
import { isObject } from '../../../model/json.ts';
import type { PlanEdit } from '../../../model/plan-edit.ts';
import { Plan } from '../../../model/plan.ts';
import { Task, runtimeTaskFields } from '../../../model/task.ts';
import { listed } from '../../../model/wording.ts';
import type { SchemaCheck } from '../../../store/published-schemas.ts';
import { type Edited, type PlanFiles, type Refused, refused, taskIn } from './plan-files.ts';
import { reordered } from './task-edits.ts';

export type Shapes = Pick<SchemaCheck, 'check' | 'schema' | 'extension'>;
type SetEdit = Extract<PlanEdit, { kind: 'set' }>;

/** Sets one field of the plan or of a task; a value that does not fit its shape is refused. */
export function setField(files: PlanFiles, edit: SetEdit, shapes: Shapes): Edited {
  const why = protectedField(edit);
  if (why !== null) return refused(why);
  if (edit.task === null) {
    const plan = changed({ edit, name: 'plan', before: files.plan, shape: Plan }, shapes);
    return plan.ok ? { ok: true, value: { ...files, plan: plan.value } } : plan;
  }
  const before = taskIn(files, edit.task);
  if (!before.ok) return before;
  const task = changed({ edit, name: 'task', before: before.value, shape: Task }, shapes);
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

interface Change<T> {
  readonly edit: SetEdit;
  readonly name: 'plan' | 'task';
  readonly before: T;
  readonly shape: z.ZodType<T>;
}

/** Only new faults count: a file that is faulty elsewhere can be fixed step by step. */
function changed<T>({ edit, name, before, shape }: Change<T>, shapes: Shapes): Result<T, Refused> {
  const about = edit.task ?? 'plan';
  const unknown = unknownField(edit, { before, shapes, name });
  if (unknown !== null) return refused(`${about} ${unknown}`);
  const after = withValue({ about, value: before, path: edit.field.split('.'), put: edit.value });
  if (!after.ok) return after;
  const known = new Set(shapes.check(name, before).map(faultText));
  const faults = shapes.check(name, after.value).map((fault) => ({
    field: fault.pointer.split('/').slice(1).join('.'),
    text: faultText(fault),
    message: fault.message,
  }));
  const brought = faults.filter(({ text }) => !known.has(text));
  const fault = brought.find(({ field }) => field === edit.field) ?? brought[0];
  if (fault === undefined) return { ok: true, value: shape.parse(after.value) };
  return refused(
    edit.value === null && fault.field === edit.field
      ? `${about} needs ${edit.field}; give it another value instead of removing it.`
      : `${about} ${fault.field}: ${fault.message}.`,
  );
}

function faultText({ pointer, message }: { pointer: string; message: string }): string {
  return `${pointer} ${message}`;
}

/** Plans and tasks may hold fields of one’s own, so a misspelt name is no fault of the shape. */
function unknownField(
  { task, field }: SetEdit,
  {
    before,
    shapes,
    name,
  }: { readonly before: unknown; readonly shapes: Shapes; readonly name: 'plan' | 'task' },
): string | null {
  const [first = '', ...rest] = field.split('.');
  if (first === '' || rest.includes('')) {
    return `has no field ${JSON.stringify(field)}: a name is empty.`;
  }
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

interface Put {
  /** What the value is, e.g. `TASK-001 files.0`, for the sentence of a refusal. */
  readonly about: string;
  readonly value: unknown;
  readonly path: readonly string[];
  readonly put: unknown;
}

/** A copy of the value with another content at the path; null removes what is there. */
function withValue(at: Put): Result<unknown, Refused> {
  const { about, path, put } = at;
  const [name, ...rest] = path;
  if (name === undefined) return { ok: true, value: put };
  const container = at.value ?? (/^\d+$/.test(name) ? [] : {});
  const removes = rest.length === 0 && put === null;
  const inside = (value: unknown) =>
    withValue({
      about: `${about}${about.includes(' ') ? '.' : ' '}${name}`,
      value,
      path: rest,
      put,
    });
  if (Array.isArray(container)) {
    const { length } = container;
    const index = /^\d{1,6}$/.test(name) ? Number(name) : Infinity;
    if (index > (removes ? length - 1 : length)) return refused(noEntry(at, { length, removes }));
    if (removes) return { ok: true, value: container.toSpliced(index, 1) };
    const entry = inside(container[index]);
    return entry.ok ? { ok: true, value: container.toSpliced(index, 1, entry.value) } : entry;
  }
  if (!isObject(container)) {
    return refused(`${about} is a single value without fields; set it as a whole.`);
  }
  const fields = new Map(Object.entries(container));
  if (removes) {
    if (!fields.delete(name)) return refused(`${about} has no ${name} that could be removed.`);
    return { ok: true, value: Object.fromEntries(fields) };
  }
  const field = inside(fields.get(name));
  if (!field.ok) return field;
  return { ok: true, value: Object.fromEntries(fields.set(name, field.value)) };
}

function noEntry(
  { about, path: [name] }: Put,
  { length, removes }: { readonly length: number; readonly removes: boolean },
): string {
  const has = length === 0 ? 'is an empty list' : `has only the entries up to ${length - 1}`;
  const hint = removes ? '' : `; ${length} adds one`;
  return `${about} ${has}, so there is no entry ${JSON.stringify(name)}${hint}.`;
}
