import type { Result } from '../../../model/failure.ts';
import { jsonIn } from '../../../model/json.ts';
import type { PlanEdit } from '../../../model/plan-edit.ts';
import { planFindings, taskFile } from '../../../model/plan-rules.ts';
import { Plan } from '../../../model/plan.ts';
import { Task } from '../../../model/task.ts';
import { jsonFault } from '../../validating/json-fault.ts';
import type { StoredPlan } from '../read-plan.ts';
import { type Shapes, hasProtoName, setField } from './set-field.ts';
import {
  type Edited,
  type PlanFiles,
  type Refused,
  refused,
  taskAdded,
  taskDeleted,
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
