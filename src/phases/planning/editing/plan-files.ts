import type { Result } from '../../../model/failure.ts';
import type { Plan } from '../../../model/plan.ts';
import type { Task } from '../../../model/task.ts';

/** A plan with its tasks, in the order of `plan.task_ids`. */
export interface PlanFiles {
  readonly plan: Plan;
  readonly tasks: readonly Task[];
  /** The highest number that a task of the session ever had; those of these tasks count anyway. */
  readonly lastNumber?: number;
}

/** Why an edit is refused: one sentence that names the field or task, and what is allowed. */
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

/** 7 for `TASK-007` and lower ones; 0 where no id has a number. */
export function highestNumber(ids: readonly string[]): number {
  return Math.max(0, ...ids.map((id) => Number(/^TASK-(\d{1,6})$/i.exec(id)?.[1] ?? 0)));
}
