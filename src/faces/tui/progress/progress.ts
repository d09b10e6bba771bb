import type { Phase } from '../../../model/ids.ts';
import type { Tone } from '../theme.ts';

/** One line of an agent's tail. */
export interface TailLine {
  readonly text: string;
  readonly tone: Tone;
}

/** One agent run of a round or of planning, as its pane shows it. */
export interface Pane {
  /** The step's key: what makes the pane the same one after a resume. */
  readonly step: string;
  readonly agent: string;
  readonly seat: string;
  readonly model: string | null;
  readonly state: 'running' | 'waiting' | 'answered' | 'failed';
  /** What it does now or how it ended, in a few words. */
  readonly doing: string;
  /** Milliseconds since the epoch. */
  readonly since: number;
  /** When a wait is over; null if it does not wait. */
  readonly until: number | null;
  readonly durationMs: number | null;
  readonly tokens: { readonly input: number; readonly output: number } | null;
  readonly costUsd: number | null;
  readonly tail: readonly TailLine[];
  /** Of the record: it ran before this run of the program. */
  readonly replayed: boolean;
}

export interface RoundResult {
  readonly score: number;
  readonly recommendation: string;
  readonly solutions: number;
  readonly agreements: number;
  readonly disagreements: number;
  readonly failedReferences: number;
}

export interface RoundProgress {
  readonly round: number;
  readonly maxRounds: number;
  readonly seats: readonly string[];
  readonly result: RoundResult | null;
}

/** Something that a person should not miss, in the order in which it happened. */
export interface Note {
  readonly at: string;
  readonly text: string;
  readonly tone: Tone;
}

/** A session as the screens show it: a fold over its events, live and after a resume. */
export interface Progress {
  readonly session: string | null;
  readonly folder: string | null;
  readonly task: string;
  readonly phase: Phase | null;
  readonly startedAt: number | null;
  readonly context: {
    readonly provider: string;
    readonly files: readonly string[];
    readonly reason: string | null;
  } | null;
  readonly rounds: readonly RoundProgress[];
  /** In the order in which the runs started. */
  readonly panes: readonly Pane[];
  readonly notes: readonly Note[];
  readonly plan: { readonly titles: readonly string[]; readonly source: string } | null;
  readonly end: {
    readonly end: 'done' | 'failed' | 'cancelled' | 'interrupted';
    readonly message: string;
    readonly plan: string | null;
    readonly summary: string | null;
    readonly approved: boolean;
  } | null;
}

export const noProgress: Progress = {
  session: null,
  folder: null,
  task: '',
  phase: null,
  startedAt: null,
  context: null,
  rounds: [],
  panes: [],
  notes: [],
  plan: null,
  end: null,
};
