// Executes all tasks of a plan, in order, and joins their work.
import type { CheckRecord } from '../../model/check-record.ts';
import { isProgram } from '../../model/check.ts';
import { checksAfter } from '../../model/execution-summary.ts';
import type { ExecutionResult, TaskOutcome } from '../../model/execution.ts';
import { Stopped } from '../../model/failure.ts';
import { machineForCall } from '../../model/phase-choice.ts';
import { steps } from '../../model/steps.ts';
import { ancestry } from '../../model/task-order.ts';
import { type Task, checksOf } from '../../model/task.ts';
import { listed } from '../../model/wording.ts';
import { tellStandIn } from '../asking/ask-seat.ts';
import { type Tools, isRecorded, recordStep } from '../phase-tools.ts';
import { noteAssignments } from '../planning/hand-over.ts';
import { readProofs } from '../proof/proof-files.ts';
import { beginningTexts, conditionTexts } from './beginning.ts';
import { isNamed } from './belonging.ts';
import { openTurns } from './check-turns.ts';
import { tryConfinement } from './confine.ts';
import { awaitYes } from './dispute.ts';
import { executeTask } from './execute-task.ts';
import {
  type Execution,
  ExecutionStart,
  type OpenExecution,
  assignExecutors,
  executorsFor,
  taskWith,
} from './execution-team.ts';
import { watchHome } from './home-watch.ts';
import { type JoinedWork, conflictsIn, joinWork, notJoined } from './join-work.ts';
import { checkJoined } from './joined-checks.ts';
import { judgeAgain } from './judge.ts';
import { borrowRecords, filesOfProofs, laidIn, layMissing } from './laid-proofs.ts';
import { forecastText, limitTexts } from './limits.ts';
import { isWhole, rehearse } from './rehearse.ts';
import { isKept, resultOf } from './result.ts';
import { replayRetries, withRetries } from './retries.ts';
import { schedule } from './schedule.ts';
import { noteBegin, noteEnd, tellOutcome, withoutWork } from './task-files.ts';

/**
 * Executes a plan: each task in its own work tree, after the tasks that it depends on, then joins the work of
 * all tasks in one commit. Throws `Stopped` if no agent is ready or uncommitted files are in the way.
 */
export async function executePlan(approved: Omit<Execution, 'proofs'>): Promise<ExecutionResult> {
  const watched = watchHome(approved.tools);
  const proofs = await readProofs(approved.tools.folder, approved.plan.proofs ?? []);
  const execution = { ...approved, proofs, tools: watched.tools, turns: openTurns() };
  const { tools, number, tasks, setup } = execution;
  const { confinement, environment, settings } = tools.execution;
  const isNew = !isRecorded(tools, steps.execution(number).result);
  const isConfined = setup.length > 0 || tasks.flatMap(checksOf).some(isProgram);
  if (isNew && isConfined && confinement !== null) {
    await tryConfinement(confinement, { environment, signal: execution.signal });
  }
  const begun = await openExecution(execution);
  await replayRetries(execution);
  const opened = withRetries(begun, execution);
  const { start: commit, byTask } = opened;
  const [checksWith] = executorsFor(tasks[0]?.id ?? '', opened);
  const onStart = await rehearse({ ...execution, checksWith }, commit);
  const names = new Set(Object.values(byTask).map(({ executor }) => executor));
  const executors = [...names].flatMap((name) => tools.agents.get(name) ?? []);
  if (settings.link.length > 0) {
    const are = settings.link.length === 1 ? 'is' : 'are';
    const text = `${listed(settings.link)} ${are} linked from your folder, so what a task writes there is written in your folder.`;
    tools.emit({ type: 'warning.raised', text });
  }
  tools.emit(
    {
      type: 'execution.started',
      number,
      commit,
      jobs: settings.jobs,
      limits: [
        ...limitTexts({ confinement, unconfined: execution.unconfined, executors }),
        ...forecastText(onStart, { tasks, ...settings }),
      ],
      tasks: tasks.map(({ id, title, depends_on }) => {
        const { executor = '', reason = '' } = byTask[id] ?? {};
        return { id, title, depends_on, executor, reason };
      }),
    },
    // Whoever goes on with it, or has tasks redone, is told again what will run.
    isNew ? false : undefined,
  );
  tellStandIns(tools, byTask);
  await noteAssignments(tools, byTask);
  const running = {
    ...execution,
    ...opened,
    merges: new Map(),
    rehearsed: onStart.filter(isWhole),
  };
  const outcomes = await runTasks(running);
  const ended = tasks.flatMap(({ id }) => outcomes.get(id) ?? []);
  const checked = await checkAll(running, ended, onStart);
  return await resultOf(running, { ...checked, home: watched.changes() });
}

