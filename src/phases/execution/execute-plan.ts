import type { TaskOutcome, ExecutionResult } from '../../model/execution.ts';
import { Stopped } from '../../model/failure.ts';
import { ancestry } from '../../model/task-order.ts';
import type { Task } from '../../model/task.ts';
import { recorded } from '../tools.ts';
import { carryOutTask } from './carry-out-task.ts';
import { type AgentSession, type Execution, Opened } from './execution.ts';
import { assignExecutors } from './executors.ts';
import { mergeWork } from './merge-work.ts';
import { integrate, noteAssignments, resultOf } from './result.ts';
import { schedule } from './schedule.ts';
import { noteBegin, noteEnd } from './task-files.ts';

/**
 * Carries a plan out: each task in its own work tree, in the order of what it depends on, then the
 * work of all as one commit. Throws `Stopped` where no agent is ready, or uncommitted files are in
 * the way.
 */
export async function executePlan(execution: Execution): Promise<ExecutionResult> {
  const { tools, number, plan, tasks } = execution;
  const opened = await open(execution);
  const { start, byTask } = opened;
  tools.emit({
    type: 'execution.started',
    number,
    commit: start,
    jobs: tools.execution.settings.jobs,
    tasks: tasks.map(({ id, title, depends_on: needs }) => ({
      id,
      title,
      depends_on: needs,
      executor: byTask[id]?.executor ?? '',
      reason: byTask[id]?.reason ?? '',
    })),
  });
  await noteAssignments(tools, byTask);
  const outcomes = await runTasks(execution, opened);
  const ordered = tasks.flatMap(({ id }) => outcomes.get(id) ?? []);
  const integrated = await integrate(execution, { opened, outcomes: ordered });
  return await resultOf(execution, { plan, opened, ...integrated });
}

function open({
  tools,
  trees,
  plan,
  tasks,
  method,
  names,
  number,
  signal,
}: Execution): Promise<Opened> {
  const step = { tools, signal, group: `execution-${number}`, name: 'open', shape: Opened };
  return recorded(step, async () => {
    const { agents, folder, repository } = tools;
    const uncommitted = Object.keys(repository.base.dirty);
    if (!tools.execution.settings.carries && uncommitted.length > 0) {
      const message = `Uncommitted files of the start of the session are in the way (${uncommitted.slice(0, 3).join(', ')}), and execution.uncommitted is "refuse"; commit them and plan again, or set it to "carry".`;
      throw new Stopped({ reason: 'usage', message });
    }
    const assigned = await assignExecutors({ plan, tasks, method, names, agents, signal });
    if (assigned === null) {
      const failures = names.map((agent) => ({ agent, reason: 'it is not ready' }));
      throw new Stopped({ reason: 'nobody-executes', session: folder.id, failures });
    }
    await trees.reclaim();
    const { commit, carried } = await trees.start();
    return {
      start: commit,
      carried: [...carried],
      byTask: { ...assigned.byTask },
      ready: [...assigned.ready],
    };
  });
}

/** Runs all tasks, as many at once as the settings and their files allow. */
async function runTasks(
  execution: Execution,
  opened: Opened,
): Promise<ReadonlyMap<string, TaskOutcome>> {
  const { tools, tasks } = execution;
  const order = schedule(tasks.map(asScheduled), tools.execution.settings.jobs);
  const comesAfter = ancestry(tasks);
  const outcomes = new Map<string, TaskOutcome>();
  const running = new Map<string, Promise<TaskOutcome>>();
  // Where one cannot go on (a full disk, the end of the budget), the others are ended too.
  const stop = new AbortController();
  const signal = AbortSignal.any([execution.signal, stop.signal]);
  try {
    while (!order.isOver) {
      for (const id of order.begin()) {
        const task = tasks.find((one) => one.id === id);
        if (task === undefined) throw new Error(`the schedule names ${id}`);
        running.set(id, runTask({ ...execution, signal }, { task, opened, outcomes, comesAfter }));
      }
      const outcome = await Promise.race(running.values());
      running.delete(outcome.task);
      outcomes.set(outcome.task, outcome);
      await tellEnd(execution, outcome);
      for (const { task, by } of order.end(outcome.task, outcome.commit !== null)) {
        outcomes.set(task, await blocked(execution, task, by));
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

async function runTask(
  execution: Execution,
  {
    task,
    opened,
    outcomes,
    comesAfter,
  }: {
    readonly task: Task;
    readonly opened: Opened;
    readonly outcomes: ReadonlyMap<string, TaskOutcome>;
    readonly comesAfter: ReturnType<typeof ancestry>;
  },
): Promise<TaskOutcome> {
  const { tools, number, tasks } = execution;
  const executor = opened.byTask[task.id]?.executor ?? '';
  const backups = opened.ready.filter((name) => name !== executor);
  tools.emit({ type: 'task.started', task: task.id, executor });
  await noteBegin(tools, task.id);
  const earlier = tasks.flatMap(({ id }) =>
    comesAfter?.(task.id, id) === true ? (outcomes.get(id) ?? []) : [],
  );
  const direct = earlier.filter(
    (one) => !earlier.some((other) => comesAfter?.(other.task, one.task) === true),
  );
  let start = opened.start;
  const there: { id: string; title: string }[] = [];
  for (const [at, { task: id, title, commit }] of direct.entries()) {
    if (commit === null) throw new Error(`${task.id} was begun before ${id} had ended well`);
    if (at === 0) start = commit;
    else {
      const coming = tasks.find((one) => one.id === id) ?? task;
      const group = `execution-${number}/${task.id}/onto-${at}`;
      const merging = { ...execution, group, name: task.id, into: start, commit, there };
      const merged = await mergeWork({ ...merging, task: coming, executor, backups });
      if (merged.commit === null) return conflicted(task, { id, files: merged.conflicts });
      start = merged.commit;
    }
    there.push({ id, title });
  }
  const session = chained(tasks, direct);
  return await carryOutTask({ ...execution, task, executor, backups, start, earlier, session });
}

/** The session of the only task that this one builds on, where nothing else builds on that. */
function chained(
  tasks: readonly Task[],
  [before, ...others]: readonly TaskOutcome[],
): AgentSession | null {
  if (before === undefined || others.length > 0) return null;
  const { task: id, executor: agent, agent_session: session } = before;
  const followers = tasks.filter(({ depends_on }) => depends_on.includes(id));
  if (followers.length > 1 || agent === null || session === undefined) return null;
  return { ...session, agent, isHere: false };
}

function conflicted(
  task: Task,
  { id, files }: { readonly id: string; readonly files: readonly string[] },
): TaskOutcome {
  const why = `what it builds on cannot be joined: ${id} conflicts in ${files.join(', ')}`;
  return unfinished(task, { status: 'failed', why });
}

async function blocked({ tools, tasks }: Execution, id: string, by: string): Promise<TaskOutcome> {
  const task = tasks.find((one) => one.id === id);
  if (task === undefined) throw new Error(`there is no task ${id}`);
  const outcome = unfinished(task, { status: 'blocked', why: `it needs ${by}` });
  tools.emit({ type: 'task.blocked', task: id, by });
  await noteEnd(tools, outcome);
  return outcome;
}

function unfinished(task: Task, end: Pick<TaskOutcome, 'status' | 'why'>): TaskOutcome {
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

async function tellEnd({ tools, trees }: Execution, outcome: TaskOutcome): Promise<void> {
  const { task, status, why, commit, files_modified: files, out_of_scope } = outcome;
  await trees.reclaim([task]);
  await noteEnd(tools, outcome);
  tools.emit({ type: 'task.finished', task, status, why, commit, files, out_of_scope });
}
