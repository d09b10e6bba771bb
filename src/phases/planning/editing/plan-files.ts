import type { Result } from '../../../model/failure.ts';
import type { Plan } from '../../../model/plan.ts';
import type { Task } from '../../../model/task.ts';

/** A plan with its tasks, in the order of `plan.task_ids`. */
export interface PlanFiles {
  readonly plan: Plan;
  readonly tasks: readonly Task[];
}

/** Why an edit is refused: one sentence that names the task and what is allowed. */
export interface Refused {
  readonly message: string;
}

export type Edited = Result<PlanFiles, Refused>;

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

/** A task id that the plan does not have, above all that it has. */
export function nextId(tasks: readonly Task[]): string {
  const numbers = tasks.map(({ id }) => Number(/^TASK-(\d{1,6})$/i.exec(id)?.[1] ?? 0));
  return `TASK-${String(Math.max(0, ...numbers) + 1).padStart(3, '0')}`;
}
