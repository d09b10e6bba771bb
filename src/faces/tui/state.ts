import { foldEvent } from './progress/fold.ts';
import { type Progress, noProgress } from './progress/progress.ts';
import type { Event } from '../../model/event.ts';
import type { Row } from './rows.ts';
import type { Stage } from './stage.ts';

/** Everything that the screens share. What only one screen knows stays in it. */
export interface TuiState {
  readonly stage: Stage;
  readonly progress: Progress;
  /** A person looks at the run while a question waits. */
  readonly besides: 'run' | null;
  readonly overlay: 'help' | 'stop' | null;
  /** One line for the person, above the keys. */
  readonly notice: Row | null;
  /** By `steadyNow`, as the clocks on the screens show it; ticks only while something runs. */
  readonly now: number;
}

export function startingState(stage: Stage, now: number): TuiState {
  return { stage, progress: noProgress, besides: null, overlay: null, notice: null, now };
}

export function withEvent(state: TuiState, event: Event): TuiState {
  const progress = foldEvent(state.progress, event);
  return progress === state.progress ? state : { ...state, progress };
}

/** Another stage closes what was open over the one before. */
export function withStage(state: TuiState, stage: Stage): TuiState {
  return { ...state, stage, besides: null, overlay: null, notice: null };
}