/** Joins the work of all tasks, runs their checks on it, and judges the tasks again by them. */
async function checkAll(
  execution: OpenExecution,
  ended: readonly TaskOutcome[],
  onStart: readonly CheckRecord[],
) {
  const { tools, tasks, number } = execution;
  const joined = await joinWork(execution, ended);
  const own = steps.joined(number);
  const outcomes: TaskOutcome[] = [];
  for (const one of ended) outcomes.push(await withJoin(execution, one, joined));
  const last = joined.heads.at(-1);
  if (last === undefined) {
    const conflicts = await conflictsIn(execution);
    return { commit: joined.commit, outcomes, conflicts, broken: null, fixed: null };
  }
  const isIn = ({ id }: Task) =>
    outcomes.some(({ task, commit }) => task === id && commit !== null);
  const executors = executorsFor(last, execution);
  const commit = await layMissing(execution, joined.commit, tasks.filter(isIn));
  const isElsewhere = machineForCall(tools.phases, 'execute') !== null;
  const checked = await checkJoined({
    ...execution,
    commit,
    own,
    outcomes,
    executors,
    place: 'the joined result',
    checksWith: isElsewhere ? executors[0] : undefined,
  });
  const mended = outcomes.flatMap((one) => one.mended ?? []);
  const { rechecks } = tools.execution.settings;
  const judged = outcomes.map((outcome): TaskOutcome => {
    const task = taskWith(outcome.task, tasks);
    const records = checked.records.filter((run) => run.tasks.includes(task.id));
    const { round = 0 } = checksAfter(outcome.checks)[0] ?? {};
    const borrowed = borrowRecords(task, { execution, onStart, joined: records, round });
    const again = judgeAgain(outcome, { task, records: [...records, ...borrowed], rechecks });
    const isBroken = again.status === 'failed' && outcome.status !== 'failed';
    if (isBroken) return { ...again, why: checked.broken ?? again.why };
    return awaitYes(again, task, { session: tools.folder.id, mended });
  });
  for (const [at, outcome] of judged.entries()) {
    if (outcome.status !== ended[at]?.status) await tellOutcome(tools, outcome);
  }
  return { ...checked, outcomes: judged, conflicts: await conflictsIn(execution) };
}

/** Says of a task whose work could not be joined that it failed; its work stays in its own tree, on its branch. */
async function withJoin(
  { trees }: OpenExecution,
  outcome: TaskOutcome,
  { leftOut }: JoinedWork,
): Promise<TaskOutcome> {
  const { task, commit } = outcome;
  const out = leftOut.find((one) => one.task === task);
  if (out === undefined || commit === null) return outcome;
  const files = out.files.join(', ');
  const why =
    files === ''
      ? `${notJoined}; its commit is ${commit.slice(0, 10)}`
      : `it conflicts with earlier tasks in ${files}; its work is in ${(await trees.make(task, [commit])).path}`;
  return { ...outcome, status: 'failed', why };
}

