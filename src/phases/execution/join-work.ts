// Joins the work of all tasks to one commit.
import type { ExecutionResult, TaskOutcome } from '../../model/execution.ts';
import { steps } from '../../model/steps.ts';
import { ancestry } from '../../model/task-order.ts';
import { type Execution, executorsFor, type ExecutionStart, type Merges } from './execution.ts';
import { mergeWork } from './merge-work.ts';
import { noteEnd } from './task-files.ts';

/** The work tree in which the work of all tasks comes together. */
export const resultTree = 'result';

/** The joined work after a merge. */
export interface Head {
  /** Its work came in last, with that of all it depends on. */
  readonly task: string;
  readonly commit: string;
}

export interface JoinedWork {
  readonly commit: string;
  readonly outcomes: readonly TaskOutcome[];
  readonly conflicts: ExecutionResult['conflicts'];
  /** In order, one for each task that nothing else builds on. */
  readonly heads: readonly Head[];
}

/**
 * Joins the work of the tasks in the order of the plan; what others build on comes with them, so
 * that nothing is merged twice. What cannot be joined stays out.
 */
export async function joinWork(
  execution: Execution & { readonly merges: Merges },
  opened: ExecutionStart,
  ended: readonly TaskOutcome[],
): Promise<JoinedWork> {
  const comesAfter = ancestry(execution.tasks) ?? (() => false);
  const good = ended.filter(({ commit, start }) => commit !== null && commit !== start);
  const heads: Head[] = [];
  const leftOut = new Map<string, TaskOutcome>();
  const isIn = ({ task }: TaskOutcome) =>
    heads.some((head) => head.task === task || comesAfter(head.task, task));
  const next = () => {
    const open = good.filter((one) => !leftOut.has(one.task) && !isIn(one));
    return open.find(({ task }) => !open.some((other) => comesAfter(other.task, task)));
  };
  let head = opened.start;
  for (let outcome = next(); outcome !== undefined; outcome = next()) {
    const { task: id, commit, start } = outcome;
    const task = execution.tasks.find((one) => one.id === id);
    if (commit === null || task === undefined) throw new Error(`${id} has no work to join`);
    const isNext = head === opened.start || head === start;
    const merged = isNext
      ? { commit, conflicts: [] }
      : await mergeWork({
          ...execution,
          own: steps.join(execution.number, id),
          name: resultTree,
          into: head,
          commit,
          task,
          executors: executorsFor(id, opened),
          there: good.filter(isIn),
        });
    if (merged.commit === null) {
      leftOut.set(id, await leaveOut(execution, { ...outcome, commit }, merged.conflicts));
    } else {
      head = merged.commit;
      heads.push({ task: id, commit: head });
    }
  }
  const outcomes = ended.map((outcome) => leftOut.get(outcome.task) ?? outcome);
  return { commit: head, outcomes, conflicts: await conflictsIn(execution.merges), heads };
}

async function conflictsIn(merges: Merges): Promise<ExecutionResult['conflicts']> {
  const all = await Promise.all(
    [...merges.values()].map(async ({ task, merged }) => ({
      task,
      files: (await merged).conflicts,
    })),
  );
  return all.filter(({ files }) => files.length > 0);
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
