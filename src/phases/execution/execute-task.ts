// Executes one task: its checks, the work, the checks again, rounds of fixes; completed, unproven or failed.
import { z } from 'zod';
import { checkName, isLook } from '../../model/check.ts';
import type { CheckRecord } from '../../model/check-record.ts';
import { TaskOutcome } from '../../model/execution.ts';
import { checksAfter, checksBefore } from '../../model/execution-summary.ts';
import { steps } from '../../model/steps.ts';
import { checksOf } from '../../model/task.ts';
import { byHand } from '../../model/team.ts';
import { recordStep } from '../phase-tools.ts';
import {
  askForFix,
  askTask,
  type NoWork,
  problemsOf,
  type TaskWork,
  type TreeJob,
} from './ask-task.ts';
import { isNamed } from './belonging.ts';
import { noDispute, putDispute } from './dispute.ts';
import type { TaskJob } from './execution-team.ts';
import { judge, testTypes, turnedChecks } from './judge.ts';
import { proofIn } from './laid-proofs.ts';
import { type ChecksToRun, recordChecks } from './record-checks.ts';
import { retriesOf } from './retries.ts';
import { seeWork, startWithTests } from './see-work.ts';
import { withoutWork } from './task-files.ts';
import {
  type DoneWork,
  findEarlierEnd,
  findEarlierWork,
  finishInput,
  outcomeOf,
} from './task-outcome.ts';
import { faultOfTree, taskTree } from './task-tree.ts';

/** The most times that an agent may fix what the checks found. */
const mostFixes = 2;

/**
 * Executes one task: its checks before the work, the work, its checks afterwards, and up to two rounds of
 * fixes. Each is a step, so that a resume continues where it stopped; an agent’s changes are committed within
 * the step of its call.
 */
export async function executeTask(job: TaskJob): Promise<TaskOutcome> {
  const { task, number, parent } = job;
  const step = { ...job, step: steps.task(number, task.id).finish, input: finishInput(job) };
  const finish = (made: () => Promise<TaskOutcome>) =>
    recordStep({ ...step, shape: TaskOutcome }, made);
  const fail = (why: string, checks: Records = []) =>
    finish(async () => ({
      ...withoutWork(task, { status: 'failed', why }),
      start: parent,
      checks: [...checks],
    }));
  const known = findEarlierEnd(job);
  if (known !== null) return await finish(async () => known);
  const place = { ...job, tree: taskTree(task.id, job) };
  try {
    const hand = job.executors[0] === byHand ? await takeHandWork(job) : null;
    const before = await runOwn(place, { moment: 'before', commit: parent });
    const earlier = findEarlierWork(job);
    const first = earlier?.work ?? hand ?? (await askTask(place));
    if (!('why' in first)) {
      const told = { isByHand: first === hand, earlier: earlier?.outcome ?? null };
      const done = await work(place, { before, first, ...told });
      return await finish(() => outcomeOf(done));
    }
    const { why, isResting = false } = first;
    // Without a record of its end, it begins with the next command.
    return isResting ? withoutWork(task, { status: 'blocked', why }) : await fail(why, before);
  } catch (error) {
    const why = faultOfTree(error);
    if (why === null) throw error;
    return await fail(why);
  }
}

type Records = readonly CheckRecord[];

/** Commits what a person changed in the work tree that was kept after the task had failed, as a step. */
async function takeHandWork(job: TaskJob): Promise<TaskWork | NoWork> {
  const { trees, task, number, start } = job;
  const step = { ...job, step: steps.task(number, task.id).byHand, shape: z.string().nullable() };
  const commit = await recordStep(step, async () => {
    if (!(await trees.isThere(task.id))) return null;
    const message = `${task.id}: by hand`;
    return (await trees.commit(task.id, { parents: [start], message })) ?? start;
  });
  if (commit !== null)
    return { commit, summary: 'Done by hand.', agent: byHand, session: null, left: null };
  const path = trees.path(task.id);
  return { why: `its work tree ${path} is gone, so there is nothing done by hand` };
}

/** Checks work and has it fixed, until nothing is wrong or nobody fixes it any more. */
async function work(
  job: TreeJob,
  {
    before,
    first,
    isByHand,
    earlier,
  }: Pick<DoneWork, 'earlier'> & {
    readonly before: Records;
    readonly first: TaskWork;
    /** True for the work of a person, which no agent fixes. */
    readonly isByHand: boolean;
  },
): Promise<DoneWork> {
  const { tools, trees, task } = job;
  const { rechecks } = tools.execution.settings;
  let [place, answer, records, dispute, fixes] = [job, first, before, noDispute, 0];
  for (let round = 1; ; round += 1) {
    const { commit, left, summary: said } = answer;
    const seen = await seeWork(place, { index: round, commit });
    records = [...records, ...(await checkWork(place, { seen, round, before: records }))];
    const others = await doneBy(place, { seen, records });
    const judgement = judge({ ...seen, task, records, left, others, rechecks });
    const done = { ...answer, place, seen, records, judgement, fixes, others, earlier };
    if (judgement.status !== 'failed' || left !== null || earlier !== null)
      return { ...done, dispute };
    const isLast = isByHand || fixes === mostFixes;
    const put = await putDispute(place, dispute, { records, round, isLast, said });
    ({ dispute } = put);
    if (put.job !== place) {
      place = put.job;
      const { start, parent } = place;
      const again = await runOwn(place, { moment: 'before', round, commit: parent });
      records = [...records, ...again];
      // What it changed in proofs is dropped once more, and told.
      const paths = [...seen.files, ...seen.dropped];
      answer = { ...answer, commit: await trees.compose({ start, of: commit, paths }) };
      continue;
    }
    const problems = problemsOf(records, judgement.why);
    const fixed = isLast ? null : await askForFix(place, answer, { index: fixes + 1, problems });
    if (fixed === null || 'why' in fixed) return { ...done, dispute };
    fixes += 1;
    answer = fixed;
  }
}

