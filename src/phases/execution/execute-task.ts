// Executes one task: its checks, the work, the checks again, rounds of fixes; completed, unproven or failed.
import { checksAfter, checksBefore } from '../../model/execution-summary.ts';
import type { AgentSession } from '../../agents/agent-session.ts';
import { z } from 'zod';
import { checkName, isLook } from '../../model/check.ts';
import type { CheckRecord } from '../../model/check-record.ts';
import { commitSubject } from '../../model/commit-style.ts';
import { steps } from '../../model/steps.ts';
import { TaskOutcome } from '../../model/execution.ts';
import { type Task, checksOf } from '../../model/task.ts';
import { byHand } from '../../model/team.ts';
import { listed } from '../../model/wording.ts';
import { digestOf } from '../../store/digest.ts';
import { withoutRuntime } from '../planning/plan-hash.ts';
import { recordStep, vendorFor } from '../phase-tools.ts';
import { askTask, messageOf, problemsOf, type TaskAnswer, type TreeJob } from './ask-task.ts';
import { isNamed } from './belonging.ts';
import { proofVendors, type TaskJob } from './execution-team.ts';
import { findHeldChecks, offerUnconfined } from './held-checks.ts';
import { awaitsText, awaitYes, type Dispute, noDispute, putDispute } from './dispute.ts';
import { proofIn } from './laid-proofs.ts';
import { judge, type Judgement, testTypes, turnedChecks } from './judge.ts';
import { type ChecksToRun, recordChecks } from './record-checks.ts';
import { retriesOf, sinceDiscarded } from './retries.ts';
import { seeWork, type SeenWork, startWithTests } from './see-work.ts';
import { withoutWork } from './task-files.ts';
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
  const { task, parent } = job;
  const known = findEarlierEnd(job);
  if (known !== null) return await recordOutcome(job, async () => known);
  const inTree = { ...job, tree: taskTree(task.id, job) };
  try {
    const hand = job.executors[0] === byHand ? await takeHandWork(job) : null;
    const before = await runOwn(inTree, { moment: 'before', commit: parent });
    const done = await work(inTree, before, hand);
    // Without a record of its end, it begins with the next command.
    if ('isResting' in done) return withoutWork(task, { status: 'blocked', why: done.why });
    return await recordOutcome(job, () => ('why' in done ? noWork(job, done) : outcomeOf(done)));
  } catch (error) {
    const why = faultOfTree(error);
    if (why === null) throw error;
    return await recordOutcome(job, () => noWork(job, { why }));
  }
}

type Records = readonly CheckRecord[];

/** The work of a task after its last call. */
interface DoneWork {
  readonly agent: string;
  readonly machine?: string | undefined;
  readonly summary: string;
  readonly session: AgentSession | null;
  readonly seen: SeenWork;
  readonly records: Records;
  readonly judgement: Judgement;
  readonly fixes: number;
  /** The tasks before it that did its work. */
  readonly others: readonly string[];
  /** The task with its proofs as they were in the end, and what was said about them. */
  readonly place: TreeJob;
  readonly dispute: Dispute;
  /** The end in an earlier execution, on whose commit others may build. */
  readonly earlier: TaskOutcome | null;
}

/** The reason why there is no work, with the checks that ran before. */
interface MissingWork {
  readonly why: string;
  readonly before?: Records;
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
  before: Records,
  hand: TaskAnswer | null,
): Promise<DoneWork | MissingWork> {
  const { tools, trees, task, start, session } = job;
  const earlier = findEarlierWork(job);
  let answer =
    earlier === null
      ? (hand ?? (await askTask(job, { fix: 0, commit: start, problems: [], session })))
      : answerOf(earlier, job);
  if (answer.commit === null) {
    return { why: answer.why, before, ...(answer.isResting === true ? { isResting: true } : {}) };
  }
  let [records, place, dispute, fixes]: [Records, TreeJob, Dispute, number] = [
    before,
    job,
    noDispute,
    0,
  ];
  for (let round = 1; ; round += 1) {
    const { commit, left }: Extract<TaskAnswer, { left: unknown }> = answer;
    const seen = await seeWork(place, { index: round, commit });
    const { files, facts } = seen;
    records = [...records, ...(await checkWork(place, { seen, round, before: records }))];
    const others = await doneBy(place, { seen, records });
    const { rechecks } = tools.execution.settings;
    const judgement = judge({ task, records, files, facts, left, others, rechecks });
    const done = { ...answer, place, seen, records, judgement, fixes, others, earlier, dispute };
    if (judgement.status !== 'failed' || left !== null || earlier !== null) return done;
    const isLast = hand !== null || fixes === mostFixes;
    const put = await putDispute(place, dispute, { records, round, isLast, said: answer.summary });
    dispute = put.dispute;
    if (put.job !== place) {
      place = put.job;
      const again = await runOwn(place, { moment: 'before', round, commit: place.parent });
      records = [...records, ...again];
      const mended = await trees.compose({ start: place.start, of: commit, paths: files });
      answer = { ...answer, commit: mended };
      continue;
    }
    if (isLast) return { ...done, dispute };
    const problems = problemsOf(records, judgement.why);
    const call = { fix: fixes + 1, commit, problems, session: answer.session };
    const fixed = await askTask(place, call);
    if (fixed.commit === null) return { ...done, dispute };
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
  }: { readonly seen: SeenWork; readonly round: number; readonly before: Records },
): Promise<Records> {
  const { commit, proof } = seen;
  const after = await runOwn(job, { moment: 'after', round, commit: proof });
  const red = after.filter(({ passed }) => passed === false);
  if (red.length > 0) {
    const all = { moment: 'after', round, commit, files: 'all', only: red } as const;
    return proof === commit ? after : [...after, ...(await runOwn(job, all))];
  }
  const { type } = job.task;
  const isOfTests = type !== undefined && testTypes.has(type);
  const turned = turnedChecks([...before, ...after]).filter(({ kind }) => !isLook(kind));
  const isNothing = seen.files.length === 0 || seen.facts.ignored.length > 0;
  const isEnough = turned.length === 0 || isOfTests || isNothing;
  if (isEnough || !job.tools.execution.settings.rechecks) return after;
  // Each may need what the checks before it leave, such as a build.
  const last = after.findLastIndex((run) => turned.includes(run));
  const only = after.slice(0, last + 1).filter(({ kind }) => !isLook(kind));
  const doubted = turned.map(({ check }) => check);
  const again = { moment: 'again', round, only, doubted, input: { commit } } as const;
  const tests = () => startWithTests(job, seen);
  return [...after, ...(await runOwn(job, { ...again, commit: tests, files: 'tests' }))];
}

