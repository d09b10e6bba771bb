import { type Edited, type PlanFiles, refused, taskIn } from './plan-files.ts';

/** Gives a task another position in the order, never before what it waits for. */
export function moveTask(
  files: PlanFiles,
  { task: id, to }: { readonly task: string; readonly to: number },
): Edited {
  const moved = taskIn(files, id);
  if (!moved.ok) return moved;
  const last = files.tasks.length - 1;
  if (!Number.isInteger(to) || to < 0 || to > last) {
    return refused(`${id} can stand at a position from 0 to ${last}, not at ${to}.`);
  }
  const rest = files.tasks.filter((task) => task.id !== id);
  const [before, after] = [rest.slice(0, to), rest.slice(to)];
  const needed = after.find((task) => moved.value.depends_on.includes(task.id));
  if (needed !== undefined) {
    return refused(
      `${id} cannot stand at position ${to}: it depends on ${needed.id}, which must come before it; move ${needed.id} first or change what ${id} depends on.`,
    );
  }
  const waiting = before.find((task) => task.depends_on.includes(id));
  if (waiting !== undefined) {
    return refused(
      `${id} cannot stand at position ${to}: ${waiting.id} depends on it and must come after it; move ${waiting.id} first or change what it depends on.`,
    );
  }
  const tasks = [...before, moved.value, ...after];
  const plan = { ...files.plan, task_ids: tasks.map((task) => task.id) };
  return { ok: true, value: { plan, tasks } };
}
