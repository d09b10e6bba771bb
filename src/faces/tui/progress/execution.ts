import type { EventOf } from '../../../model/event.ts';
import { parallelGroups } from '../../../model/task-order.ts';
import type { ExecutionEvent } from '../../execution-lines.ts';
import { taskOfStep } from '../../short-forms.ts';
import type { ExecutionProgress, Progress, TaskCheck, TaskProgress } from './progress.ts';

/** The tasks after an event of the execution. */
export function withExecution(progress: Progress, event: ExecutionEvent): Progress {
  switch (event.type) {
    case 'execution.started':
      return begun(progress, event);
    case 'task.started': {
      const { executor } = event;
      return withTask(progress, event.task, (task) => ({
        ...task,
        ...nothingDone,
        executor,
        state: 'running',
      }));
    }
    case 'check.ran':
      return withTask(progress, event.task, (task) => checked(task, event));
    case 'task.changed':
      return withTask(progress, event.task, (task) => ({ ...task, diff: event.diff }));
    case 'task.finished': {
      const { status: state, why, files, out_of_scope: outside } = event;
      return withTask(progress, event.task, (task) => ({ ...task, state, why, files, outside }));
    }
    case 'task.blocked': {
      const { by } = event;
      return withTask(progress, event.task, (task) => ({
        ...task,
        state: 'blocked',
        blockedBy: by,
      }));
    }
    case 'merge.conflicted':
      return withExecutionOf(progress, (execution) => ({
        ...execution,
        conflicts: [...execution.conflicts.filter(({ task }) => task !== event.task), event],
      }));
    case 'execution.finished':
      return withExecutionOf(progress, (execution) => ({ ...execution, end: event }));
    case 'review.finished':
      return { ...progress, review: event };
  }
}

/** The tasks after an agent began or ended a part of one. */
export function withTaskRun(
  progress: Progress,
  { type, step, agent: executor }: EventOf<'agent.started' | 'agent.answered'>,
): Progress {
  const state = type === 'agent.started' ? 'running' : 'checking';
  return withTask(progress, taskOfStep(step), (task) =>
    isAtWork(task) ? { ...task, state, executor } : task,
  );
}

/** The tasks where nobody works any more: they begin again when the session goes on. */
export function stoppedTasks(progress: Progress): Progress {
  return withExecutionOf(progress, (execution) => ({
    ...execution,
    tasks: execution.tasks.map((task) => (isAtWork(task) ? { ...task, state: 'waiting' } : task)),
  }));
}

export function isAtWork({ state }: Pick<TaskProgress, 'state'>): boolean {
  return state === 'running' || state === 'checking';
}

/** The ids of the tasks that are over, so that others can begin. */
export function overTasks(tasks: readonly TaskProgress[]): ReadonlySet<string> {
  return new Set(
    tasks.flatMap(({ id, state }) => (state === 'completed' || state === 'unproven' ? id : [])),
  );
}

const nothingDone = {
  state: 'waiting',
  why: '',
  blockedBy: null,
  before: [],
  after: [],
  diff: '',
  files: [],
  outside: [],
} as const satisfies Partial<TaskProgress>;

function begun(progress: Progress, event: EventOf<'execution.started'>): Progress {
  const { number, jobs, tasks } = event;
  const level = new Map(parallelGroups(tasks).flatMap((ids, at) => ids.map((id) => [id, at])));
  const execution: ExecutionProgress = {
    number,
    jobs,
    // In the order in which they can be done.
    tasks: tasks
      .map((task) => ({ ...task, ...nothingDone }))
      .toSorted((a, b) => (level.get(a.id) ?? 0) - (level.get(b.id) ?? 0)),
    conflicts: [],
    end: null,
  };
  return { ...progress, execution, review: null, group: `execution-${number}` };
}

/** A check that is run again, after a fix, has its new end. */
function checked(task: TaskProgress, event: EventOf<'check.ran'>): TaskProgress {
  const { when, check, passed, note } = event;
  const known = task[when];
  const at = known.findIndex((one) => one.check === check);
  const now: TaskCheck = { check, passed, note };
  return { ...task, [when]: at < 0 ? [...known, now] : known.with(at, now) };
}

function withTask(
  progress: Progress,
  id: string | null,
  change: (task: TaskProgress) => TaskProgress,
): Progress {
  return withExecutionOf(progress, (execution) => ({
    ...execution,
    tasks: execution.tasks.map((task) => (task.id === id ? change(task) : task)),
  }));
}

function withExecutionOf(
  progress: Progress,
  change: (execution: ExecutionProgress) => ExecutionProgress,
): Progress {
  const { execution } = progress;
  return execution === null ? progress : { ...progress, execution: change(execution) };
}
