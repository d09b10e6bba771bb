// Executes one task: its checks, the work, the checks again, rounds of fixes; completed, unproven or failed.
import type { AgentSession } from '../../agents/agent-session.ts';
import { z } from 'zod';
import { commitSubject } from '../../model/commit-style.ts';
import { steps } from '../../model/steps.ts';
import { type CheckRun, TaskOutcome } from '../../model/execution.ts';
import type { Task } from '../../model/task.ts';
import { byHand } from '../../model/team.ts';
import { listed } from '../../model/wording.ts';
import { foldFinishedSteps } from '../../store/recorded-steps.ts';
import { digestOf } from '../../store/digest.ts';
import { withoutRuntime } from '../planning/plan-hash.ts';
import { recordStep } from '../phase-tools.ts';
import { askTask, type TaskAnswer, type TreeJob } from './ask-task.ts';
import type { TaskJob } from './execution-team.ts';
import { findHeldChecks, offerUnconfined } from './held-checks.ts';
import { type Judged, ignoredFiles, judgeWork, runTaskChecks } from './judge-work.ts';
import { outOfScope } from './judge.ts';
import { retriesOf, sinceDiscarded } from './retries.ts';
import { taskTree } from './task-tree.ts';
import { faultOfTree } from './tree-fault.ts';

/** The most times that an agent may fix what the checks found. */
const mostFixes = 2;

/**
 * Executes one task: its checks before the work, the work, its checks afterwards, and up to two rounds of
 * fixes. Each is a step, so that a resume continues where it stopped; an agent’s changes are committed within
 * the step of its call.
 */
export async function executeTask(job: TaskJob): Promise<TaskOutcome> {
  const { task, start } = job;
  const known = findEarlierEnd(job);
  if (known !== null) return await recordOutcome(job, async () => known);
  const inTree = { ...job, tree: taskTree(task.id, job) };
  try {
    const hand = job.executors[0] === byHand ? await takeHandWork(job) : null;
    const before = await runTaskChecks(inTree, { index: 0, commit: start });
    const done = await work(inTree, before, hand);
    // Without a record of its end, it begins with the next command.
    if ('isResting' in done) return withoutWork(task, { status: 'blocked', why: done.why });
    return await recordOutcome(job, () =>
      'why' in done ? noWork(job, done) : outcomeOf(inTree, done),
    );
  } catch (error) {
    const why = faultOfTree(error);
    if (why === null) throw error;
    return await recordOutcome(job, () => noWork(job, { why }));
  }
}

/** The work of a task after its last call. */
interface DoneWork extends Judged {
  readonly agent: string;
  readonly commit: string;
  readonly summary: string;
  readonly session: AgentSession | null;
  readonly before: readonly CheckRun[];
  readonly after: readonly CheckRun[];
  readonly fixes: number;
  /** The files that the work changed. */
  readonly files: readonly string[];
  /** True for a commit of an earlier execution, on which others may build. */
  readonly isFinal?: boolean;
}

/** The reason why there is no work, with the checks that ran before. */
interface MissingWork {
  readonly why: string;
  readonly before?: readonly CheckRun[];
  /** True if it was not begun, as only agents that rest could do it. */
  readonly isResting?: true;
}

/** Commits what a person changed in the work tree that was kept after the task had failed, as a step. */
async function takeHandWork({
  tools,
  trees,
  task,
  number,
  start,
  signal,
}: TaskJob): Promise<TaskAnswer> {
  const step = { tools, signal, step: steps.task(number, task.id).byHand };
  const commit = await recordStep({ ...step, shape: z.string().nullable() }, async () => {
    if (!(await trees.isThere(task.id))) return null;
    const message = `${task.id}: by hand`;
    return (await trees.commit(task.id, { parents: [start], message })) ?? start;
  });
  return commit === null
    ? {
        commit,
        why: `its work tree ${trees.path(task.id)} is gone, so there is nothing done by hand`,
      }
    : { commit, summary: 'Done by hand.', agent: byHand, session: null, left: null };
}

