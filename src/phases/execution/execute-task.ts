// Executes one task: its checks, the work, the checks again, rounds of fixes; completed, unproven or failed.
import { z } from 'zod';
import type { AgentSession } from '../../agents/agent-session.ts';
import { steps } from '../../model/steps.ts';
import { CheckRun, TaskOutcome } from '../../model/execution.ts';
import type { Task } from '../../model/task.ts';
import { digestOf } from '../../store/digest.ts';
import type { JournalRecord } from '../../store/journal.ts';
import { listed } from '../../model/wording.ts';
import { withoutRuntime } from '../planning/approval.ts';
import { isRecorded, recordStep } from '../tools.ts';
import { askTask, type TreeJob } from './ask-task.ts';
import { checkEvent, checksOf, runChecks } from './checks.ts';
import type { TaskJob } from './execution.ts';
import { failureOf, isNamed, judge, type Judgement, outOfScope } from './judge.ts';
import { NotSetUp, taskTree } from './task-tree.ts';
import { findWeakened, isRun, restoreBefore } from './weakened-checks.ts';

/** An agent may put right so often what the checks found. */
const mostFixes = 2;

/**
 * Carries one task out: its checks before the work, the work, its checks after it, and up to two
 * rounds of fixes. Each is a step, so that a resume goes on where it stopped; what an agent did is
 * committed within the step of its call.
 */
export async function executeTask(job: TaskJob): Promise<TaskOutcome> {
  const { tools, task, start } = job;
  const known = findEarlierEnd(tools.execution.records, job);
  if (known !== null) return await recordOutcome(job, async () => known);
  const inTree = { ...job, tree: taskTree(task.id, job) };
  try {
    const before = await runTaskChecks(inTree, { index: 0, commit: start });
    const done = await work(inTree, before);
    return await recordOutcome(job, () =>
      'why' in done ? noWork(job, done) : outcomeOf(inTree, done),
    );
  } catch (error) {
    if (!(error instanceof NotSetUp)) throw error;
    return await recordOutcome(job, () => noWork(job, { why: error.message }));
  }
}

/** The work of a task when no further call follows. */
interface DoneWork extends Judged {
  readonly agent: string;
  readonly commit: string;
  readonly summary: string;
  readonly session: AgentSession | null;
  readonly before: readonly CheckRun[];
  readonly after: readonly CheckRun[];
  readonly fixes: number;
  /** Files that it changed. */
  readonly files: readonly string[];
}

/** What the work is worth, with what else is to be told of it. */
interface Judged extends Pick<TaskOutcome, 'note' | 'done_by'> {
  readonly judgement: Judgement;
  readonly rerun?: readonly CheckRun[];
}

/** Why there is nothing of it, with the checks that ran before. */
interface MissingWork {
  readonly why: string;
  readonly before?: readonly CheckRun[];
}

async function work(job: TreeJob, before: readonly CheckRun[]): Promise<DoneWork | MissingWork> {
  const { trees, start, session } = job;
  let answer = await askTask(job, { fix: 0, commit: start, problems: [], session });
  if (answer.commit === null) return { why: answer.why, before };
  for (let fixes = 0; ; fixes += 1) {
    const { commit, left } = answer;
    const after = await runTaskChecks(job, { index: fixes + 1, commit });
    const files = await trees.changed(start, commit);
    const seen = { ...answer, before, after, fixes, files };
    const ignored = await ignoredFiles(job, { index: fixes + 1, commit });
    const done = { ...seen, ...(await judgeWork(job, { ...seen, ignored })) };
    const isOver = done.judgement.status !== 'failed' || left !== null || fixes === mostFixes;
    if (isOver) return done;
    const problems = problemsOf(after, done.judgement.why);
    const call = { fix: fixes + 1, commit, problems, session: answer.session };
    const fixed = await askTask(job, call);
    if (fixed.commit === null) return done;
    answer = fixed;
  }
}

