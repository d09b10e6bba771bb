// Executes all tasks of a plan, in order, and joins their work.
import type { AgentSession } from '../../agents/agent-session.ts';
import type { ExecutionResult, TaskOutcome } from '../../model/execution.ts';
import { isProgram } from '../../model/check.ts';
import { type Task, checksOf } from '../../model/task.ts';
import { listed } from '../../model/wording.ts';
import { ancestry } from '../../model/task-order.ts';
import type { CheckRecord } from '../../model/check-record.ts';
import { checksAfter } from '../../model/execution-summary.ts';
import { tellStandIn } from '../asking/ask-seat.ts';
import { noteAssignments } from '../planning/hand-over.ts';
import { readProofs } from '../proof/proof-files.ts';
import { isRecorded, type Tools } from '../phase-tools.ts';
import { openTurns } from './check-turns.ts';
import { tryConfinement } from './confine.ts';
import { awaitYes } from './dispute.ts';
import { executeTask } from './execute-task.ts';
import { type Execution, ExecutionStart, executorsFor, type Merges } from './execution-team.ts';
import { watchHome } from './home-watch.ts';
import { borrowRecords, filesOfProofs, laidIn, layMissing } from './laid-proofs.ts';
import { forecastText, limitTexts } from './limits.ts';
import { type JoinedWork, joinWork, mergeWork, notJoined, resultTree } from './join-work.ts';
import { type CheckedWork, checkJoined } from './joined-checks.ts';
import { judgeAgain } from './judge.ts';
import { replayRetries, withRetries } from './retries.ts';
import { isWhole, rehearse } from './rehearse.ts';
import { openExecution } from './open-execution.ts';
import { isKept, resultOf } from './result.ts';
import { schedule } from './schedule.ts';
import { noteBegin, noteEnd, withoutWork } from './task-files.ts';
import { steps } from '../../model/steps.ts';
import { machineForCall } from '../../model/phase-choice.ts';

/**
 * Executes a plan: each task in its own work tree, after the tasks that it depends on, then joins the work of
 * all tasks in one commit. Throws `Stopped` if no agent is ready or uncommitted files are in the way.
 */
export async function executePlan(approved: Omit<Execution, 'proofs'>): Promise<ExecutionResult> {
  const watched = watchHome(approved.tools);
  const proofs = await readProofs(approved.tools.folder, approved.plan.proofs ?? []);
  const execution = { ...approved, proofs, tools: watched.tools, turns: openTurns() };
  const { tools, number, tasks, setup } = execution;
  const { confinement, environment } = tools.execution;
  const isNew = !isRecorded(tools, steps.execution(number).result);
  const isConfined = setup.length > 0 || tasks.flatMap(checksOf).some(isProgram);
  if (isNew && isConfined && confinement !== null) {
    await tryConfinement(confinement, { environment, signal: execution.signal });
  }
  const begun = await openExecution(execution);
  await replayRetries(execution);
  const opened = withRetries(begun, execution);
  const { start, byTask } = opened;
  const [checksWith] = executorsFor(tasks[0]?.id ?? '', opened);
  const rehearsed = await rehearse({ ...execution, checksWith }, start);
  const { link } = tools.execution.settings;
  if (link.length > 0) tools.emit({ type: 'warning.raised', text: linkWarning(link) });
  const kept = [...execution.copy, ...link];
  const isAway = executorsIn(opened, tools).some((agent) => agent.elsewhere?.(null));
  if (kept.length > 0 && isAway)
    tools.emit({
      type: 'warning.raised',
      text: `What execution.copy and execution.link name stays here, and is missing where agents work on other machines: ${listed(kept)}.`,
    });
  tools.emit({
    type: 'execution.started',
    number,
    commit: start,
    jobs: tools.execution.settings.jobs,
    limits: [
      ...limitTexts({
        confinement,
        unconfined: execution.unconfined,
        executors: executorsIn(opened, tools),
      }),
      ...forecastText(rehearsed, { tasks, ...tools.execution.settings }),
    ],
    tasks: tasks.map(({ id, title, depends_on }) => {
      const { executor = '', reason = '' } = byTask[id] ?? {};
      return { id, title, depends_on, executor, reason };
    }),
  });
  tellStandIns(tools, byTask);
  await noteAssignments(tools, byTask);
  const merging = { ...execution, merges: new Map(), rehearsed: rehearsed.filter(isWhole) };
  const outcomes = await runTasks(merging, opened);
  const ordered = tasks.flatMap(({ id }) => outcomes.get(id) ?? []);
  const joined = await joinWork(merging, opened, ordered);
  const checked = await withChecks({ ...execution, onStart: rehearsed }, opened, joined);
  return await resultOf(execution, opened, { ...checked, home: watched.changes() });
}

function executorsIn({ byTask }: ExecutionStart, { agents }: Execution['tools']) {
  const names = new Set(Object.values(byTask).map(({ executor }) => executor));
  return [...names].flatMap((name) => agents.get(name) ?? []);
}

