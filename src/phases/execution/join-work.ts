// Joins the work of all tasks in one commit: merges with git, and gives a conflict to an agent once.
import type { ExecutionResult, TaskOutcome } from '../../model/execution.ts';
import { flowOf, joinOf, steps } from '../../model/steps.ts';
import { type Task, checksOf } from '../../model/task.ts';
import { ancestry } from '../../model/task-order.ts';
import { conflictPrompt } from '../../prompts/execute-prompt.ts';
import { digestOf } from '../../store/digest.ts';
import { isRecorded, promptBasics, recordStep } from '../phase-tools.ts';
import {
  type Execution,
  executorsFor,
  type ExecutionStart,
  type Job,
  Merged,
  type Merges,
} from './execution-team.ts';
import { failuresText } from './judge.ts';
import { recordChecks } from './record-checks.ts';
import { resolveConflict } from './resolve-conflict.ts';
import { noteEnd } from './task-files.ts';
import { taskTree } from './task-tree.ts';
import { faultOfTree } from './tree-fault.ts';

/** The work tree in which the work of all tasks is joined. */
export const resultTree = 'result';

export interface JoinedWork {
  readonly commit: string;
  readonly outcomes: readonly TaskOutcome[];
  readonly conflicts: ExecutionResult['conflicts'];
  /** The last task whose work came in; null if there is none. */
  readonly last: string | null;
}

/**
 * Joins the work of the tasks in the order of the plan; a task brings along the tasks it depends on, so that
 * nothing is merged twice. Work that cannot be joined is left out.
 */
export async function joinWork(
  execution: Execution & { readonly merges: Merges },
  opened: ExecutionStart,
  ended: readonly TaskOutcome[],
): Promise<JoinedWork> {
  const comesAfter = ancestry(execution.tasks) ?? (() => false);
  const good = ended.filter(({ commit, start }) => commit !== null && commit !== start);
  const heads: string[] = [];
  const leftOut = new Map<string, TaskOutcome>();
  const isIn = ({ task }: TaskOutcome) =>
    heads.some((head) => head === task || comesAfter(head, task));
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
      heads.push(id);
    }
  }
  const outcomes = ended.map((outcome) => leftOut.get(outcome.task) ?? outcome);
  return {
    commit: head,
    outcomes,
    conflicts: await conflictsIn(execution.merges),
    last: heads.at(-1) ?? null,
  };
}

async function conflictsIn(merges: Merges): Promise<ExecutionResult['conflicts']> {
  const all = await Promise.all(
    [...merges.values()].map(async ({ task, merged }) => {
      const { commit, conflicts: files } = await merged;
      return { task, files, resolved: commit !== null };
    }),
  );
  return all.filter(({ files }) => files.length > 0);
}

/** Leaves the work of a task out of the joined work; it stays in its own work tree, on its own branch. */
async function leaveOut(
  { tools, trees }: Execution,
  outcome: TaskOutcome & { readonly commit: string },
  files: readonly string[],
): Promise<TaskOutcome> {
  const failed = {
    ...outcome,
    status: 'failed',
    why: await whyLeftOut(trees, outcome, files),
  } as const;
  await noteEnd(tools, failed);
  return failed;
}

async function whyLeftOut(
  trees: Execution['trees'],
  { task, commit }: { readonly task: string; readonly commit: string },
  files: readonly string[],
): Promise<string> {
  if (files.length === 0) return `${notJoined}; its commit is ${commit.slice(0, 10)}`;
  const { path } = await trees.make(task, [commit]);
  return `it conflicts with earlier tasks in ${files.join(', ')}; its work is in ${path}`;
}

/** The reason if git refuses a merge for something other than a conflict. */
export const notJoined =
  'git cannot join it with the work of earlier tasks: somebody changed commits or branches meanwhile';

/** A merge of one task’s work into the work of others. */
interface Merging extends Job {
  readonly own: ReturnType<typeof steps.join>;
  /** The name of the work tree in which it is done. */
  readonly name: string;
  readonly into: string;
  readonly commit: string;
  /** The task whose work is merged in. */
  readonly task: Task;
  readonly tasks: readonly Task[];
  /** The agent that resolves a conflict, followed by its stand-ins in order. */
  readonly executors: readonly string[];
  /** The tasks whose work is already included. */
  readonly there: readonly TaskOutcome[];
  readonly merges: Merges;
}

