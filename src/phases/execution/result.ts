// Writes and reads the result of an execution, `execution-result.json`.
import { ExecutionResult, type TaskOutcome } from '../../model/execution.ts';
import {
  countTasks,
  executionText,
  homeChangeText,
  notOnBranchText,
  standInTexts,
} from '../../model/execution-summary.ts';
import type { Published } from '../../git/worktrees.ts';
import { strangerTexts } from '../../git/writing-git.ts';
import type { Task } from '../../model/task.ts';
import { readReading } from '../planning/reading-file.ts';
import { planMarkdown } from '../planning/plan-text.ts';
import { readStoredPlan } from '../planning/read-plan.ts';
import { type Tools, recordStep } from '../phase-tools.ts';
import type { Execution, ExecutionStart } from './execution-team.ts';
import type { HomeChanges } from './home-watch.ts';
import { resultFile } from './read-result.ts';
import { type JoinedWork, resultTree } from './join-work.ts';
import type { CheckedWork } from './joined-checks.ts';
import { noteEnd, noteUndone } from './task-files.ts';
import { steps } from '../../model/steps.ts';
import { redactOutput } from '../../model/secrets.ts';

export const diffFile = 'execution-result.diff';

/** The files of a review, which a new result does not keep. */
const reviewFiles = ['code-review', 'code-review-before-fix'].flatMap((name) => [
  `${name}.json`,
  `${name}.md`,
]);

/** Points the branch of the session at the result, and records the result. */
export async function resultOf(
  { tools, trees, plan, number, signal }: Execution,
  { start, carried }: ExecutionStart,
  {
    commit,
    outcomes,
    conflicts,
    broken,
    fixed,
    home,
  }: JoinedWork & Pick<CheckedWork, 'broken' | 'fixed'> & { readonly home: HomeChanges },
): Promise<ExecutionResult> {
  const step = { tools, signal, step: steps.execution(number).result, input: { commit } };
  const made = async (published: Published | null) => ({
    executionId: `${tools.folder.id}/${number}`,
    status: statusOf(outcomes),
    completionSummary: plan.summary,
    fixedCliId: null,
    number,
    start,
    commit,
    branch: published?.branch ?? null,
    keyOutputs: [...(await trees.changed(start, commit))],
    carried,
    conflicts,
    applied: null,
    ...(await treesOfFailed(trees, outcomes)),
    ...(broken === null ? {} : { broken }),
    ...(fixed === null ? {} : { fixed }),
    ...(home.length === 0 ? {} : { home_changes: home }),
    ...keptOf(published),
    ...summaryOf(outcomes, [
      ...keptTexts(published),
      ...(fixed === null ? [] : [`an agent fixed what failed: ${fixed}`]),
      ...home.map(homeChangeText),
      ...(tools.repository.git ? await strangerTexts({ root: tools.repository.root, signal }) : []),
    ]),
  });
  const result = await recordStep({ ...step, shape: ExecutionResult }, async () => {
    await writeDiff({ tools, trees }, start, commit);
    const published =
      commit === start ? null : await trees.publish(commit, { commit: start, carried });
    for (const text of keptTexts(published)) tools.emit({ type: 'warning.raised', text });
    return await made(published);
  });
  const isJoined = outcomes.every(({ status, commit: own }) => status !== 'failed' || own === null);
  for (const file of reviewFiles) await tools.folder.remove(file);
  const spared = outcomes.some(isKept) ? sharedTrees : undefined;
  if (!isBeingApplied(tools, number)) await trees.reclaim(isJoined ? spared : [resultTree]);
  await writeResult(tools, result);
  const { branch } = result;
  tools.emit({ type: 'execution.finished', number, branch, ...countTasks(outcomes) });
  return result;
}

/** True for a task that failed with work of its agent: its work tree is kept for a person who changes it by hand. */
export function isKept({ status, executor, commit }: TaskOutcome): boolean {
  return status === 'failed' && executor !== null && commit === null;
}

/** The work trees that no task owns. */
const sharedTrees = [resultTree, 'set-up'];

/** The work trees that are kept, by task; undefined if there are none. */
async function treesOfFailed(trees: Execution['trees'], outcomes: readonly TaskOutcome[]) {
  const kept: Record<string, string> = {};
  for (const { task } of outcomes.filter(isKept)) {
    if (await trees.isThere(task)) kept[task] = trees.path(task);
  }
  return Object.keys(kept).length === 0 ? {} : { kept };
}

/** True if the program ended while the result was being applied: its work tree may hold paid work. */
function isBeingApplied(
  { execution: { records } }: Pick<Tools, 'execution'>,
  number: number,
): boolean {
  const { key: result } = steps.execution(number).result;
  const { key: onto } = steps.apply(number).onto;
  const made = records.findLastIndex((one) => one.type === 'finished' && one.key === result);
  const begun = records.findLastIndex((one) => one.type === 'started' && one.key === onto);
  return made !== -1 && begun > made;
}

