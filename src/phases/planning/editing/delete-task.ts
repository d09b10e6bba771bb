import { type Edited, type PlanFiles, refused, taskIn } from './plan-files.ts';
import { reordered } from './reordered.ts';

/** Takes a task out, and out of what the others wait for. */
export function deleteTask(files: PlanFiles, id: string): Edited {
  const task = taskIn(files, id);
  if (!task.ok) return task;
  if (files.tasks.length === 1) {
    return refused(
      `${id} is the only task, and a plan needs one; add another before you delete it.`,
    );
  }
  const left = files.tasks
    .filter((other) => other.id !== id)
    .map((other) =>
      other.depends_on.includes(id)
        ? { ...other, depends_on: other.depends_on.filter((need) => need !== id) }
        : other,
    );
  return { ok: true, value: reordered(files, left) };
}