function linkWarning(paths: readonly string[]): string {
  const are = paths.length === 1 ? 'is' : 'are';
  return `${listed(paths)} ${are} linked from your folder, so what a task writes there is written in your folder.`;
}

/** Runs the checks of all tasks on the joined work, and judges the tasks again by them. */
async function withChecks(
  execution: Execution & { readonly onStart: readonly CheckRecord[] },
  opened: ExecutionStart,
  joined: JoinedWork,
): Promise<JoinedWork & Pick<CheckedWork, 'broken' | 'fixed'>> {
  const own = steps.joined(execution.number);
  const { last } = joined;
  if (last === null) return { ...joined, broken: null, fixed: null };
  const { start } = opened;
  const executors = executorsFor(last, opened);
  const counting = execution.tasks.filter(({ id }) =>
    joined.outcomes.some((one) => one.task === id && one.commit !== null),
  );
  const laid = await layMissing(execution, joined.commit, counting);
  const isElsewhere = machineForCall(execution.tools.phases, 'execute') !== null;
  const checksWith = isElsewhere ? executors[0] : undefined;
  const place = { name: resultTree, place: 'the joined result', checksWith };
  const job = { ...execution, ...joined, ...place, commit: laid, own, executors };
  const { commit, records, broken, fixed } = await checkJoined({ ...job, start });
  const { rechecks } = execution.tools.execution.settings;
  const mended = joined.outcomes.flatMap((one) => one.mended ?? []);
  const outcomes = joined.outcomes.map((outcome): TaskOutcome => {
    const { task: id } = outcome;
    const owned = records.filter(({ tasks }) => tasks.includes(id));
    const task = taskWith(id, execution.tasks);
    const { round = 0 } = checksAfter(outcome.checks)[0] ?? {};
    const { onStart } = execution;
    const borrowed = borrowRecords(task, { execution, onStart, joined: owned, round });
    const judged = judgeAgain(outcome, { task, records: [...owned, ...borrowed], rechecks });
    const isBroken = judged.status === 'failed' && outcome.status !== 'failed';
    if (isBroken) return { ...judged, why: broken ?? judged.why };
    return awaitYes(judged, task, { session: execution.tools.folder.id, mended });
  });
  for (const [at, outcome] of outcomes.entries()) {
    if (outcome.status !== joined.outcomes[at]?.status) await tellOutcome(execution, outcome);
  }
  return { ...joined, commit, outcomes, broken, fixed };
}

/** Runs all tasks, with as many at once as the settings and their files allow. */
async function runTasks(
  execution: MergingExecution,
  opened: ExecutionStart,
): Promise<ReadonlyMap<string, TaskOutcome>> {
  const { tools, tasks } = execution;
  const order = schedule(tasks.map(asScheduled), tools.execution.settings.jobs);
  const outcomes = new Map<string, TaskOutcome>();
  const running = new Map<string, Promise<TaskOutcome>>();
  // If one task cannot go on (a full disk, the end of the budget), the others are stopped, too.
  const stop = new AbortController();
  const signal = AbortSignal.any([execution.signal, stop.signal]);
  try {
    while (!order.isOver) {
      for (const id of order.begin()) {
        const task = taskWith(id, tasks);
        running.set(id, runTask({ ...execution, signal }, { task, opened, outcomes }));
      }
      const outcome = await Promise.race(running.values());
      running.delete(outcome.task);
      outcomes.set(outcome.task, outcome);
      await noteOutcome(execution, outcome);
      for (const { task, by } of order.end(outcome.task, outcome.commit !== null)) {
        const why = `it needs ${by}`;
        const blocked = withoutWork(taskWith(task, tasks), { status: 'blocked', why });
        outcomes.set(task, blocked);
        tools.emit({ type: 'task.blocked', task, by });
        await noteEnd(tools, blocked);
      }
    }
    return outcomes;
  } catch (error) {
    stop.abort(error);
    await Promise.allSettled(running.values());
    throw error;
  }
}

function asScheduled({ id, depends_on, files = [] }: Task) {
  return { id, depends_on, files: files.length === 0 ? null : files.map(({ path }) => path) };
}

function taskWith(id: string, tasks: readonly Task[]): Task {
  const found = tasks.find((task) => task.id === id);
  if (found === undefined) throw new Error(`there is no task ${id}`);
  return found;
}

type MergingExecution = Execution & { readonly merges: Merges };

interface Ancestors {
  /** The tasks that this task builds on, without those that another of them already builds on. */
  readonly direct: readonly TaskOutcome[];
  readonly earlier: readonly TaskOutcome[];
}

interface OpenTask {
  readonly task: Task;
  readonly opened: ExecutionStart;
  /** The outcomes of the tasks that have ended. */
  readonly outcomes: ReadonlyMap<string, TaskOutcome>;
}

