import type { Task } from '../../../model/task.ts';
import { oneLine } from '../../../model/wording.ts';
import { newTask } from './new-task.ts';
import { type Edited, type PlanFiles, nextId, refused, taskIn } from './plan-files.ts';
import { reordered } from './reordered.ts';

/**
 * Makes several tasks of one, each waiting for the part before. The first keeps the id and all of
 * the content; whoever waited for the whole waits for the last part.
 */
export function splitTask(
  files: PlanFiles,
  { task: id, titles }: { readonly task: string; readonly titles: readonly string[] },
): Edited {
  const whole = taskIn(files, id);
  if (!whole.ok) return whole;
  const names = titles.map(oneLine);
  if (names.length < 2 || names.includes('')) {
    return refused(`Splitting ${id} takes at least two titles, one for each part.`);
  }
  const parts = partsOf(whole.value, { names, files });
  const last = parts.at(-1)?.id ?? id;
  const tasks = files.tasks.flatMap((other) =>
    other.id === id ? parts : [waitingFor(other, { id, last })],
  );
  return { ok: true, value: reordered(files, tasks) };
}

function partsOf(
  whole: Task,
  { names, files }: { readonly names: readonly string[]; readonly files: PlanFiles },
): readonly Task[] {
  const parts: Task[] = [{ ...whole, title: names[0] ?? whole.title }];
  for (const [index, title] of names.slice(1).entries()) {
    const part = newTask({
      id: nextId({ ...files, tasks: [...files.tasks, ...parts] }),
      title,
      description: `Part ${index + 2} of ${names.length} of what was ${whole.id}, "${whole.title}": ${title}`,
      dependsOn: [parts.at(-1)?.id ?? whole.id],
    });
    parts.push({
      ...part,
      ...(whole.type === undefined ? {} : { type: whole.type }),
      ...(whole.priority === undefined ? {} : { priority: whole.priority }),
      // Keeps the plan check able to find the solution’s task that this part carries out.
      ...(whole.source === undefined ? {} : { source: whole.source }),
    });
  }
  return parts;
}

function waitingFor(
  task: Task,
  { id, last }: { readonly id: string; readonly last: string },
): Task {
  if (!task.depends_on.includes(id)) return task;
  return { ...task, depends_on: task.depends_on.map((need) => (need === id ? last : need)) };
}