/** The files that the branch lacks; an earlier result may have named others. */
function keptOf(published: Published | null): Pick<ExecutionResult, 'not_on_branch'> {
  const kept = published?.kept ?? [];
  return { not_on_branch: kept.length === 0 ? undefined : [...kept] };
}

function keptTexts(published: Published | null): readonly string[] {
  const kept = published?.kept ?? [];
  return kept.length === 0 ? [] : [notOnBranchText(kept)];
}

/** Adds a code review to a result: who made it, what speaks against merging, the tasks it completes, the fixes. */
export async function resultAfter(
  { tools, trees }: Pick<Execution, 'tools' | 'trees'>,
  {
    result,
    fixed,
    outcomes,
    home,
    ...reviewed
  }: Pick<ExecutionResult, 'reviewed_by' | 'objections'> & {
    readonly result: ExecutionResult;
    /** The commit with the fixes; null if there are none. */
    readonly fixed: string | null;
    readonly outcomes: readonly TaskOutcome[];
    /** The changes at home since that result. */
    readonly home: HomeChanges;
  },
): Promise<ExecutionResult> {
  for (const [at, outcome] of outcomes.entries()) {
    if (outcome.status !== result.tasks[at]?.status) await noteEnd(tools, outcome);
  }
  const { start, carried } = result;
  const published = fixed === null ? null : await trees.publish(fixed, { commit: start, carried });
  if (fixed !== null) {
    await writeDiff({ tools, trees }, result.start, fixed);
  }
  const commit = fixed ?? result.commit;
  const changed = fixed === null ? result.keyOutputs : await trees.changed(result.start, commit);
  const changes = [...(result.home_changes ?? []), ...home];
  const after = {
    ...result,
    ...reviewed,
    commit,
    keyOutputs: [...changed],
    ...(published === null ? {} : keptOf(published)),
    ...(changes.length === 0 ? {} : { home_changes: changes }),
    ...summaryOf(outcomes, [...notOnBranch(published, result), ...changes.map(homeChangeText)]),
  };
  await writeResult(tools, after);
  return after;
}

function notOnBranch(
  published: Published | null,
  { not_on_branch: before = [] }: ExecutionResult,
): readonly string[] {
  if (published !== null) return keptTexts(published);
  return before.length === 0 ? [] : [notOnBranchText(before)];
}

/** Writes the diff for the report, and for people who look at it before they apply it. */
async function writeDiff(
  { tools, trees }: Pick<Execution, 'tools' | 'trees'>,
  start: string,
  commit: string,
): Promise<void> {
  const diff = await trees.diff(start, { commit });
  await tools.folder.write(diffFile, `${redactOutput(diff)}\n`);
}

/** Writes the result of an execution, for programs and, in `plan.md`, for people. */
export async function writeResult(tools: PlanTools, result: ExecutionResult): Promise<void> {
  await tools.folder.writeJson(resultFile, result);
  await writePlanText(tools, result);
}

/** Removes what an execution wrote besides its branch. */
export async function forgetResult(
  tools: PlanTools,
  { tasks }: { readonly tasks: readonly Task[] },
): Promise<void> {
  for (const file of [resultFile, diffFile, ...reviewFiles]) await tools.folder.remove(file);
  for (const { id } of tasks) await noteUndone(tools, id);
  await writePlanText(tools, null);
}

type PlanTools = Pick<Tools, 'folder' | 'schemas' | 'repository'>;

async function writePlanText(tools: PlanTools, result: ExecutionResult | null): Promise<void> {
  const { folder } = tools;
  const stored = await readStoredPlan(tools);
  if (stored.plan === null) return;
  await folder.write(
    'plan.md',
    planMarkdown({ ...stored, folder, reading: await readReading({ folder }), result }),
  );
}

/** `completed` if every task was executed, proven or not. */
function statusOf(outcomes: readonly TaskOutcome[]): ExecutionResult['status'] {
  const { completed, unproven } = countTasks(outcomes);
  const good = completed + unproven;
  if (good === outcomes.length) return 'completed';
  return good === 0 ? 'failed' : 'partial';
}

/** The part of a result that describes its tasks. */
function summaryOf(
  outcomes: readonly TaskOutcome[],
  more: readonly string[] = [],
): Pick<ExecutionResult, 'tasks' | 'tasksSummary' | 'notes'> {
  const notes = outcomes.flatMap((outcome) => {
    const { task, why, note = '', out_of_scope: outside } = outcome;
    return [
      ...standInTexts(outcome),
      ...[why, note].flatMap((text) => (text === '' ? [] : [`${task}: ${text}`])),
      ...(outside.length === 0
        ? []
        : [`${task} changed files that it does not name: ${outside.join(', ')}`]),
    ];
  });
  const tasksSummary = executionText(countTasks(outcomes));
  return { tasks: [...outcomes], tasksSummary, notes: [...notes, ...more] };
}