/** Runs all tasks, with as many at once as the settings and their files allow. */
async function runTasks(execution: OpenExecution): Promise<ReadonlyMap<string, TaskOutcome>> {
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
        running.set(id, runTask({ ...execution, signal }, taskWith(id, tasks), outcomes));
      }
      const outcome = await Promise.race(running.values());
      running.delete(outcome.task);
      outcomes.set(outcome.task, outcome);
      if (!isKept(outcome)) execution.trees.free(outcome.task);
      await tellOutcome(tools, outcome);
      for (const { task, by } of order.end(outcome.task, outcome.commit !== null)) {
        const end = { status: 'blocked', why: `it needs ${by}` } as const;
        const blocked = withoutWork(taskWith(task, tasks), end);
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

/** Runs one task on the work of the tasks that it builds on. */
async function runTask(
  execution: OpenExecution,
  task: Task,
  outcomes: ReadonlyMap<string, TaskOutcome>,
): Promise<TaskOutcome> {
  const { tools, tasks, trees, start: base } = execution;
  const executors = executorsFor(task.id, execution);
  tools.emit({ type: 'task.started', task: task.id, executor: executors[0] ?? '' });
  await noteBegin(tools, task.id);
  const comesAfter = ancestry(tasks) ?? (() => false);
  const earlier = tasks
    .filter(({ id }) => comesAfter(task.id, id))
    .flatMap(({ id }) => outcomes.get(id) ?? []);
  const { commit: parent, leftOut } = await joinWork(execution, earlier, task.id);
  const [out] = leftOut;
  if (out !== undefined) {
    const files = out.files.join(', ');
    const refused = `what it builds on cannot be joined: ${out.task} conflicts in ${files}`;
    return withoutWork(task, { status: 'failed', why: files === '' ? notJoined : refused });
  }
  const laid = laidIn(task, execution);
  const outcome = await executeTask({
    ...execution,
    task,
    executors,
    base,
    parent,
    laid,
    start: await trees.lay(parent, filesOfProofs(laid)),
    earlier,
    isLast: earlier.length === tasks.length - 1,
    checksWith: executors[0],
  });
  // The agent that was meant to do it, if another one did.
  const { executor: first, instead_of: wanted = first } = execution.byTask[task.id] ?? {};
  const { executor } = outcome;
  const isOther = executor !== null && wanted !== undefined && executor !== wanted;
  return isOther ? { ...outcome, instead_of: wanted } : outcome;
}

/** Reports each agent that was requested but cannot work, once. */
function tellStandIns(tools: Tools, byTask: OpenExecution['byTask']): void {
  const all = Object.values(byTask);
  for (const wanted of new Set(all.flatMap((one) => one.instead_of ?? []))) {
    const { executor: agent, reason } = all.find((one) => one.instead_of === wanted) ?? {};
    tellStandIn(tools, { phase: 'execution', wanted, agent, reason });
  }
}

/** Opens an execution, as a step. Throws `Stopped` if no agent is ready or uncommitted files are in the way. */
function openExecution(execution: Execution): Promise<ExecutionStart> {
  const { tools, trees, number, tasks, signal } = execution;
  const { agents, folder, repository } = tools;
  const { settings } = tools.execution;
  const step = { ...execution, step: steps.execution(number).open, shape: ExecutionStart };
  const isWanted = (path: string) => tasks.some((task) => namesPath(task, path));
  return recordStep(step, async () => {
    const [assigned, base, ...texts] = await Promise.all([
      assignExecutors({ ...execution, agents }),
      settings.at === 'head' && repository.git ? trees.baseNow() : repository.base,
      beginningTexts(repository, settings, signal),
      conditionTexts(repository, settings, signal),
    ]);
    if (assigned === null) {
      const failures = await whyNobody(execution);
      throw new Stopped({ reason: 'nobody-executes', session: folder.id, failures });
    }
    await trees.reclaim();
    const { commit: start, carried } = await trees.start(isWanted, base);
    const left = Object.keys(base.dirty).filter((path) => !carried.includes(path));
    const begins = `The work begins with your uncommitted changes of ${shortList(carried)}, which are not part of its branch.`;
    const stays = `Not carried over, as neither git nor the plan knows it: ${shortList(left)}.`;
    if (carried.length > 0) texts.push([begins]);
    if (left.length > 0) texts.push([stays]);
    for (const text of texts.flat()) tools.emit({ type: 'warning.raised', text });
    return { start, carried: [...carried], ...assigned };
  });
}

/** The reason for each agent; one that is ready and was not chosen cannot edit. */
async function whyNobody({ names, tools: { agents }, signal }: Execution) {
  return await Promise.all(
    names.map(async (agent) => {
      const found = await agents.get(agent)?.ready(signal);
      const isReady = found === undefined || found.state === 'ready';
      return { agent, reason: isReady ? 'it edits no file' : found.why };
    }),
  );
}

/** True for a file that a task names as its own or in a check. */
function namesPath(task: Task, path: string): boolean {
  return (
    isNamed(task, path) || checksOf(task).some((check) => 'path' in check && check.path === path)
  );
}

function shortList(paths: readonly string[]): string {
  const more = paths.length - 5;
  return listed(more > 0 ? [...paths.slice(0, 5), `${more} more`] : paths);
}
