// Judges the work of a task by its checks and by what a program knows about how they came to pass.
import { checksOf } from '../../model/task.ts';
import { z } from 'zod';
import { CheckRun, type TaskOutcome } from '../../model/execution.ts';
import { steps } from '../../model/steps.ts';
import { listed } from '../../model/wording.ts';
import { recordStep } from '../phase-tools.ts';
import type { TreeJob } from './ask-task.ts';
import { checkEvent, runChecks } from './checks.ts';
import { failedSetUp, NotSetUp } from './prepare-tree.ts';
import { failureOf, isNamed, judge, type Judgement } from './judge.ts';
import { taskTree } from './task-tree.ts';
import { findWeakened, isRun, restoreBefore } from './weakened-checks.ts';

/** The judgement of the work, with what else there is to say about it. */
export interface Judged extends Pick<TaskOutcome, 'note' | 'done_by'> {
  readonly judgement: Judgement;
  readonly rerun?: readonly CheckRun[];
}

/** The state of the work when its agent says that it is done. */
interface SeenWork {
  readonly commit: string;
  readonly before: readonly CheckRun[];
  readonly after: readonly CheckRun[];
  /** The files that the work changed. */
  readonly files: readonly string[];
  readonly left: string | null;
  readonly ignored: readonly string[];
}

/** Judges work by its checks, and then by what a program knows about how they came to pass. */
export async function judgeWork(job: TreeJob, seen: SeenWork): Promise<Judged> {
  const { task } = job;
  const { before, after, files, left, ignored } = seen;
  const judgement = judge({ task, before, after, files, ignored });
  if (left !== null) return { judgement: { ...judgement, status: 'failed', why: left } };
  if (judgement.status === 'completed') return await withEarlierTests(job, seen, judgement);
  const isIdle = files.length === 0 && ignored.length === 0;
  const others = isIdle && !isRed(after) ? await doneBy(job, before) : [];
  if (others.length === 0) return { judgement };
  const criteria = judge({ task, before, after, files: ['-'] }).criteria;
  const note = `its work was done by ${listed(others)}`;
  return { judgement: { status: 'completed', why: '', criteria }, done_by: others, note };
}

function isRed(runs: readonly CheckRun[]): boolean {
  return runs.some(({ passed }) => passed === false);
}

/** The files that the task names and that no commit can contain, as a step. */
export async function ignoredFiles(
  { tools, trees, task, number, signal, tree }: TreeJob,
  { index, commit }: { readonly index: number; readonly commit: string },
): Promise<readonly string[]> {
  const step = steps.task(number, task.id).ignored(index);
  const named = (task.files ?? []).flatMap(({ action, path }) => (action === 'delete' ? [] : path));
  const recorded = { tools, step, input: { commit }, shape: z.array(z.string()), signal };
  return await recordStep(recorded, async () => {
    // A file that is in the commit is not ignored.
    const missing = await trees.missing(commit, named);
    if (missing.length === 0) return [];
    await tree.moveTo(commit);
    return [...(await trees.ignored(task.id, missing))];
  });
}

/**
 * The earlier tasks that already did the work of this one: its checks passed in the clean checkout with which
 * it began, and failed where the execution began.
 */
async function doneBy(job: TreeJob, clean: readonly CheckRun[]): Promise<string[]> {
  const { task, base, start, earlier } = job;
  if (start === base || isRed(clean)) return [];
  // A separate work tree, because the files that the checks left here must not help them there.
  const atBase = { ...job, tree: taskTree(task.id, job) };
  const runs = await runTaskChecks(atBase, { index: 'base', commit: base });
  const isNew = runs.some(
    ({ check, passed }) =>
      passed === false && clean.some((run) => run.check === check && run.passed === true),
  );
  if (!isNew) return [];
  const touching = earlier.filter(({ files_modified: files }) =>
    files.some((path) => isNamed(task, path)),
  );
  return (touching.length > 0 ? touching : earlier).map(({ task: id }) => id);
}

/**
 * Runs the checks again with the earlier tests, if a task changed files that its checks rest on without naming
 * them.
 */
async function withEarlierTests(
  job: TreeJob,
  { commit, files }: SeenWork,
  judgement: Judgement,
): Promise<Judged> {
  const { task, trees, start } = job;
  const work = { trees, start, commit };
  const weakened = await findWeakened({ ...work, tasks: [task], files });
  if (weakened.length === 0) return { judgement };
  const rerun = await runTaskChecks(job, { index: 'rerun', commit, weakened });
  const changed = `it also changed ${listed(weakened)}`;
  const [red] = rerun.filter(({ passed }) => passed === false);
  if (red === undefined) {
    const note = `${changed}; the checks pass as these were before, too`;
    return { judgement, rerun, note };
  }
  const why = `${changed}, and as these were before ${failureOf(red)}`;
  const failing = new Set(rerun.flatMap((run) => (run.passed === false ? run.criterion : [])));
  const criteria = judgement.criteria.map((isShown, index) => isShown && !failing.has(index));
  return { judgement: { status: 'unproven', why, criteria }, rerun };
}

interface CheckPoint {
  /** 0 for the state before the work, then the number of the call; `base` for the start of the execution. */
  readonly index: number | 'base' | 'rerun';
  readonly commit: string;
  /** Files that are restored to their state before the work. */
  readonly weakened?: readonly string[];
}

/** Runs the checks of the task at a commit, as a step. */
export async function runTaskChecks(
  job: TreeJob,
  { index, commit, weakened = [] }: CheckPoint,
): Promise<readonly CheckRun[]> {
  const { tools, trees, task, number, start, signal, tree } = job;
  const own = steps.task(number, task.id);
  const [step, when] =
    typeof index === 'string'
      ? ([own[index], index === 'rerun' ? index : 'before'] as const)
      : ([index === 0 ? own.before : own.after(index), index === 0 ? 'before' : 'after'] as const);
  const checks = checksOf(task).filter((check) => index !== 'rerun' || isRun(check));
  const tell = (run: CheckRun, fromRecord?: boolean) =>
    index === 'base' ? undefined : tools.emit(checkEvent(task.id, when, run), fromRecord);
  const { value, replayed } = await tools.steps.run(
    { ...step, input: { commit }, shape: z.array(CheckRun), signal },
    async () => {
      try {
        await tree.moveTo(commit);
      } catch (error) {
        // If the set-up fails before the work, its agent could not fix that.
        if (!(error instanceof NotSetUp) || index === 0) throw error;
        const run = failedSetUp(error);
        tell(run);
        return [run];
      }
      await restoreBefore(task.id, { trees, start, commit }, weakened);
      return await runChecks(checks, tree.checks, (run) => tell(run));
    },
  );
  if (replayed) for (const run of value) tell(run, true);
  return value;
}
