import type { PlanEdit } from '../../../model/plan-edit.ts';
import { planFindings, taskFile } from '../../../model/plan-rules.ts';
import { addTask } from './add-task.ts';
import { deleteTask } from './delete-task.ts';
import { moveTask } from './move-task.ts';
import { type Edited, type PlanFiles, highestNumber, refused } from './plan-files.ts';
import { type Shapes, setField } from './set-field.ts';
import { splitTask } from './split-task.ts';

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
    left = { ...edited.value, lastNumber: lastNumberOf(left) };
  }
  return { ok: true, value: left };
}

/** Also that of a task which the next edit takes out. */
function lastNumberOf({ tasks, lastNumber = 0 }: PlanFiles): number {
  return Math.max(lastNumber, highestNumber(tasks.map(({ id }) => id)));
}

function applyEdit(files: PlanFiles, edit: PlanEdit, shapes: Shapes): Edited {
  switch (edit.kind) {
    case 'set':
      return setField(files, edit, shapes);
    case 'delete':
      return deleteTask(files, edit.task);
    case 'split':
      return splitTask(files, edit);
    case 'move':
      return moveTask(files, edit);
    case 'add':
      return addTask(files, edit);
  }
}

/** The first rule that the plan kept before and does not keep any more; null if there is none. */
export function brokenRule(before: PlanFiles, after: PlanFiles): string | null {
  const known = new Set(blockingTexts(before));
  return blockingTexts(after).find((text) => !known.has(text)) ?? null;
}

function blockingTexts({ plan, tasks }: PlanFiles): readonly string[] {
  const entries = tasks.map((task) => ({ file: taskFile(task.id), task }));
  return planFindings({ plan, tasks: entries })
    .filter(({ severity }) => severity === 'blocking')
    .map(({ message }) => message);
}
