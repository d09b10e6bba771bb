import { isAtWork } from '../../progress/execution.ts';
import { isOpen } from '../../progress/panes.ts';
import type { Pane, Progress, TaskProgress } from '../../progress/progress.ts';

/** A row of an agent's tail: its line, counted from the first that there ever was, and which row of it. */
export interface TailPlace {
  readonly line: number;
  readonly part: number;
}

export type Sheet = 'rounds' | 'notes' | 'context' | 'task';

export interface RunState {
  /** Key of the pane that keys are for; null for the first one. */
  readonly chosen: string | null;
  /** Key of the pane whose agent is skipped when that is confirmed. */
  readonly skipping: string | null;
  readonly isZoomed: boolean;
  /** The first row that is shown of the zoomed tail; null where it follows the end. */
  readonly top: TailPlace | null;
  readonly sheet: Sheet | null;
  readonly sheetTop: number;
}

export const startingRun: RunState = {
  chosen: null,
  skipping: null,
  isZoomed: false,
  top: null,
  sheet: null,
  sheetTop: 0,
};

export function chosePane(state: RunState, { key }: Pane): RunState {
  return { ...state, chosen: key, top: null };
}

export function zoomed(state: RunState, pane: Pane): RunState {
  return { ...chosePane(state, pane), isZoomed: !state.isZoomed };
}

/** Opens a page over the panes, or closes it. */
export function toggledSheet(state: RunState, sheet: Sheet): RunState {
  return { ...state, sheet: state.sheet === sheet ? null : sheet, sheetTop: 0 };
}

export function wentBack(state: RunState): RunState {
  return state.sheet === null
    ? { ...state, isZoomed: false, top: null }
    : { ...state, sheet: null };
}

/**
 * The panes of the agents that were asked together last; of tasks in the order of these, which stay
 * while their result is reviewed.
 */
export function panesNow(progress: Progress): readonly Pane[] {
  const { panes, group, execution } = progress;
  const tasks = tasksInView(progress);
  if (tasks.length === 0) return panes.filter((pane) => pane.group === group);
  const ids = tasks.map(({ id }) => id);
  const own = `execution-${execution?.number ?? 0}`;
  const placeOf = ({ task }: Pane) => (task === null ? ids.length : ids.indexOf(task));
  return panes
    .filter((pane) => pane.group === group || pane.group === own)
    .toSorted((a, b) => placeOf(a) - placeOf(b));
}

/** The tasks of the plan while they are carried out, and while the result is reviewed. */
export function tasksInView({ phase, execution }: Progress): readonly TaskProgress[] {
  const isNow = phase === 'execution' || phase === 'code-review';
  return isNow && execution !== null ? execution.tasks : [];
}

/** Whether a pane is on the screen though it is not chosen: that of a task only while it is at work. */
export function isInSight({ task }: Pane, { execution }: Progress): boolean {
  const found = execution?.tasks.find(({ id }) => id === task);
  return found === undefined || isAtWork(found);
}

/** Those that still have their seat: one for each. */
export function seatedPanes(panes: readonly Pane[]): readonly Pane[] {
  return panes.filter(({ replacedBy }) => replacedBy === null);
}

/** The pane that keys are for: the one that was chosen if it is there, else the first at work. */
export function chosenPane(panes: readonly Pane[], chosen: string | null): Pane | null {
  return panes.find(({ key }) => key === chosen) ?? panes.find(isOpen) ?? panes[0] ?? null;
}

/** The pane `by` places further, round and round. */
export function paneBeside(panes: readonly Pane[], from: Pane, by: 1 | -1): Pane {
  const at = panes.findIndex(({ key }) => key === from.key);
  return panes.at((at + by) % panes.length) ?? from;
}
