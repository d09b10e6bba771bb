import { ExecutionContext } from '../../model/execution-context.ts';
import {
  type ExecutorAssignment,
  ExecutionResult,
  type TaskOutcome,
} from '../../model/execution.ts';
import { jsonIn } from '../../model/json.ts';
import type { Plan } from '../../model/plan.ts';
import { counted } from '../../model/wording.ts';
import type { Task } from '../../model/task.ts';
import { planMarkdown } from '../planning/plan-text.ts';
import { readStoredPlan } from '../planning/read-plan.ts';
import { type Tools, recorded } from '../tools.ts';
import type { Execution, Opened } from './execution.ts';
import { mergeWork } from './merge-work.ts';
import { noteEnd, noteUndone } from './task-files.ts';

/** The work tree in which the work of all tasks comes together. */
export const resultTree = 'result';

const resultFile = 'execution-result.json';
const contextFile = 'execution-context.json';

interface Integrated {
  readonly commit: string;
  readonly outcomes: readonly TaskOutcome[];
  readonly conflicts: readonly { task: string; files: string[] }[];
}

/** Joins the work of the tasks in the order of the plan. What cannot be joined stays out. */
export async function integrate(
  execution: Execution,
  given: { readonly opened: Opened; readonly outcomes: readonly TaskOutcome[] },
): Promise<Integrated> {
  const { number, tasks } = execution;
  let head = given.opened.start;
  const outcomes: TaskOutcome[] = [];
  const conflicts: { task: string; files: string[] }[] = [];
  const there: { id: string; title: string }[] = [];
  for (const outcome of given.outcomes) {
    const { task: id, title, commit, start } = outcome;
    const task = tasks.find((one) => one.id === id);
    let kept = outcome;
    if (commit !== null && start === head) head = commit;
    else if (commit !== null && task !== undefined) {
      const executor = given.opened.byTask[id]?.executor ?? '';
      const backups = given.opened.ready.filter((name) => name !== executor);
      const group = `execution-${number}/${id}/merge`;
      const merging = { ...execution, group, name: resultTree, into: head, commit, there };
      const merged = await mergeWork({ ...merging, task, executor, backups });
      if (merged.conflicts.length > 0) conflicts.push({ task: id, files: [...merged.conflicts] });
      if (merged.commit === null) {
        // Both sides stay: the work of this task in its own work tree, on its own branch.
        const { path } = await execution.trees.make(id, [commit]);
        const why = `it conflicts with earlier tasks in ${merged.conflicts.join(', ')}; its work is in ${path}`;
        kept = { ...outcome, status: 'failed', why };
        await noteEnd(execution.tools, kept);
      }
      head = merged.commit ?? head;
    }
    if (commit !== null) there.push({ id, title });
    outcomes.push(kept);
  }
  return { commit: head, outcomes, conflicts };
}

/** Points the branch of the session at the result, and writes down what it came to. */
export async function resultOf(
  { tools, trees, number, signal }: Execution,
  {
    plan,
    opened,
    commit,
    outcomes,
    conflicts,
  }: Integrated & { readonly plan: Plan; readonly opened: Opened },
): Promise<ExecutionResult> {
  const isJoined = outcomes.every(({ status, commit: own }) => status !== 'failed' || own === null);
  const step = {
    tools,
    signal,
    group: `execution-${number}`,
    name: 'result',
    shape: ExecutionResult,
  };
  const result = await recorded({ ...step, input: { commit } }, async () => {
    const isChanged = commit !== opened.start;
    const branch = isChanged ? await trees.publish(commit) : null;
    const files = await trees.changed(opened.start, commit);
    return {
      executionId: `${tools.folder.id}/${number}`,
      status: statusOf(outcomes),
      tasksSummary: summaryOf(outcomes),
      completionSummary: plan.summary,
      keyOutputs: [...files],
      notes: notesOf(outcomes),
      fixedCliId: null,
      number,
      start: opened.start,
      commit,
      branch,
      carried: opened.carried,
      tasks: [...outcomes],
      conflicts: [...conflicts],
      applied: null,
    };
  });
  await trees.reclaim(isJoined ? undefined : [resultTree]);
  await writeResult(tools, result);
  const count = (status: TaskOutcome['status']) =>
    outcomes.filter((one) => one.status === status).length;
  tools.emit({
    type: 'execution.finished',
    number,
    branch: result.branch,
    completed: count('completed'),
    unproven: count('unproven'),
    failed: count('failed'),
    blocked: count('blocked'),
  });
  return result;
}

