// Joins the work of all tasks to one commit.
import type { ExecutionResult, TaskOutcome } from '../../model/execution.ts';
import { steps } from '../../model/steps.ts';
import { type Execution, executorsFor, type ExecutionStart } from './execution.ts';
import { mergeWork } from './merge-work.ts';
import { noteEnd } from './task-files.ts';

/** The work tree in which the work of all tasks comes together. */
export const resultTree = 'result';

type Conflicts = ExecutionResult['conflicts'];

export interface JoinedWork {
  readonly commit: string;
  readonly outcomes: readonly TaskOutcome[];
  readonly conflicts: Conflicts;
}

/** Joins the work of the tasks in the order of the plan. What cannot be joined stays out. */
export async function joinWork(
  execution: Execution,
  opened: ExecutionStart,
  ended: readonly TaskOutcome[],
): Promise<JoinedWork> {
  const outcomes: TaskOutcome[] = [];
  const conflicts: Conflicts = [];
  let head = opened.start;
  for (const outcome of ended) {
    const { task: id, commit, start } = outcome;
    const task = execution.tasks.find((one) => one.id === id);
    if (commit === null || start === head || task === undefined) {
      head = commit ?? head;
      outcomes.push(outcome);
      continue;
    }
    const merged = await mergeWork({
      ...execution,
      own: steps.join(execution.number, id),
      name: resultTree,
      into: head,
      commit,
      task,
      executors: executorsFor(id, opened),
      there: outcomes.filter((one) => one.commit !== null),
    });
    if (merged.conflicts.length > 0) conflicts.push({ task: id, files: merged.conflicts });
    head = merged.commit ?? head;
    outcomes.push(
      merged.commit === null
        ? await leaveOut(execution, { ...outcome, commit }, merged.conflicts)
        : outcome,
    );
  }
  return { commit: head, outcomes, conflicts };
}

/** Both sides stay: the work of this task in its own work tree, on its own branch. */
async function leaveOut(
  { tools, trees }: Execution,
  outcome: TaskOutcome & { readonly commit: string },
  files: readonly string[],
): Promise<TaskOutcome> {
  const { path } = await trees.make(outcome.task, [outcome.commit]);
  const why = `it conflicts with earlier tasks in ${files.join(', ')}; its work is in ${path}`;
  const failed = { ...outcome, status: 'failed', why } as const;
  await noteEnd(tools, failed);
  return failed;
}
