// Joins the work of tasks in one commit: merges with git, and gives a conflict to an agent once.
import type { ExecutionResult, TaskOutcome } from '../../model/execution.ts';
import { flowOf, joinOf, steps } from '../../model/steps.ts';
import { ancestry } from '../../model/task-order.ts';
import { digestOf } from '../../store/digest.ts';
import { isRecorded, recordStep } from '../phase-tools.ts';
import { resolveConflict } from './ask-for-work.ts';
import { executorsFor, Merged, type OpenExecution, taskWith } from './execution-team.ts';
import { failuresText } from './judge.ts';
import { resultTree, runJoined } from './joined-checks.ts';
import { listOwned } from './record-checks.ts';
import { faultOfTree } from './task-tree.ts';

export interface JoinedWork {
  readonly commit: string;
  /** The tasks whose work came in; each brings along the tasks that it builds on. */
  readonly heads: readonly string[];
  /** The work that could not be joined, with the files in conflict. */
  readonly leftOut: readonly { readonly task: string; readonly files: readonly string[] }[];
}

/**
 * Joins the work of the tasks that have ended, in the order of the plan: as the result, or as the start of a task,
 * which is not joined further than to the first conflict. Nothing is merged twice.
 */
export async function joinWork(
  execution: OpenExecution,
  ended: readonly TaskOutcome[],
  begun: string | null = null,
): Promise<JoinedWork> {
  const { number, tasks, start } = execution;
  const comesAfter = ancestry(tasks) ?? (() => false);
  const good = ended.flatMap((one) => {
    const { commit } = one;
    return commit === null || commit === one.start ? [] : { ...one, commit };
  });
  const heads: string[] = [];
  const leftOut: { task: string; files: readonly string[] }[] = [];
  const isIn = ({ task }: { readonly task: string }) =>
    heads.some((head) => head === task || comesAfter(head, task));
  let head = start;
  for (;;) {
    const open = good.filter((one) => !isIn(one) && leftOut.every(({ task }) => task !== one.task));
    const next = open.find(({ task }) => !open.some((other) => comesAfter(other.task, task)));
    if (next === undefined || (begun !== null && leftOut.length > 0)) break;
    const { task, commit } = next;
    const isNext = head === start || head === next.start;
    const merged = isNext
      ? { commit, conflicts: [] }
      : await mergeWork(execution, {
          own: begun === null ? steps.join(number, task) : steps.join(number, begun, heads.length),
          name: begun ?? resultTree,
          into: head,
          commit,
          task,
          names: executorsFor(begun ?? task, execution),
          there: good.filter(isIn),
        });
    if (merged.commit === null) leftOut.push({ task, files: merged.conflicts });
    else {
      head = merged.commit;
      heads.push(task);
    }
  }
  return { commit: head, heads, leftOut };
}

/** The conflicts of an execution so far. */
export async function conflictsIn({
  merges,
}: Pick<OpenExecution, 'merges'>): Promise<ExecutionResult['conflicts']> {
  const all = await Promise.all(
    [...merges.values()].map(async ({ task, merged }) => {
      const { commit, conflicts } = await merged;
      return { task, files: [...conflicts], resolved: commit !== null };
    }),
  );
  return all.filter(({ files }) => files.length > 0);
}

/** The reason if git refuses a merge for something other than a conflict. */
export const notJoined =
  'git cannot join it with the work of earlier tasks: somebody changed commits or branches meanwhile';

/** A merge of one task’s work into the work of others. */
interface Merging {
  readonly own: ReturnType<typeof steps.join>;
  /** The name of the work tree in which it is done. */
  readonly name: string;
  readonly into: string;
  readonly commit: string;
  /** The task whose work is merged in. */
  readonly task: string;
  /** The agent that resolves a conflict, followed by its stand-ins in order. */
  readonly names: readonly string[];
  /** The tasks whose work is already included. */
  readonly there: readonly TaskOutcome[];
}

/** Merges with git; a conflict is given to an agent once, and the same merge is made once. */
function mergeWork(execution: OpenExecution, merging: Merging): Promise<Merged> {
  const { tools, number, merges } = execution;
  const { into, commit, task } = merging;
  const key = digestOf({ into, commit });
  const known = merges.get(key);
  if (known !== undefined) return known.merged;
  // An earlier run may have made the same merge on the way to another task.
  const { group } = steps.execution(number);
  const found = tools.execution.records.findLast(
    (record) =>
      record.type === 'finished' &&
      record.input === key &&
      flowOf(record.key) === group &&
      isRecorded(tools, record),
  );
  const own = (found?.type === 'finished' ? joinOf(found.key) : null) ?? merging.own;
  const merged = merge(execution, { ...merging, own });
  merges.set(key, { task, merged });
  return merged;
}

async function merge(execution: OpenExecution, merging: Merging): Promise<Merged> {
  const { tools, trees, tasks, commitStyle } = execution;
  const { own, name, into, commit, task: id } = merging;
  const task = taskWith(id, tasks);
  // So worded that programs that check messages accept it.
  const words = commitStyle === 'plain' ? `Merge ${id}` : `Merge branch '${id}'`;
  const message = `${words}: ${task.title}`;
  const step = { ...execution, step: own.attempt, input: { into, commit }, shape: Merged };
  const tried = await recordStep(step, async () => {
    try {
      return await trees.merge(name, [into, commit], message);
    } catch (error) {
      if (faultOfTree(error) === null) throw error;
      return { commit: null, conflicts: [] };
    }
  });
  const { conflicts: files } = tried;
  if (tried.commit !== null || files.length === 0) return tried;
  let resolved: string | null = null;
  try {
    const made = await resolveConflict(execution, {
      ...merging,
      call: own.conflict,
      parents: [into, commit],
      files,
      message,
      folder: `execution/${execution.number}/${id}/conflict`,
      of: id,
      works: [task],
      before: merging.there.map((one) => `${one.task}, ${one.title}`),
    });
    const why = made === null ? null : await whyRefused(execution, merging, { made, files });
    if (why === null) resolved = made;
    else refuse(`on it ${why}.`);
  } catch (error) {
    // The agent may have left a work tree that git cannot read.
    const why = faultOfTree(error);
    if (why === null) throw error;
    refuse(why);
  }
  tools.emit({
    type: 'merge.conflicted',
    task: id,
    files: [...files],
    resolved: resolved !== null,
  });
  return { commit: resolved, conflicts: files };

  function refuse(why: string) {
    const text = `The merge of ${id} is not accepted: ${why}`;
    tools.emit({ type: 'warning.raised', text });
  }
}

/** Says which checks of both sides fail on the agent’s resolution; null if none does. */
async function whyRefused(
  execution: OpenExecution,
  { own, name, task, there }: Merging,
  { made, files }: { readonly made: string; readonly files: readonly string[] },
): Promise<string | null> {
  const others = there.filter((one) => one.files_modified.some((path) => files.includes(path)));
  const ids = [task, ...others.map((one) => one.task)];
  const checks = listOwned(execution.tasks, (_, { id }) => ids.includes(id));
  const run = { step: own.checks, commit: made, checks, round: 0 };
  const red = (await runJoined(execution, name, run)).filter(({ passed }) => passed === false);
  return red.length === 0 ? null : failuresText(red);
}