/** The result after a code review: what it accepted counts, and so does what was put right. */
export async function resultAfter(
  { tools, trees }: Pick<Execution, 'tools' | 'trees'>,
  {
    result,
    fixed,
    outcomes,
  }: {
    readonly result: ExecutionResult;
    /** The commit with what was put right; null where nothing was. */
    readonly fixed: string | null;
    readonly outcomes: readonly TaskOutcome[];
  },
): Promise<ExecutionResult> {
  for (const [at, outcome] of outcomes.entries()) {
    if (outcome.status !== result.tasks[at]?.status) await noteEnd(tools, outcome);
  }
  if (fixed !== null) await trees.publish(fixed);
  const commit = fixed ?? result.commit;
  const after = {
    ...result,
    commit,
    keyOutputs:
      fixed === null ? result.keyOutputs : [...(await trees.changed(result.start, commit))],
    tasksSummary: summaryOf(outcomes),
    notes: notesOf(outcomes),
    tasks: [...outcomes],
  };
  await writeResult(tools, after);
  return after;
}

/** Writes down what an execution came to, for programs and, in `plan.md`, for people. */
export async function writeResult(tools: PlanPlace, result: ExecutionResult): Promise<void> {
  await tools.folder.writeJson(resultFile, result);
  await writePlanText(tools, result);
}

/** Takes away what an execution wrote beside its branch. */
export async function forgetResult(
  tools: PlanPlace,
  { tasks }: { readonly tasks: readonly Task[] },
): Promise<void> {
  await tools.folder.remove(resultFile);
  for (const { id } of tasks) await noteUndone(tools, id);
  await writePlanText(tools, null);
}

type PlanPlace = Pick<Tools, 'folder' | 'schemas' | 'repository'>;

async function writePlanText(tools: PlanPlace, result: ExecutionResult | null): Promise<void> {
  const { folder } = tools;
  const stored = await readStoredPlan(tools);
  if (stored.plan === null) return;
  await folder.write('plan.md', planMarkdown({ ...stored, folder, result }));
}

/** What the last execution of a session came to; null where there is none, or none that can be read. */
export async function readResult({
  folder,
}: Pick<Tools, 'folder'>): Promise<ExecutionResult | null> {
  return ExecutionResult.safeParse(jsonIn((await folder.read(resultFile)) ?? '')).data ?? null;
}

/** `completed` where every task was carried out, be it proven or not. */
function statusOf(outcomes: readonly TaskOutcome[]): ExecutionResult['status'] {
  const good = outcomes.filter(({ status }) => status === 'completed' || status === 'unproven');
  if (good.length === outcomes.length) return 'completed';
  return good.length === 0 ? 'failed' : 'partial';
}

/** E.g. `6 of 8 tasks completed, 1 failed, 1 blocked`. */
function summaryOf(outcomes: readonly TaskOutcome[]): string {
  const count = (status: string) => outcomes.filter((one) => one.status === status).length;
  const others = ['unproven', 'failed', 'blocked'].filter((status) => count(status) > 0);
  const parts = [
    `${count('completed')} of ${counted(outcomes.length, 'task')} completed`,
    ...others.map((status) => `${count(status)} ${status}`),
  ];
  return parts.join(', ');
}

function notesOf(outcomes: readonly TaskOutcome[]): string[] {
  return outcomes.flatMap(({ task, why, out_of_scope: outside }) => [
    ...(why === '' ? [] : [`${task}: ${why}`]),
    ...(outside.length === 0
      ? []
      : [`${task} changed files that it does not name: ${outside.join(', ')}`]),
  ]);
}

/** Adds to `execution-context.json` who carries out which task. */
export async function noteAssignments(
  { folder }: Pick<Tools, 'folder'>,
  executorAssignments: Readonly<Record<string, ExecutorAssignment>>,
): Promise<void> {
  const read = ExecutionContext.safeParse(jsonIn((await folder.read(contextFile)) ?? ''));
  if (!read.success) return;
  await folder.writeJson(contextFile, { ...read.data, executorAssignments });
}
