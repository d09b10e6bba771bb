// Defines what the screens share: the screen, the waiting question, the session, the clocks, words like `/help`.
import type { Event } from '../../model/event.ts';
import type { QuestionKind, Questions } from '../../workflow/view-port.ts';
import { foldEvent } from './progress/fold.ts';
import { noProgress, type Progress } from './progress/progress.ts';
import type { Row } from './screen-rows.ts';
import type { SavedEntry } from './ports.ts';

/** A task that led to nothing, and why: the start screen reappears with both. */
export interface RetryTask {
  readonly task: string;
  readonly note: string;
}

/** The current screen. A question stays until it is answered or withdrawn. */
export type Stage = Start | Sessions | { readonly kind: 'run' } | QuestionStage | End;

/** A person’s first choice: a new task, or a saved session. */
export type Choice = ChosenTask | { readonly kind: 'session'; readonly id: string };

/** A new task, with the chosen agents and models, if any. */
export interface ChosenTask {
  readonly kind: 'task';
  readonly task: string;
  readonly tools?: readonly string[];
  /** Models by the names of their agents. */
  readonly models?: Readonly<Record<string, string>>;
}

export interface Start {
  readonly kind: 'start';
  readonly again?: RetryTask;
  /** Receives the choice; null if the person leaves. */
  readonly answer: (given: Choice | null) => void;
}

/** The search for a saved session, to resume it or review its plan. */
export interface Sessions {
  readonly kind: 'sessions';
  readonly purpose: 'resume' | 'review' | 'execute';
  /** True without an earlier screen: choosing nothing means leaving. */
  readonly isFirst: boolean;
  readonly answer: (given: Choice | null) => void;
}

/** The end of the session, shown until a key is pressed. */
export interface End {
  readonly kind: 'end';
  readonly answer: (given: null) => void;
}

/** A question to the user, until it is answered or withdrawn. */
export type QuestionStage<Kind extends QuestionKind = QuestionKind> = {
  readonly [One in Kind]: {
    readonly kind: One;
    readonly question: Questions[One]['asks'];
    readonly answer: (given: Questions[One]['answer']) => void;
  };
}[Kind];

/** The props of a question’s screen, with its stores as `Open` makes them. */
export interface QuestionProps<
  Kind extends QuestionKind,
  Open extends (...args: never) => unknown,
> {
  readonly stage: QuestionStage<Kind>;
  readonly stores: ReturnType<Open>;
}

/** Everything that the screens share. What only one screen needs stays in it. */
export interface TuiState {
  readonly stage: Stage;
  readonly progress: Progress;
  /** Set while a person looks at the run although a question waits. */
  readonly besides: 'run' | null;
  readonly overlay: 'help' | 'stop' | 'page' | null;
  /** A line for the person, above the keys. */
  readonly notice: Row | null;
  /** The time shown by the clocks, in ms since the epoch; it ticks only while something runs. */
  readonly now: number;
  /** The clocks of the bill in the header. */
  readonly clocks: Clocks;
}

export function startingState(stage: Stage, now: number): TuiState {
  const time = { now, clocks: noClocks };
  return { stage, progress: noProgress, besides: null, overlay: null, notice: null, ...time };
}

/** Advances the clocks while something runs; the bill of an answered question tells how long it waited. */
export function withTime(state: TuiState, now: number): TuiState {
  const { clocks, progress, stage } = state;
  if (progress.startedAt === null || progress.end !== null) return state;
  if (stage.kind === 'run' || progress.panes.some(({ since }) => since !== null))
    return { ...state, now, clocks: moveClocks(clocks, now) };
  return clocks.at === null ? state : { ...state, clocks: { ...clocks, at: null } };
}

export function withEvent(state: TuiState, event: Event): TuiState {
  const progress = foldEvent(state.progress, event);
  const clocks = clocksAfter(state.clocks, event);
  const isSame = progress === state.progress && clocks === state.clocks;
  return isSame ? state : { ...state, progress, clocks };
}

/** Changes the stage and closes what was open over the previous one. */
export function withStage(state: TuiState, stage: Stage): TuiState {
  return { ...state, stage, besides: null, overlay: null, notice: null };
}

/** What a person wants who types a word that other programs know instead of a task. */
type Habit = 'help' | 'leave' | 'sessions' | 'agents';

/** Reads such a word; null for a text that is a task. */
export function habitOf(text: string): Habit | null {
  return habits.get(text.trim().toLowerCase()) ?? null;
}

const habits: ReadonlyMap<string, Habit> = new Map([
  ['?', 'help'],
  ['help', 'help'],
  ['/help', 'help'],
  [':q', 'leave'],
  ['exit', 'leave'],
  ['/exit', 'leave'],
  ['quit', 'leave'],
  ['/quit', 'leave'],
  ['sessions', 'sessions'],
  ['/sessions', 'sessions'],
  ['/agents', 'agents'],
  ['/resume', 'sessions'],
]);

/** Times in ms. Each bill corrects them, and none goes backwards before the end. */
export interface Clocks {
  /** The time without waiting for a person. */
  readonly sinceStart: number;
  readonly waiting: number;
  /** The moment up to which they count, in ms since the epoch; null while they are stopped. */
  readonly at: number | null;
}

const noClocks: Clocks = { sinceStart: 0, waiting: 0, at: null };

/** Advances the clocks to a later moment. */
function moveClocks(clocks: Clocks, now: number): Clocks {
  const { at, sinceStart } = clocks;
  if (at === null) return clocks;
  return { ...clocks, sinceStart: sinceStart + Math.max(0, now - at), at: now };
}

/** Sets the clocks by a bill, and starts them with the first step that is not a replay. */
function clocksAfter(clocks: Clocks, event: Event): Clocks {
  if (event.type === 'session.finished') {
    const { since_start_ms: sinceStart, waiting_ms: waiting } = event.spent;
    return { sinceStart, waiting, at: null };
  }
  const at = event.replayed ? null : Date.parse(event.at);
  if (event.type === 'usage.counted') {
    const { since_start_ms, waiting_ms } = event.spent;
    const sinceStart = Math.max(clocks.sinceStart, since_start_ms);
    return { sinceStart, waiting: Math.max(clocks.waiting, waiting_ms), at };
  }
  const begins = event.type === 'step.finished' || event.type === 'agent.started';
  return begins && clocks.at === null && at !== null ? { ...clocks, at } : clocks;
}

interface Purpose {
  readonly title: string;
  readonly fits: (entry: SavedEntry) => boolean;
  /** The text if none is suitable. */
  readonly none: string;
}

export const purposes: Readonly<Record<Sessions['purpose'], Purpose>> = {
  resume: {
    title: 'Resume a saved session',
    fits: () => true,
    none: 'There are no saved sessions here.',
  },
  review: {
    title: 'Review the plan of a session',
    fits: ({ hasPlan }) => hasPlan,
    none: 'No session here has a plan.',
  },
  execute: {
    title: 'Carry out an approved plan',
    fits: ({ canExecute }) => canExecute,
    none: 'No session here has an approved plan that is not applied yet.',
  },
};
