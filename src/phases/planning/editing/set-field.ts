import type { Result } from '../../../model/failure.ts';
import { Plan } from '../../../model/plan.ts';
import { Task, runtimeTaskFields } from '../../../model/task.ts';
import type { SchemaCheck } from '../../../store/published-schemas.ts';
import { type Edited, type PlanFiles, type Refused, refused, taskIn } from './plan-files.ts';
import { putAt } from './put-at.ts';
import { reordered } from './reordered.ts';

export type Shapes = Pick<SchemaCheck, 'check' | 'schema' | 'extension'>;

interface SetField {
  readonly task: string | null;
  readonly field: string;
  readonly value: unknown;
}

/** Sets one field of the plan or of a task; a value that does not fit its shape is refused. */
export function setField(files: PlanFiles, edit: SetField, shapes: Shapes): Edited {
  const own = protectedField(edit);
  if (own !== null) return refused(own);
  if (edit.task === null) {
    const plan = changed({ ...edit, name: 'plan', before: files.plan, shape: Plan }, shapes);
    return plan.ok ? { ok: true, value: { ...files, plan: plan.value } } : plan;
  }
  const before = taskIn(files, edit.task);
  if (!before.ok) return before;
  const task = changed({ ...edit, name: 'task', before: before.value, shape: Task }, shapes);
  if (!task.ok) return task;
  const tasks = files.tasks.map((other) => (other.id === edit.task ? task.value : other));
  const orders = /^depends_on(?:\.|$)/.test(edit.field);
  return { ok: true, value: orders ? reordered(files, tasks) : { ...files, tasks } };
}

/** Fields that follow from something else, or that execution writes. */
function protectedField({ task, field }: SetField): string | null {
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

interface Change<T> extends SetField {
  readonly name: 'plan' | 'task';
  readonly before: T;
  readonly shape: {
    safeParse(value: unknown):
      | { success: true; data: T }
      | {
          success: false;
          error: { issues: readonly { path: readonly PropertyKey[]; message: string }[] };
        };
  };
}

/** Only what the edit brought counts: a file that is faulty elsewhere can be mended in steps. */
function changed<T>(edit: Change<T>, shapes: Shapes): Result<T, Refused> {
  const { name, before, shape, field, value: content } = edit;
  const about = edit.task ?? 'plan';
  const path = field.split('.');
  if (path.includes(''))
    return refused(`${about} has no field ${JSON.stringify(field)}: a name is empty.`);
  const extension = shapes.extension(name);
  const schemas = [shapes.schema(name), ...(extension === null ? [] : [extension])];
  const put = putAt({ about, value: before, schemas, path, content });
  if (!put.ok) return put;
  const known = new Set(shapes.check(name, before).map(textOf));
  const fault = shapes.check(name, put.value).find((one) => !known.has(textOf(one)));
  if (fault !== undefined) return refused(`${about} ${dotted(fault.pointer)}: ${fault.message}.`);
  const parsed = shape.safeParse(put.value);
  if (parsed.success) return { ok: true, value: parsed.data };
  const issue = parsed.error.issues[0];
  return refused(
    `${about} ${(issue?.path ?? path).join('.')}: ${issue?.message ?? 'does not fit'}.`,
  );
}

function textOf({ pointer, message }: { pointer: string; message: string }): string {
  return `${pointer} ${message}`;
}

function dotted(pointer: string): string {
  return pointer.split('/').slice(1).join('.');
}