interface SeenWork extends Pick<DoneWork, 'commit' | 'before' | 'after' | 'files'> {
  readonly left: string | null;
  readonly ignored: readonly string[];
}

/** By its checks, then by what a program knows of how they came to pass. */
async function judgeWork(job: TreeJob, seen: SeenWork): Promise<Judged> {
  const { task } = job;
  const { before, after, files, left, ignored } = seen;
  const judgement = judge({ task, before, after, files, ignored });
  if (left !== null) return { judgement: { ...judgement, status: 'failed', why: left } };
  if (judgement.status === 'completed') return await withEarlierTests(job, seen, judgement);
  const isDone = files.length === 0 && after.some(({ passed }) => passed === true);
  const others = isDone && ignored.length === 0 ? await doneBy(job, after) : [];
  if (others.length === 0) return { judgement };
  const criteria = judge({ task, before, after, files: ['-'] }).criteria;
  const note = `its work was done by ${listed(others)}`;
  return { judgement: { status: 'completed', why: '', criteria }, done_by: others, note };
}

/** The files that the task names and that no commit can hold, as a step. */
async function ignoredFiles(
  { tools, trees, task, number, signal, tree }: TreeJob,
  { index, commit }: { readonly index: number; readonly commit: string },
): Promise<readonly string[]> {
  const own = steps.task(number, task.id);
  const step = own.ignored(index);
  if (isRecorded(tools, own.finish) && !isRecorded(tools, step)) return [];
  const named = (task.files ?? []).flatMap(({ action, path }) => (action === 'delete' ? [] : path));
  const recorded = { tools, step, input: { commit }, shape: z.array(z.string()), signal };
  return await recordStep(recorded, async () => {
    await tree.moveTo(commit);
    return [...(await trees.ignored(task.id, named))];
  });
}

/**
 * The tasks before this one that did its work, where all its checks pass now, and failed where the
 * execution began.
 */
async function doneBy(job: TreeJob, after: readonly CheckRun[]): Promise<string[]> {
  const { task, base, start, earlier } = job;
  if (start === base || after.some(({ passed }) => passed === false)) return [];
  if (isEndedBefore(job, 'base')) return [];
  // A work tree of its own: what the checks left here must not help them there.
  const atBase = { ...job, tree: taskTree(task.id, job) };
  const runs = await runTaskChecks(atBase, { index: 'base', commit: base });
  const isNew = runs.some(
    ({ check, passed }) =>
      passed === false && after.some((run) => run.check === check && run.passed === true),
  );
  if (!isNew) return [];
  const touching = earlier.filter(({ files_modified: files }) =>
    files.some((path) => isNamed(task, path)),
  );
  return (touching.length > 0 ? touching : earlier).map(({ task: id }) => id);
}

/** A task that changed what its checks rest on, unnamed, has to pass them as that was before, too. */
async function withEarlierTests(
  job: TreeJob,
  { commit, files }: SeenWork,
  judgement: Judgement,
): Promise<Judged> {
  const { task, trees, start } = job;
  const work = { trees, start, commit };
  const weakened = await findWeakened({ ...work, tasks: [task], files });
  if (weakened.length === 0 || isEndedBefore(job, 'rerun')) return { judgement };
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

function problemsOf(after: readonly CheckRun[], why: string): readonly string[] {
  const failed = after.filter(({ passed }) => passed === false);
  if (failed.length === 0) return [why];
  return failed.map(({ check, note, output }) =>
    [`${check}: ${note}`, output.trim()].filter((text) => text !== '').join('\n'),
  );
}

/** True where an earlier version ended the task without that step. */
function isEndedBefore({ tools, number, task }: TreeJob, name: 'base' | 'rerun'): boolean {
  const own = steps.task(number, task.id);
  return isRecorded(tools, own.finish) && !isRecorded(tools, own[name]);
}

interface CheckPoint {
  /** 0 is before the work, then each call; `base` where the execution began. */
  readonly index: number | 'base' | 'rerun';
  readonly commit: string;
  /** Files that are put to what they were before the work. */
  readonly weakened?: readonly string[];
}

/** The checks of the task at a commit, as a step. */
async function runTaskChecks(
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
      await tree.moveTo(commit);
      await restoreBefore(task.id, { trees, start, commit }, weakened);
      return await runChecks(checks, tree.checks, (run) => tell(run));
    },
  );
  if (replayed) for (const run of value) tell(run, true);
  return value;
}

