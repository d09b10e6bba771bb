// Joins the work of all tasks to one commit, writes `execution-result.json`, and applies it to the work tree.
import { z } from 'zod';
import { ExecutionContext } from '../../model/execution-context.ts';
import {
  type ExecutorAssignment,
  ExecutionResult,
  TaskEnd,
  type TaskOutcome,
} from '../../model/execution.ts';
import { Stopped } from '../../model/failure.ts';
import { jsonIn } from '../../model/json.ts';
import type { Task } from '../../model/task.ts';
import { counted } from '../../model/wording.ts';
import { planMarkdown } from '../planning/plan-text.ts';
import { readStoredPlan } from '../planning/read-plan.ts';
import { type Tools, recorded } from '../tools.ts';
import { type Execution, type Job, type Opened, executorsFor } from './execution.ts';
import { mergeWork } from './merge-work.ts';
import { noteEnd, noteUndone } from './task-files.ts';
import { steps } from '../../model/steps.ts';

/** The work tree in which the work of all tasks comes together. */
export const resultTree = 'result';

const resultFile = 'execution-result.json';
const contextFile = 'execution-context.json';

type Conflicts = ExecutionResult['conflicts'];

interface Integrated {
  readonly commit: string;
  readonly outcomes: readonly TaskOutcome[];
  readonly conflicts: Conflicts;
}

/** Joins the work of the tasks in the order of the plan. What cannot be joined stays out. */
export async function integrate(
  execution: Execution,
  opened: Opened,
  ended: readonly TaskOutcome[],
): Promise<Integrated> {
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
        ? await leftOut(execution, { ...outcome, commit }, merged.conflicts)
        : outcome,
    );
  }
  return { commit: head, outcomes, conflicts };
}

/** Both sides stay: the work of this task in its own work tree, on its own branch. */
async function leftOut(
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

/** Points the branch of the session at the result, and writes down what it came to. */
export async function resultOf(
  { tools, trees, plan, number, signal }: Execution,
  { start, carried }: Opened,
  { commit, outcomes, conflicts }: Integrated,
): Promise<ExecutionResult> {
  const step = { tools, signal, step: steps.execution(number).result, input: { commit } };
  const result = await recorded({ ...step, shape: ExecutionResult }, async () => ({
    executionId: `${tools.folder.id}/${number}`,
    status: statusOf(outcomes),
    completionSummary: plan.summary,
    fixedCliId: null,
    number,
    start,
    commit,
    branch: commit === start ? null : await trees.publish(commit),
    keyOutputs: [...(await trees.changed(start, commit))],
    carried,
    conflicts,
    applied: null,
    ...summaryOf(outcomes),
  }));
  const isJoined = outcomes.every(({ status, commit: own }) => status !== 'failed' || own === null);
  await trees.reclaim(isJoined ? undefined : [resultTree]);
  await writeResult(tools, result);
  const { branch } = result;
  tools.emit({ type: 'execution.finished', number, branch, ...countsOf(outcomes) });
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
  const changed = fixed === null ? result.keyOutputs : await trees.changed(result.start, commit);
  const after = { ...result, commit, keyOutputs: [...changed], ...summaryOf(outcomes) };
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
  const { completed, unproven } = countsOf(outcomes);
  const good = completed + unproven;
  if (good === outcomes.length) return 'completed';
  return good === 0 ? 'failed' : 'partial';
}

function countsOf(outcomes: readonly TaskOutcome[]): Record<TaskEnd, number> {
  const count = (end: TaskEnd) => outcomes.filter(({ status }) => status === end).length;
  return {
    completed: count('completed'),
    unproven: count('unproven'),
    failed: count('failed'),
    blocked: count('blocked'),
  };
}

/** The summary is e.g. `6 of 8 tasks completed, 1 failed, 1 blocked`. */
function summaryOf(
  outcomes: readonly TaskOutcome[],
): Pick<ExecutionResult, 'tasks' | 'tasksSummary' | 'notes'> {
  const { completed, ...others } = countsOf(outcomes);
  const notes = outcomes.flatMap(({ task, why, out_of_scope: outside }) => [
    ...(why === '' ? [] : [`${task}: ${why}`]),
    ...(outside.length === 0
      ? []
      : [`${task} changed files that it does not name: ${outside.join(', ')}`]),
  ]);
  const parts = [
    `${completed} of ${counted(outcomes.length, 'task')} completed`,
    ...Object.entries(others).flatMap(([end, count]) => (count === 0 ? [] : `${count} ${end}`)),
  ];
  return { tasks: [...outcomes], tasksSummary: parts.join(', '), notes };
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

/** How a result was brought to the user’s work tree. */
export const BroughtHome = z.object({
  how: z.enum(['merged', 'files']),
  branch: z.string().nullable(),
  files: z.array(z.string()),
  backup: z.string().nullable(),
});
export type BroughtHome = z.infer<typeof BroughtHome>;

/** Brings the result home, as a step. Throws `not-applied`, with nothing changed, where it cannot. */
export function bringHome(
  { tools, trees, number, signal }: Pick<Job, 'tools' | 'trees' | 'number' | 'signal'>,
  { commit }: ExecutionResult,
): Promise<BroughtHome> {
  const step = { tools, signal, step: steps.apply(number).done, shape: BroughtHome };
  return recorded({ ...step, input: { commit } }, async () => {
    const applied = await trees.apply(commit);
    if (applied.ok) return { ...applied, files: [...applied.files] };
    const { why, files } = applied;
    const places = files.length === 0 ? '' : `: ${files.slice(0, 8).join(', ')}`;
    throw new Stopped({ reason: 'not-applied', session: tools.folder.id, why: `${why}${places}` });
  });
}

/** What was done, in one clause. */
export function appliedText({ how, branch, files, backup }: BroughtHome): string {
  const where =
    how === 'files'
      ? 'written to your work tree, not committed'
      : `merged into ${branch ?? 'what is checked out'}`;
  const kept = backup === null ? '' : `; what the files held before is in ${backup}`;
  return `${files.length === 1 ? '1 file' : `${files.length} files`} ${where}${kept}`;
}
