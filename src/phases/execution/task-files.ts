import type { TaskOutcome } from '../../model/execution.ts';
import { jsonIn } from '../../model/json.ts';
import { taskFile } from '../../model/plan-rules.ts';
import { Task } from '../../model/task.ts';
import type { Tools } from '../tools.ts';
import { withoutRuntime } from '../planning/approval.ts';
import { fileText } from '../planning/write-plan.ts';

type Files = Pick<Tools, 'folder'>;

/** Writes into its file that a task has begun. */
export async function noteBegin(tools: Files, id: string): Promise<void> {
  await change(tools, id, (task) => ({ ...task, status: 'in_progress' }));
}

/** Writes into its file how a task ended. */
export async function noteEnd(tools: Files, outcome: TaskOutcome): Promise<void> {
  const { task: id, status, why, summary, commit, files_modified, criteria } = outcome;
  await change(tools, id, (task) => ({
    ...task,
    status,
    executed_at:
      task.result?.commit_hash === commit && task.executed_at !== undefined
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

/** Takes out of its file what an execution wrote there. */
export async function noteUndone(tools: Files, id: string): Promise<void> {
  await change(tools, id, withoutRuntime);
}

/** A file that cannot be read as a task any more is left as it is: the outcome stands beside it. */
async function change({ folder }: Files, id: string, made: (task: Task) => Task): Promise<void> {
  const read = Task.safeParse(jsonIn((await folder.read(taskFile(id))) ?? ''));
  if (read.success) await folder.write(taskFile(id), fileText(made(read.data)));
}
