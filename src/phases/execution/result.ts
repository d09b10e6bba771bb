// Publishes the work of an execution, and writes its result, `execution-result.json`.
import { ExecutionResult, type TaskOutcome } from '../../model/execution.ts';
import {
  countTasks,
  executionText,
  homeChangeText,
  notOnBranchText,
  standInTexts,
} from '../../model/execution-summary.ts';
import type { Task } from '../../model/task.ts';
import { readReading } from '../planning/reading-file.ts';
import { planMarkdown } from '../planning/plan-text.ts';
import { readStoredPlan } from '../planning/read-plan.ts';
import { type Tools, recordStep } from '../phase-tools.ts';
import type { Execution, OpenExecution } from './execution-team.ts';
import type { HomeChanges } from './home-watch.ts';
import { resultFile } from './read-result.ts';
import { type CheckedWork, resultTree } from './joined-checks.ts';
import { noteUndone } from './task-files.ts';
import { steps } from '../../model/steps.ts';
import { redactOutput } from '../../model/secrets.ts';

export const diffFile = 'execution-result.diff';

/** The files of a review, which a new result does not keep. */
const reviewFiles = ['code-review', 'code-review-before-fix'].flatMap((name) => [
  `${name}.json`,
  `${name}.md`,
]);

/**
 * Points the branch of the session at a commit with the work of all tasks, and keeps its diff for the report and for
 * people who look at it before they apply it. Returns what a result says of it.
 */
export async function publishWork(
  { tools, trees }: Pick<Execution, 'tools' | 'trees'>,
  { start, carried }: Pick<ExecutionResult, 'start' | 'carried'>,
  commit: string,
): Promise<Pick<ExecutionResult, 'commit' | 'branch' | 'keyOutputs' | 'not_on_branch'>> {
  const diff = await trees.diff(start, { commit });
  await tools.folder.write(diffFile, `${redactOutput(diff)}\n`);
  const begun = { commit: start, carried };
  const { branch, kept } =
    commit === start ? { branch: null, kept: [] } : await trees.publish(commit, begun);
  const not_on_branch = kept.length === 0 ? undefined : [...kept];
  if (not_on_branch !== undefined)
    tools.emit({ type: 'warning.raised', text: notOnBranchText(not_on_branch) });
  return { commit, branch, keyOutputs: [...(await trees.changed(start, commit))], not_on_branch };
}

/** Publishes the joined work of an execution, and records its result. */
export async function resultOf(
  execution: OpenExecution,
  {
    commit,
    outcomes,
    home,
    broken,
    fixed,
    conflicts,
  }: Pick<CheckedWork, 'commit' | 'broken' | 'fixed'> &
    Pick<ExecutionResult, 'conflicts'> & {
      readonly outcomes: readonly TaskOutcome[];
      readonly home: HomeChanges;
    },
): Promise<ExecutionResult> {
  const { tools, trees, plan, number, start, carried } = execution;
  const kept = outcomes.filter(isKept);
  const counts = countTasks(outcomes);
  const good = counts.completed + counts.unproven;
  const step = { ...execution, step: steps.execution(number).result, input: { commit } };
  const result = await recordStep({ ...step, shape: ExecutionResult }, async () => {
    trees.free(resultTree);
    const published = await publishWork(execution, { start, carried }, commit);
    const there: [string, string][] = [];
    for (const { task } of kept) {
      if (await trees.isThere(task)) there.push([task, trees.path(task)]);
    }
    return withSummary({
      executionId: `${tools.folder.id}/${number}`,
      // A task was executed, proven or not.
      status: good === outcomes.length ? 'completed' : good === 0 ? 'failed' : 'partial',
      completionSummary: plan.summary,
      fixedCliId: null,
      number,
      start,
      ...published,
      carried,
      tasks: [...outcomes],
      conflicts,
      applied: null,
      ...(there.length > 0 && { kept: Object.fromEntries(there) }),
      ...(broken !== null && { broken }),
      ...(fixed !== null && { fixed }),
      ...(home.length > 0 && { home_changes: home }),
    });
  });
  for (const file of reviewFiles) await tools.folder.remove(file);
  const isJoined = outcomes.every(({ status, commit: own }) => status !== 'failed' || own === null);
  const unused = kept.length > 0 ? sharedTrees : undefined;
  await Promise.all([
    isBeingApplied(tools, number) ? null : trees.reclaim(isJoined ? unused : [resultTree]),
    writeResult(tools, result),
  ]);
  const { branch } = result;
  tools.emit({ type: 'execution.finished', number, branch, ...counts });
  return result;
}

/** True for a task that failed with work of its agent: its work tree is kept for a person who changes it by hand. */
export function isKept({ status, executor, commit }: TaskOutcome): boolean {
  return status === 'failed' && executor !== null && commit === null;
}

/** The work trees that no task owns. */
const sharedTrees = [resultTree, 'rehearsal', 'set-up'];

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

/** Says in a result how its tasks ended, with notes on them and on the whole. */
export function withSummary(
  made: Omit<ExecutionResult, 'tasksSummary' | 'notes'>,
): ExecutionResult {
  const { tasks, not_on_branch: kept, fixed, home_changes: home = [] } = made;
  const notes = tasks.flatMap((outcome) => {
    const { task, why, note = '', out_of_scope: outside } = outcome;
    return [
      ...standInTexts(outcome),
      ...[why, note].flatMap((text) => (text === '' ? [] : `${task}: ${text}`)),
      ...(outside.length === 0
        ? []
        : [`${task} changed files that it does not name: ${outside.join(', ')}`]),
    ];
  });
  if (kept !== undefined) notes.push(notOnBranchText(kept));
  if (fixed !== undefined) notes.push(`an agent fixed what failed: ${fixed}`);
  return {
    ...made,
    tasksSummary: executionText(countTasks(tasks)),
    notes: [...notes, ...home.map(homeChangeText)],
  };
}