/** Merges with git; a conflict is given to an agent once, and the same merge is made once. */
export function mergeWork(merging: Merging): Promise<Merged> {
  const { merges, into, commit, task } = merging;
  const key = `${into} ${commit}`;
  const known = merges.get(key);
  if (known !== undefined) return known.merged;
  const merged = merge({ ...merging, own: recordedOwn(merging) ?? merging.own });
  merges.set(key, { task: task.id, merged });
  return merged;
}

/** The steps of the same merge, if an earlier run made it on the way to another task. */
function recordedOwn({ tools, number, into, commit }: Merging): Merging['own'] | null {
  const input = digestOf({ into, commit });
  const { group } = steps.execution(number);
  const found = tools.execution.records.findLast(
    (record) =>
      record.type === 'finished' &&
      record.input === input &&
      flowOf(record.key) === group &&
      isRecorded(tools, record),
  );
  return found?.type === 'finished' ? joinOf(found.key) : null;
}

async function merge(merging: Merging): Promise<Merged> {
  const { tools, trees, own, name, into, commit, task, signal } = merging;
  const step = { tools, step: own.attempt, input: { into, commit }, shape: Merged, signal };
  const tried = await recordStep(step, async () => {
    try {
      const { head, conflicts } = await trees.make(name, [into, commit], messageFor(merging));
      return { commit: conflicts.length === 0 ? head : null, conflicts: [...conflicts] };
    } catch (error) {
      if (faultOfTree(error) === null) throw error;
      return { commit: null, conflicts: [] };
    }
  });
  if (tried.commit !== null || tried.conflicts.length === 0) return tried;
  const { conflicts: files } = tried;
  const resolved = await resolve(merging, files);
  const event = { type: 'merge.conflicted', task: task.id, files } as const;
  tools.emit({ ...event, resolved: resolved !== null });
  return { commit: resolved, conflicts: files };
}

/** Resolves a conflict; null if that fails, or if the agent left a work tree that git cannot read. */
async function resolve(merging: Merging, files: readonly string[]): Promise<string | null> {
  try {
    const answer = await ask(merging, files);
    return answer !== null && (await isProven(merging, answer, files)) ? answer : null;
  } catch (error) {
    const why = faultOfTree(error);
    if (why === null) throw error;
    const text = `The merge of ${merging.task.id} is not accepted: ${why}`;
    merging.tools.emit({ type: 'warning.raised', text });
    return null;
  }
}

function ask(merging: Merging, files: readonly string[]): Promise<string | null> {
  const { tools, own, into, commit, task, number, there } = merging;
  return resolveConflict({
    ...merging,
    call: own.conflict,
    parents: [into, commit],
    files,
    message: messageFor(merging),
    folder: `execution/${number}/${task.id}/conflict`,
    meaning: { task: task.id, into, commit },
    promptFor: async (agent) =>
      conflictPrompt({
        ...promptBasics(tools, agent, number),
        of: task.id,
        files,
        works: [task],
        before: there.map(({ task: id, title }) => `${id}, ${title}`),
      }),
  });
}

/** True if the checks of both sides pass on the agent’s resolution. */
async function isProven(
  merging: Merging,
  commit: string,
  files: readonly string[],
): Promise<boolean> {
  const { tools, tasks, task, there, own, name } = merging;
  const others = there.filter(({ files_modified: changed }) =>
    changed.some((path) => files.includes(path)),
  );
  const ids = [task.id, ...others.map((one) => one.task)];
  const checks = tasks.flatMap((one) =>
    ids.includes(one.id) ? checksOf(one).map((check) => ({ check, tasks: [one.id] })) : [],
  );
  const runs = await recordChecks(merging, {
    step: own.checks,
    tree: taskTree(name, merging),
    commit,
    checks,
    moment: 'joined',
    round: 0,
    files: 'joined',
    when: 'joined',
  });
  const red = runs.filter(({ passed }) => passed === false);
  if (red.length === 0) return true;
  const text = `The merge of ${task.id} is not accepted: on it ${failuresText(red)}.`;
  tools.emit({ type: 'warning.raised', text });
  return false;
}

/** The message of a merge commit, worded so that programs that check messages accept it. */
function messageFor({ task: { id, title }, commitStyle }: Merging): string {
  return commitStyle === 'plain' ? `Merge ${id}: ${title}` : `Merge branch '${id}': ${title}`;
}
