// Writes status and result of a task into its file, also of one without any work.
import type { TaskOutcome } from '../../model/execution.ts';
import { jsonIn } from '../../model/json.ts';
import { taskFile } from '../../model/plan-rules.ts';
import { Task } from '../../model/task.ts';
import { withoutRuntime } from '../planning/plan-hash.ts';
import { fileText } from '../planning/write-plan.ts';
import type { Tools } from '../phase-tools.ts';

/** Records in the task’s file that it has begun. */
export async function noteBegin(tools: Pick<Tools, 'folder'>, id: string): Promise<void> {
  await changeTask(tools, id, (task) => ({ ...task, status: 'in_progress' }));
}

/** Records in the task’s file how it ended, and tells everybody who watches. */
export async function tellOutcome(
  tools: Pick<Tools, 'folder' | 'emit'>,
  outcome: TaskOutcome,
): Promise<void> {
  const { task, status, why, shown, start, files_modified: files, out_of_scope, note } = outcome;
  await noteEnd(tools, outcome);
  tools.emit({
    type: 'task.finished',
    task,
    status,
    why,
    commit: outcome.commit === start ? null : outcome.commit,
    files,
    out_of_scope,
    ...(shown !== undefined && { shown }),
    ...(note !== undefined && { note }),
  });
}

/** Records in the task’s file how it ended. */
export async function noteEnd(tools: Pick<Tools, 'folder'>, outcome: TaskOutcome): Promise<void> {
  const { task: id, status, why, summary, start, files_modified, criteria } = outcome;
  const commit = outcome.commit === start ? null : outcome.commit;
  await changeTask(tools, id, (task) => ({
    ...task,
    status,
    executed_at:
      (task.result?.commit_hash ?? null) === commit && task.executed_at !== undefined
        ? task.executed_at
        : new Date().toISOString(),
    result: {
      success: status === 'completed',
      files_modified,
      summary,
      ...(why === '' ? {} : { error: why }),
      convergence_verified: criteria,
      ...(commit === null ? {} : { commit_hash: commit }),
    },
  }));
}

/** Removes what an execution wrote from the task’s file. */
export async function noteUndone(tools: Pick<Tools, 'folder'>, id: string): Promise<void> {
  await changeTask(tools, id, withoutRuntime);
}

/** A file that can no longer be read as a task is left as it is; the outcome is also stored elsewhere. */
async function changeTask(
  { folder }: Pick<Tools, 'folder'>,
  id: string,
  made: (task: Task) => Task,
): Promise<void> {
  const read = Task.safeParse(jsonIn((await folder.read(taskFile(id))) ?? ''));
  if (read.success) await folder.write(taskFile(id), fileText(made(read.data)));
}

/** The outcome of a task without any work. */
export function withoutWork(task: Task, end: Pick<TaskOutcome, 'status' | 'why'>): TaskOutcome {
  return {
    task: task.id,
    title: task.title,
    ...end,
    executor: null,
    start: null,
    commit: null,
    files_modified: [],
    out_of_scope: [],
    checks: [],
    fix_rounds: 0,
    criteria: task.convergence.criteria.map(() => false),
    summary: '',
  };
}