async function work(
  job: TreeJob,
  before: readonly CheckRun[],
  hand: TaskAnswer | null,
): Promise<DoneWork | MissingWork> {
  const { trees, start, session } = job;
  const earlier = findEarlierWork(job);
  const end = recordedEnd(job);
  let answer =
    earlier === null
      ? (hand ?? (await askTask(job, { fix: 0, commit: start, problems: [], session })))
      : answerOf(earlier, job);
  if (answer.commit === null) {
    return { why: answer.why, before, ...(answer.isResting === true ? { isResting: true } : {}) };
  }
  for (let fixes = 0; ; fixes += 1) {
    const { commit, left } = answer;
    const after = await runTaskChecks(job, { index: fixes + 1, commit });
    // Once the task has ended, the commits of its agent may be gone, because no branch holds them.
    const files = end?.files_modified ?? (await trees.changed(start, commit));
    const seen = { ...answer, before, after, fixes, files };
    const ignored = await ignoredFiles(job, { index: fixes + 1, commit });
    const place = { ...job, start: end?.start ?? start };
    const judged = await judgeWork(place, { ...seen, commit: end?.commit ?? commit, ignored });
    if (earlier !== null) return { ...seen, ...checkedAgain(judged, job), isFinal: true };
    const done = { ...seen, ...judged };
    const cannotFix = left !== null || fixes === mostFixes || hand !== null;
    const isOver = done.judgement.status !== 'failed' || cannotFix;
    if (isOver && fixes >= (end?.fix_rounds ?? 0)) return done;
    const problems = problemsOf(after, done.judgement.why);
    const call = { fix: fixes + 1, commit, problems, session: answer.session };
    const fixed = await askTask(job, call);
    if (fixed.commit === null) return done;
    answer = fixed;
  }
}

/** The recorded end of the task in this execution; null if it has none. */
function recordedEnd({ tools, number, task }: TaskJob): TaskOutcome | null {
  const { key } = steps.task(number, task.id).finish;
  const end = foldFinishedSteps(tools.execution.records).get(key)?.result;
  return TaskOutcome.safeParse(end).data ?? null;
}

/** Turns the work of an earlier execution into the answer that its agent gave. */
function answerOf(earlier: TaskOutcome, { task, trees }: TreeJob): TaskAnswer {
  const { commit, executor, summary, agent_session: own } = earlier;
  if (commit === null || executor === null) return { commit: null, why: earlier.why };
  const session = own === undefined ? null : { ...own, agent: executor, cwd: trees.path(task.id) };
  return { commit, summary, agent: executor, session, left: null };
}

/** Reports that no agent was asked, and how to ask one. */
function checkedAgain(judged: Judged, { tools, task }: TreeJob): Judged {
  const { status, why, criteria } = judged.judgement;
  const own = 'only its checks ran again, as they were changed';
  const note = judged.note === undefined ? own : `${judged.note}; ${own}`;
  if (status !== 'failed') return { ...judged, note };
  const ask = `to have it done again: conclave execute ${tools.folder.id} --retry ${task.id}`;
  return { ...judged, note, judgement: { status, criteria, why: `${why} (${ask})` } };
}

function problemsOf(after: readonly CheckRun[], why: string): readonly string[] {
  const failed = after.filter(({ passed }) => passed === false);
  if (failed.length === 0) return [why];
  return failed.map(({ check, note, output }) =>
    [`${check}: ${note}`, output.trim()].filter((text) => text !== '').join('\n'),
  );
}

/** Records the end of the task, as a step. */
function recordOutcome(job: TaskJob, end: () => Promise<TaskOutcome>): Promise<TaskOutcome> {
  const { tools, task, number, signal } = job;
  const step = { tools, signal, step: steps.task(number, task.id).finish };
  return recordStep({ ...step, input: finishInput(job), shape: TaskOutcome }, end);
}

/** The task’s content, the commit from which it began, and its retries, on which its end depends. */
function finishInput({ tools, task, start }: TaskJob): object {
  const retries = retriesOf(tools.execution.records, task.id);
  const common = { task: withoutRuntime(task), start };
  return retries.length === 0 ? common : { ...common, retries };
}