async function runTask(execution: MergingExecution, begun: OpenTask): Promise<TaskOutcome> {
  const { tools, tasks } = execution;
  const { task, opened, outcomes } = begun;
  const executors = executorsFor(task.id, opened);
  tools.emit({ type: 'task.started', task: task.id, executor: executors[0] ?? '' });
  await noteBegin(tools, task.id);
  const comesAfter = ancestry(tasks) ?? (() => false);
  const earlier = tasks
    .filter(({ id }) => comesAfter(task.id, id))
    .flatMap(({ id }) => outcomes.get(id) ?? []);
  const direct = earlier.filter(
    (one) => !earlier.some((other) => comesAfter(other.task, one.task)),
  );
  const joined = await joinedStart(execution, begun, { direct, earlier });
  if ('why' in joined) return withoutWork(task, { status: 'failed', why: joined.why });
  const session = chained(execution, direct);
  const base = opened.start;
  const isLast = earlier.length === tasks.length - 1;
  const laid = laidIn(task, execution);
  const laying = { laid, start: await execution.trees.lay(joined.start, filesOfProofs(laid)) };
  const parent = joined.start;
  const own = { parent, base, task, executors, earlier, isLast, session };
  const job = { ...execution, ...laying, ...own, checksWith: executors[0] };
  return withWanted(await executeTask(job), opened);
}

/** Adds the agent that was meant to do the task, if another one did it. */
function withWanted(outcome: TaskOutcome, { byTask }: ExecutionStart): TaskOutcome {
  const { executor: first, instead_of: wanted = first } = byTask[outcome.task] ?? {};
  const { executor } = outcome;
  const isOther = executor !== null && wanted !== undefined && executor !== wanted;
  return isOther ? { ...outcome, instead_of: wanted } : outcome;
}

/** The commit with the work of all tasks that a task builds on, or the reason why they cannot be joined. */
async function joinedStart(
  execution: MergingExecution,
  { task, opened }: OpenTask,
  { direct, earlier }: Ancestors,
): Promise<{ readonly start: string } | { readonly why: string }> {
  const { number, tasks } = execution;
  const comesAfter = ancestry(tasks) ?? (() => false);
  let start = opened.start;
  for (const [at, { task: id, commit }] of direct.entries()) {
    if (commit === null) throw new Error(`${task.id} was begun before ${id} had ended well`);
    if (start === opened.start || commit === opened.start) {
      start = commit === opened.start ? start : commit;
      continue;
    }
    const before = direct.slice(0, at);
    const { commit: merged, conflicts } = await mergeWork({
      ...execution,
      own: steps.join(number, task.id, at),
      name: task.id,
      into: start,
      commit,
      task: taskWith(id, tasks),
      executors: executorsFor(task.id, opened),
      there: earlier.filter((one) =>
        before.some((other) => other === one || comesAfter(other.task, one.task)),
      ),
    });
    if (merged === null) {
      const files = conflicts.join(', ');
      return {
        why:
          files === ''
            ? notJoined
            : `what it builds on cannot be joined: ${id} conflicts in ${files}`,
      };
    }
    start = merged;
  }
  return { start };
}

/** The session of the only task that this one builds on, if nothing else builds on that task. */
function chained(
  { tasks, trees }: Execution,
  [before, ...others]: readonly TaskOutcome[],
): AgentSession | null {
  if (before === undefined || others.length > 0) return null;
  const { task: id, executor: agent, agent_session: session } = before;
  const followers = tasks.filter(({ depends_on }) => depends_on.includes(id));
  if (followers.length > 1 || agent === null || session === undefined) return null;
  return { ...session, agent, cwd: trees.path(id) };
}

async function noteOutcome(execution: Execution, outcome: TaskOutcome): Promise<void> {
  if (!isKept(outcome)) execution.trees.free(outcome.task);
  await tellOutcome(execution, outcome);
}

async function tellOutcome({ tools }: Execution, outcome: TaskOutcome): Promise<void> {
  const { task, status, why, shown, start, files_modified: files, out_of_scope, note } = outcome;
  await noteEnd(tools, outcome);
  const commit = outcome.commit === start ? null : outcome.commit;
  const told = { task, status, why, commit, files, out_of_scope };
  const more = {
    ...(shown === undefined ? {} : { shown }),
    ...(note === undefined ? {} : { note }),
  };
  tools.emit({ type: 'task.finished', ...told, ...more });
}

/** Reports each agent that was requested but cannot work, once. */
function tellStandIns(tools: Tools, byTask: ExecutionStart['byTask']): void {
  const all = Object.values(byTask);
  for (const wanted of new Set(all.flatMap((one) => one.instead_of ?? []))) {
    const { executor: agent, reason } = all.find((one) => one.instead_of === wanted) ?? {};
    tellStandIn(tools, { phase: 'execution', wanted, agent, reason });
  }
}
