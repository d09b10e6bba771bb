import type { Result } from '../../../model/failure.ts';
import { jsonIn } from '../../../model/json.ts';
import { Plan } from '../../../model/plan.ts';
import { Task } from '../../../model/task.ts';
import { jsonFault } from '../../validating/json-fault.ts';
import type { StoredPlan } from '../read-plan.ts';
import { brokenRule } from './apply-edit.ts';
import { type PlanFiles, type Refused, refused } from './plan-files.ts';
import type { Shapes } from './set-field.ts';

/**
 * What a whole file from an editor makes of the plan. `files` is null where the plan cannot be
 * judged as a whole, because another file is unreadable or missing.
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
}): Result<{ readonly files: PlanFiles | null; readonly value: Plan | Task }, Refused> {
  const content = jsonIn(text);
  if (content === undefined) return refused(`${file} is no JSON: ${faultText(text)}.`);
  const name = file === 'plan.json' ? 'plan' : 'task';
  const [fault] = shapes.check(name, content);
  if (fault !== undefined) return refused(`${file}${fault.pointer}: ${fault.message}.`);
  if (name === 'plan') {
    const plan = Plan.parse(content);
    return judged(stored, plan, (files) => withPlan(files, { plan, leftOver: leftOverOf(stored) }));
  }
  const task = Task.parse(content);
  if (file !== `.task/${task.id}.json`) {
    return refused(`${file} must keep the id that is its name, not ${JSON.stringify(task.id)}.`);
  }
  return judged(stored, task, ({ plan, tasks }) => ({
    plan,
    tasks: tasks.map((other) => (other.id === task.id ? task : other)),
  }));
}

function judged(
  stored: StoredPlan,
  value: Plan | Task,
  change: (files: PlanFiles) => PlanFiles,
): ReturnType<typeof replacedFile> {
  if (stored.plan === null) return { ok: true, value: { files: null, value } };
  const files = change(stored);
  const broken = brokenRule(stored, files);
  return broken === null ? { ok: true, value: { files, value } } : refused(broken);
}

/** The list of ids may be another one; an id without a file is named by the rules. */
function withPlan(
  { tasks }: PlanFiles,
  { plan, leftOver }: { readonly plan: Plan; readonly leftOver: readonly Task[] },
): PlanFiles {
  const byId = new Map([...tasks, ...leftOver].map((task) => [task.id, task]));
  return { plan, tasks: plan.task_ids.flatMap((id) => byId.get(id) ?? []) };
}

function leftOverOf(stored: StoredPlan): readonly Task[] {
  return stored.plan === null ? [] : stored.leftOver;
}

function faultText(text: string): string {
  const fault = jsonFault(text);
  return fault === null
    ? 'its content cannot be read'
    : `line ${fault.line}, column ${fault.column}: ${fault.message}`;
}
