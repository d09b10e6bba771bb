// Holds the chosen pane, the open page and its scroll position.
import {
  type Pane,
  type Progress,
  type TaskProgress,
  isAtWork,
  isOpen,
} from '../../progress/progress.ts';
import { steps } from '../../../../model/steps.ts';

/** A page over the panes: the whole tail of the chosen one, its task, or everything that happened. */
export type Sheet = 'agent' | 'task' | 'notes';

export interface RunState {
  /** Key of the pane that receives keys; null for the first one. */
  readonly chosen: string | null;
  /** Key of the pane whose agent is skipped when that is confirmed. */
  readonly skipping: string | null;
  readonly sheet: Sheet | null;
  /** The first row after scrolling; null while its start, or the end of a tail, is shown. */
  readonly top: number | null;
}

export const startingRun: RunState = { chosen: null, skipping: null, sheet: null, top: null };

/** Opens a page over the panes, or closes it. */
export function toggleSheet(state: RunState, sheet: Sheet): RunState {
  return { ...state, sheet: state.sheet === sheet ? null : sheet, top: null };
}

/**
 * The panes of the current round, without replaced agents. Those of tasks are in the order of the
 * tasks, and stay while the result is reviewed.
 */
export function panesNow(progress: Progress): readonly Pane[] {
  const { panes, group, execution } = progress;
  const ids = tasksInView(progress).map(({ id }) => id);
  const ofTasks = ids.length > 0 ? steps.execution(execution?.number ?? 0).group : group;
  const placeOf = ({ task }: Pane) => (task === null ? ids.length : ids.indexOf(task));
  return panes
    .filter((pane) => pane.replacedBy === null && [group, ofTasks].includes(pane.group))
    .toSorted((a, b) => placeOf(a) - placeOf(b));
}

/** The tasks of the plan while they are executed, and while the result is reviewed. */
export function tasksInView({ phase, execution }: Progress): readonly TaskProgress[] {
  const isNow = phase === 'execution' || phase === 'code-review';
  return isNow && execution !== null ? execution.tasks : [];
}

/** True for a pane that is shown without being chosen: a task’s pane only while an agent works on it. */
export function isInSight({ task }: Pane, { execution }: Progress): boolean {
  const found = execution?.tasks.find(({ id }) => id === task);
  return found === undefined || isAtWork(found);
}

/** The pane that receives keys: the chosen one if it exists, else the first at work. */
export function currentPane(panes: readonly Pane[], chosen: string | null): Pane | null {
  return panes.find(({ key }) => key === chosen) ?? panes.find(isOpen) ?? panes[0] ?? null;
}