interface OwnRun extends Pick<ChecksToRun, 'moment' | 'commit' | 'input' | 'doubted'> {
  readonly round?: number;
  /** By default the start before the work, and what belongs to the work after it. */
  readonly files?: ChecksToRun['files'];
  /** The checks to run; by default all. */
  readonly only?: Records;
}

/** Runs the checks of the task, as a step. */
function runOwn(job: TreeJob, run: OwnRun): Promise<Records> {
  const { task, number, tree } = job;
  const own = steps.task(number, task.id);
  const { moment, commit, round = 0, only = null } = run;
  const files = run.files ?? (moment === 'before' ? 'start' : 'work');
  const names = only?.map(({ check }) => check);
  const isAlone = moment === 'before' || moment === 'again';
  const checks = checksOf(task).flatMap((check) => {
    const proof = proofIn(check, job.laid);
    const isElsewhere = proof === undefined && proofIn(check, job.proofs) !== undefined;
    if (isElsewhere || names?.includes(checkName(check)) === false) return [];
    return { check, tasks: [task.id], proof: isAlone ? proof : undefined };
  });
  // A person may have put something right since.
  const isRetried = retriesOf(job.tools.execution.records, task.id).length > 0;
  const known = moment === 'before' && round === 0 && !isRetried ? job.rehearsed : [];
  const start = round === 0 ? own.before : own.mended(round);
  const step = { start, base: own.base, work: own.after(round), all: own.all(round) };
  return recordChecks(job, {
    step: files === 'tests' || files === 'joined' ? own.again : step[files],
    input: run.input ?? { commit },
    tree,
    commit,
    checks,
    ...(known === undefined ? {} : { known }),
    tellsBare: job.isLast && moment === 'after',
    ...(run.doubted === undefined ? {} : { doubted: run.doubted }),
    moment,
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
  { seen, records }: { readonly seen: SeenWork; readonly records: Records },
): Promise<readonly string[]> {
  const { task, base, parent, earlier } = job;
  const clean = checksBefore(records);
  const isIdle = seen.files.length === 0 && seen.facts.ignored.length === 0;
  const isGood = [...clean, ...checksAfter(records)].every(({ passed }) => passed !== false);
  if (!isIdle || !isGood || parent === base) return [];
  // A separate work tree, because the files that the checks left here must not help them there.
  const atBase = { ...job, tree: taskTree(task.id, job) };
  const runs = await runOwn(atBase, { moment: 'before', files: 'base', commit: base });
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

/** Turns the work of an earlier execution into the answer that its agent gave. */
function answerOf(earlier: TaskOutcome, { task, trees }: TreeJob): TaskAnswer {
  const { commit, executor, machine, summary, agent_session: own } = earlier;
  if (commit === null || executor === null) return { commit: null, why: earlier.why };
  const session = own === undefined ? null : { ...own, agent: executor, cwd: trees.path(task.id) };
  return { commit, summary, agent: executor, machine, session, left: null };
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
  { task, parent: start }: TaskJob,
  { why, before = [] }: MissingWork,
): Promise<TaskOutcome> {
  return { ...withoutWork(task, { status: 'failed', why }), start, checks: [...before] };
}

/** Turns the work into one commit, if it counts; changes of failed work are kept for people. */
async function outcomeOf(done: DoneWork): Promise<TaskOutcome> {
  const { place: job, dispute } = done;
  const { tools, trees, task, number, start, parent } = job;
  const { agent, machine, summary, session, seen, records, fixes, others, earlier } = done;
  const { status, why, shown, criteria } = done.judgement;
  const { commit, files, facts } = seen;
  const note = noteOf(job, done);
  const stands =
    dispute.stoodBy.length === 0 ? '' : `; the author of ${listed(dispute.stoodBy)} stands by it`;
  const judged: TaskOutcome = {
    ...withoutWork(task, {
      status,
      why: `${awaitsText(job, status) ?? why}${stands}${offerAfter(job, done)}`,
    }),
    ...(shown === '' ? {} : { shown }),
    executor: agent,
    ...(machine === undefined ? {} : { machine }),
    start: parent,
    files_modified: [...files],
    out_of_scope: outOfScope(task, files),
    facts,
    checks: [...records],
    fix_rounds: fixes,
    criteria: [...criteria],
    summary,
    content: contentOf(job),
    ...(note === '' ? {} : { note }),
    ...(others.length === 0 ? {} : { done_by: [...others] }),
    ...(session === null
      ? {}
      : { agent_session: { id: session.id, tokens: session.tokens, model: session.model } }),
    ...(dispute.mended.length === 0 ? {} : { mended: [...dispute.mended] }),
    ...(dispute.stoodBy.length === 0 ? {} : { stood_by: [...dispute.stoodBy] }),
  };
  const outcome = awaitYes(judged, task, { session: tools.folder.id, mended: dispute.mended });
  if (status === 'failed') {
    // What its checks left there is not what a person adds by hand.
    if (await trees.isThere(task.id)) await trees.clean(task.id, commit);
    const diff = await trees.diff(start, { commit });
    await tools.folder.write(`execution/${number}/${task.id}/changes.diff`, diff);
    return outcome;
  }
  if (earlier !== null) {
    const { apart } = earlier;
    return { ...outcome, commit: earlier.commit, ...(apart === undefined ? {} : { apart }) };
  }
  const kept = files.filter((path) => seen.apart.every((one) => one.path !== path));
  const message = messageOf(job, kept);
  const isWhole = seen.apart.length === 0;
  const content = isWhole ? commit : await trees.compose({ start, of: commit, paths: kept });
  const made = await trees.squash({ commit: content, parent, message });
  if (isWhole) return { ...outcome, commit: made };
  return { ...outcome, commit: made, apart: await keepApart(job, { seen, on: made }) };
}

/** Keeps the changes that wait for a person as a commit on the work. */
async function keepApart(
  { tools, trees, task, commitStyle: style }: TreeJob,
  { seen, on: parent }: { readonly seen: SeenWork; readonly on: string },
): Promise<NonNullable<TaskOutcome['apart']>> {
  const { commit, apart: files } = seen;
  const what = `Accept what ${task.id} changed besides`;
  const subject = commitSubject(what, { style, files: files.map(({ path }) => path) });
  const message = `${subject}\n\nConclave-Task: ${tools.folder.id}/${task.id}/apart`;
  const made = await trees.squash({ commit, parent, message });
  await trees.hold(task.id, made);
  return { commit: made, files: [...files] };
}

/** Explains what a person can do about work that is not shown. */
function offerAfter({ tools, task }: TreeJob, done: DoneWork): string {
  const { judgement, records, seen, earlier } = done;
  const session = tools.folder.id;
  if (judgement.status === 'failed') {
    const ask = `to have it done again: conclave execute ${session} --retry ${task.id}`;
    const held = offerUnconfined(session, findHeldChecks(checksAfter(records), [task]));
    return earlier === null ? held : ` (${ask})`;
  }
  const isRed = checksAfter(records).some(({ passed }) => passed === false);
  if (judgement.status !== 'unproven' || !isRed || seen.apart.length === 0) return '';
  return ` (to accept it: conclave execute ${session} --accept ${task.id} --because "…")`;
}

function noteOf(job: TreeJob, { agent, seen, records, others, earlier }: DoneWork): string {
  const { tools, task, plan } = job;
  const vendor = vendorFor(tools, { name: agent, call: 'execute', receipts: [] });
  const free = checksAfter(records).flatMap(({ check, unconfined }) =>
    unconfined === true ? `"${check}"` : [],
  );
  const apart = seen.apart.map(({ path, kind }) => `${path} (${kind})`);
  return [
    seen.dropped.length === 0
      ? ''
      : `its changes of ${listed(seen.dropped)} were dropped, as nobody who works on a task may change its proofs`,
    proofVendors(task, plan).has(vendor) ? `tests and work by ${vendor}` : '',
    others.length === 0 ? '' : `its work was done by ${listed(others)}`,
    earlier === null ? '' : 'only its checks ran again, as they were changed',
    apart.length === 0
      ? ''
      : `its changes of ${listed(apart)} stay out of the result until ${job.task.id} is accepted`,
    free.length === 0 ? '' : `${listed(free)} ran unconfined, as a person allowed`,
  ]
    .filter((text) => text !== '')
    .join('; ');
}

/** The changed files that the task does not name. */
export function outOfScope(
  task: Pick<Task, 'files' | 'test'>,
  changed: readonly string[],
): string[] {
  const isOpen = (task.files ?? []).length === 0;
  return isOpen ? [] : changed.filter((path) => !isNamed(task, path));
}