/**
 * Runs the checks on the start with what belongs to the work, then those that fail there with everything that
 * was changed, and those that turned green on the start once more, with the tests that the task names.
 */
async function checkWork(
  job: TreeJob,
  {
    seen,
    round,
    before,
  }: Pick<DoneWork, 'seen'> & { readonly round: number; readonly before: Records },
): Promise<Records> {
  const { commit, proof, files, facts } = seen;
  const after = await runOwn(job, { moment: 'after', round, commit: proof });
  const only = after.filter(({ passed }) => passed === false);
  if (only.length > 0) {
    if (proof === commit) return after;
    return [
      ...after,
      ...(await runOwn(job, { moment: 'after', round, commit, files: 'all', only })),
    ];
  }
  const isOfTests = testTypes.has(job.task.type ?? '');
  const turned = turnedChecks([...before, ...after]).filter(({ kind }) => !isLook(kind));
  const isNothing = files.length === 0 || facts.ignored.length > 0;
  const isEnough = turned.length === 0 || isOfTests || isNothing;
  if (isEnough || !job.tools.execution.settings.rechecks) return after;
  // Each may need what the checks before it leave, such as a build.
  const last = after.findLastIndex((run) => turned.includes(run));
  const again = await runOwn(job, {
    moment: 'again',
    round,
    only: after.slice(0, last + 1).filter(({ kind }) => !isLook(kind)),
    doubted: turned.map(({ check }) => check),
    input: { commit },
    commit: () => startWithTests(job, seen),
    files: 'tests',
  });
  return [...after, ...again];
}

interface OwnRun extends Pick<ChecksToRun, 'moment' | 'commit' | 'input' | 'doubted'> {
  readonly round?: number;
  /** By default the start before the work, and what belongs to the work after it. */
  readonly files?: 'base' | 'start' | 'work' | 'all' | 'tests';
  /** The checks to run; by default all. */
  readonly only?: Records;
}

/** Runs the checks of the task, as a step. */
function runOwn(job: TreeJob, { only, ...run }: OwnRun): Promise<Records> {
  const { task, number, tree, laid, rehearsed = [] } = job;
  const { moment, round = 0, files = moment === 'before' ? 'start' : 'work' } = run;
  const own = steps.task(number, task.id);
  const start = round === 0 ? own.before : own.mended(round);
  const { base, again: tests, after, all } = own;
  const isAlone = moment === 'before' || moment === 'again';
  const checks = checksOf(task).flatMap((check) => {
    const proof = proofIn(check, laid);
    const isElsewhere = proof === undefined && proofIn(check, job.proofs) !== undefined;
    const isLeft = only?.every((one) => one.check !== checkName(check)) === true;
    if (isElsewhere || isLeft) return [];
    return { check, tasks: [task.id], proof: isAlone ? proof : undefined };
  });
  // A person may have put something right since.
  const isRetried = retriesOf(job.tools.execution.records, task.id).length > 0;
  return recordChecks(job, {
    ...run,
    step: { base, start, tests, work: after(round), all: all(round) }[files],
    tree,
    checks,
    known: moment === 'before' && round === 0 && !isRetried ? rehearsed : [],
    tellsBare: job.isLast && moment === 'after',
    round,
    files,
    when: files === 'base' ? null : files === 'all' ? 'all' : moment,
  });
}

/**
 * The earlier tasks that already did the work of this one, which changed nothing: its checks pass where it
 * began, and fail where the execution began.
 */
async function doneBy(
  job: TreeJob,
  { seen, records }: Pick<DoneWork, 'seen' | 'records'>,
): Promise<readonly string[]> {
  const { task, base, parent, earlier } = job;
  const clean = checksBefore(records);
  const isIdle = seen.files.length === 0 && seen.facts.ignored.length === 0;
  const isGood = [...clean, ...checksAfter(records)].every(({ passed }) => passed !== false);
  if (!isIdle || !isGood || parent === base) return [];
  // A separate work tree, because the files that the checks left here must not help them there.
  const atBase = { ...job, tree: taskTree(task.id, job) };
  const runs = await runOwn(atBase, { moment: 'before', files: 'base', commit: base });
  const red = runs.filter(({ passed }) => passed === false);
  if (!red.some(({ check }) => clean.some((run) => run.check === check && run.passed === true)))
    return [];
  const touching = earlier.filter((one) => one.files_modified.some((path) => isNamed(task, path)));
  return (touching.length > 0 ? touching : earlier).map(({ task: id }) => id);
}