/** The content of the task on which the work depends: without its checks and the commands derived from them. */
function contentOf(job: TaskJob): string {
  const { checks: _, test, ...task } = withoutRuntime(job.task);
  return digestOf({ ...finishInput(job), task: { ...task, test: { ...test, commands: [] } } });
}

/** Finds the end of the same task in an earlier execution, if its work counts. */
function findEarlierEnd(job: TaskJob): TaskOutcome | null {
  const input = digestOf(finishInput(job));
  return earlierEnds(job).findLast((end) => end.input === input)?.outcome ?? null;
}

/** Finds the work on the same task in an earlier execution, if only its checks have changed since. */
function findEarlierWork(job: TaskJob): TaskOutcome | null {
  const content = contentOf(job);
  return earlierEnds(job).findLast(({ outcome }) => outcome.content === content)?.outcome ?? null;
}

interface EarlierEnd {
  readonly input: string;
  readonly outcome: TaskOutcome;
}

/** The earlier ends of the task whose work counts. */
function earlierEnds({ tools, task, number }: TaskJob): readonly EarlierEnd[] {
  const keys = new Set(
    Array.from({ length: number - 1 }, (_, before) => steps.task(before + 1, task.id).finish.key),
  );
  return sinceDiscarded(tools.execution.records).flatMap((record) => {
    if (record.type !== 'finished' || !keys.has(record.key)) return [];
    const outcome = TaskOutcome.safeParse(record.result).data;
    return (outcome?.commit ?? null) === null || outcome === undefined
      ? []
      : { input: record.input, outcome };
  });
}

async function noWork(
  { task, start }: TaskJob,
  { why, before = [] }: MissingWork,
): Promise<TaskOutcome> {
  return { ...withoutWork(task, { status: 'failed', why }), start, before: [...before] };
}

/** Turns the work into one commit, if it counts; changes of failed work are kept for people. */
async function outcomeOf(job: TreeJob, done: DoneWork): Promise<TaskOutcome> {
  const { tools, trees, task, number, start } = job;
  const { agent, commit, summary, session, before, after, fixes, files, judgement } = done;
  const { status, why, criteria } = judgement;
  const offer =
    status === 'failed' ? offerUnconfined(tools.folder.id, findHeldChecks(after, [task])) : '';
  const note = [done.note, noteUnconfined(after)].filter(Boolean).join('; ');
  const outcome: TaskOutcome = {
    ...withoutWork(task, { status, why: `${why}${offer}` }),
    executor: agent,
    start,
    files_modified: [...files],
    out_of_scope: outOfScope(task, files),
    before: [...before],
    after: [...after],
    fix_rounds: fixes,
    criteria: [...criteria],
    summary,
    content: contentOf(job),
    ...(note === '' ? {} : { note }),
    ...(done.rerun === undefined ? {} : { rerun: [...done.rerun] }),
    ...(done.done_by === undefined ? {} : { done_by: done.done_by }),
    ...(session === null
      ? {}
      : { agent_session: { id: session.id, tokens: session.tokens, model: session.model } }),
  };
  if (status === 'failed') {
    // What its checks left there is not what a person adds by hand.
    if (await trees.isThere(task.id)) await trees.clean(task.id, commit);
    const diff = await trees.diff(start, { commit });
    await tools.folder.write(`execution/${number}/${task.id}/changes.diff`, diff);
    return outcome;
  }
  if (done.isFinal === true) return { ...outcome, commit };
  const subject = commitSubject(task.title, { style: job.commitStyle, files });
  const message = `${subject}\n\nConclave-Task: ${tools.folder.id}/${task.id}`;
  const squashed = { commit, parent: start, message };
  return { ...outcome, commit: await trees.squash(task.id, squashed) };
}

function noteUnconfined(runs: readonly CheckRun[]): string {
  const free = runs.flatMap(({ check, unconfined }) => (unconfined === true ? `"${check}"` : []));
  return free.length === 0 ? '' : `${listed(free)} ran unconfined, as a person allowed`;
}

/** The outcome of a task without any work. */
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
