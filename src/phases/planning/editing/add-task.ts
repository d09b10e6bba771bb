import { oneLine, sentence } from '../../../model/wording.ts';
import { newTask } from './new-task.ts';
import { type Edited, type PlanFiles, nextId, refused, taskIn } from './plan-files.ts';
import { reordered } from './reordered.ts';

/** Puts a new task behind another one, or first; it waits for nothing yet. */
export function addTask(
  files: PlanFiles,
  { after, title }: { readonly after: string | null; readonly title: string },
): Edited {
  const name = oneLine(title);
  if (name === '') return refused('A new task needs a title; say in a few words what it does.');
  if (after !== null) {
    const before = taskIn(files, after);
    if (!before.ok) return before;
  }
  const at = files.tasks.findIndex(({ id }) => id === after) + 1;
  const id = nextId(files);
  const added = newTask({ id, title: name, description: sentence(name), dependsOn: [] });
  return { ok: true, value: reordered(files, files.tasks.toSpliced(at, 0, added)) };
}
