import type { EventOf } from '../../../model/event.ts';
import { parallelGroups } from '../../../model/task-order.ts';
import { taskOfStep } from '../../short-forms.ts';
import type { Progress, TaskProgress } from './progress.ts';

/** The session once the tasks of its plan begin to be carried out. */
export function withExecution(progress: Progress, event: EventOf<'execution.started'>): Progress {
  const { number, jobs, tasks } = event;
  const byId = new Map(tasks.map((task) => [task.id, task]));
  const inOrder = parallelGroups(tasks)
    .flat()
    .flatMap((id) => byId.get(id) ?? []);
  return {
    ...progress,
    execution: { number, jobs, tasks: inOrder.map((task) => ({ ...task, ...untouched })) },
    review: null,
    group: `execution-${number}`,
  };
}

export function isAtWork({ state }: Pick<TaskProgress, 'state'>): boolean {
  return state === 'running' || state === 'checking';
}

/** A task before anybody has worked on it. */
export const untouched = {
  state: 'waiting',
  why: '',
  before: [],
  after: [],
  diff: '',
} as const satisfies Partial<TaskProgress>;

/** The tasks after an agent began or ended a part of one. */
export function withTaskRun(
  progress: Progress,
  { type, step, agent: executor }: EventOf<'agent.started' | 'agent.answered'>,
): Progress {
  const id = taskOfStep(step);
  const state = type === 'agent.started' ? 'running' : 'checking';
  const isGoingOn = progress.execution?.tasks.some((task) => task.id === id && isAtWork(task));
  return isGoingOn === true ? withTask(progress, id, { state, executor }) : progress;
}

/** A check that runs again, after a fix, replaces its earlier run. */
export function withCheck(progress: Progress, event: EventOf<'check.ran'>): Progress {
  const { task, when } = event;
  const checks = progress.execution?.tasks.find(({ id }) => id === task)?.[when] ?? [];
  const at = checks.findIndex(({ check }) => check === event.check);
  return withTask(progress, task, { [when]: at < 0 ? [...checks, event] : checks.with(at, event) });
}

/** The tasks once no agent runs: those at work begin again when the session is resumed. */
export function stoppedTasks(progress: Progress): Progress {
  const atWork = progress.execution?.tasks.filter(isAtWork) ?? [];
  return atWork.reduce((now, { id }) => withTask(now, id, { state: 'waiting' }), progress);
}

export function withTask(
  progress: Progress,
  id: string | null,
  change: Partial<TaskProgress>,
): Progress {
  const { execution } = progress;
  if (execution === null) return progress;
  const tasks = execution.tasks.map((task) => (task.id === id ? { ...task, ...change } : task));
  return { ...progress, execution: { ...execution, tasks } };
}