/** Ends the task, as a step. */
function recordOutcome(job: TaskJob, end: () => Promise<TaskOutcome>): Promise<TaskOutcome> {
  const { tools, task, number, start, signal } = job;
  const step = { tools, signal, step: steps.task(number, task.id).finish };
  return recordStep({ ...step, input: finishInput(task, start), shape: TaskOutcome }, end);
}

/** The end of a task hangs on its own content, and the commit that it began from. */
function finishInput(task: Task, start: string): unknown {
  return { task: withoutRuntime(task), start };
}

/** The end of the same task in an earlier execution, if its work counts. */
function findEarlierEnd(
  records: readonly JournalRecord[],
  { task, start, number }: TaskJob,
): TaskOutcome | null {
  const input = digestOf(finishInput(task, start));
  const keys = new Set(
    Array.from({ length: number - 1 }, (_, before) => steps.task(before + 1, task.id).finish.key),
  );
  const found = records.findLast(
    (record) => record.type === 'finished' && keys.has(record.key) && record.input === input,
  );
  const outcome = found?.type === 'finished' ? TaskOutcome.safeParse(found.result).data : undefined;
  return outcome === undefined || outcome.commit === null ? null : outcome;
}

async function noWork(
  { task, start }: TaskJob,
  { why, before = [] }: MissingWork,
): Promise<TaskOutcome> {
  return { ...withoutWork(task, { status: 'failed', why }), start, before: [...before] };
}

/** The work as one commit, if it counts; of work that failed, what it changed is kept for people. */
async function outcomeOf(
  { tools, trees, task, number, start, tree }: TreeJob,
  done: DoneWork,
): Promise<TaskOutcome> {
  const { agent, commit, summary, session, before, after, fixes, files, judgement } = done;
  const { status, why, criteria } = judgement;
  const outcome: TaskOutcome = {
    ...withoutWork(task, { status, why }),
    executor: agent,
    start,
    files_modified: [...files],
    out_of_scope: outOfScope(task, files),
    before: [...before],
    after: [...after],
    fix_rounds: fixes,
    criteria: [...criteria],
    summary,
    ...(done.note === undefined ? {} : { note: done.note }),
    ...(done.rerun === undefined ? {} : { rerun: [...done.rerun] }),
    ...(done.done_by === undefined ? {} : { done_by: done.done_by }),
    ...(session === null ? {} : { agent_session: { id: session.id, tokens: session.tokens } }),
  };
  if (status === 'failed') {
    const diff = await trees.diff(start, { commit });
    await tools.folder.write(`execution/${number}/${task.id}/changes.diff`, diff);
    return outcome;
  }
  await tree.moveTo(commit);
  const message = `${task.title}\n\nConclave-Task: ${tools.folder.id}/${task.id}`;
  return { ...outcome, commit: await tree.commit(start, message) };
}

/** The end of a task of which nothing is left. */
export function withoutWork(task: Task, end: Pick<TaskOutcome, 'status' | 'why'>): TaskOutcome {
  return {
    task: task.id,
    title: task.title,
    ...end,
    executor: null,
    start: null,
    commit: null,
    files_modified: [],
    out_of_scope: [],
    before: [],
    after: [],
    fix_rounds: 0,
    criteria: task.convergence.criteria.map(() => false),
    summary: '',
  };
}
