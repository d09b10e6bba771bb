// Defines a session as the screens show it, and puts tokens and money into words.
import type { Bill } from '../../../model/bill.ts';
import type { EventOf } from '../../../model/event.ts';
import type { TaskEnd } from '../../../model/execution.ts';
import type { Phase } from '../../../model/phase.ts';
import type { Tone } from '../theme.ts';
import { counted } from '../../../model/wording.ts';
import { amountsIn, priceTexts } from '../../short-forms.ts';
import type { PaneTail } from './tail.ts';

/** The usage of agents. The cost is null if no agent reported one. */
interface Spending {
  readonly input: number;
  readonly output: number;
  readonly costUsd: number | null;
}

export type PaneState = 'expected' | 'running' | 'waiting' | 'answered' | 'failed' | 'stopped';

/** An agent in a round, in planning or on a task, with all its tries. Times are in ms since the epoch. */
export interface Pane {
  /** Group, task and agent, e.g. `round-2/codex`; stays the same after a resume. */
  readonly key: string;
  /** The group that it was asked with, e.g. `round-2`. */
  readonly group: string;
  /** The plan’s task that it executes, or null. */
  readonly task: string | null;
  readonly agent: string;
  readonly seat: string;
  /** Null until it is known. */
  readonly kind: 'model' | 'analyst' | null;
  readonly model: string | null;
  readonly state: PaneState;
  /** A few words on its work, its wait or its end. */
  readonly doing: string;
  /** The start of its present run or wait; null while it does nothing. */
  readonly since: number | null;
  /** The end of its wait; null if it does not wait. */
  readonly until: number | null;
  /** The command that logs it in, if its seat waits for that, else null. */
  readonly login: string | null;
  /** The time of its finished runs; null before the first one. */
  readonly durationMs: number | null;
  /** The usage of finished runs; `running` is that of the current run. */
  readonly settled: Spending;
  readonly running: Spending;
  readonly tail: PaneTail;
  /** The agent that took its seat. */
  readonly replacedBy: string | null;
}

interface RoundProgress {
  readonly opened: EventOf<'round.started'>;
  readonly result: EventOf<'round.finished'> | null;
}

/** The output is its last part, if the check failed. */
export type TaskCheck = Pick<
  EventOf<'check.ran'>,
  'check' | 'passed' | 'note' | 'output' | 'tests'
>;

/** A task of the plan during the execution. */
export interface TaskProgress {
  readonly id: string;
  readonly title: string;
  readonly depends_on: string[];
  readonly executor: string;
  readonly state: 'waiting' | 'running' | 'checking' | TaskEnd;
  /** Why it is not completed; empty if it is, or may be. */
  readonly why: string;
  /** The checks before and after the work, each with its last run. */
  readonly before: readonly TaskCheck[];
  readonly after: readonly TaskCheck[];
  /** Checks with everything that was changed, on the start once more, and on the joined result. */
  readonly all: readonly TaskCheck[];
  readonly again: readonly TaskCheck[];
  readonly joined: readonly TaskCheck[];
  /** Its changes so far. */
  readonly diff: string;
}

interface ExecutionProgress {
  readonly number: number;
  /** The most tasks that run at once. */
  readonly jobs: number;
  readonly tasks: readonly TaskProgress[];
}

/** A line about something that happened. */
export interface Note {
  /** The group of agent runs that it belongs to, e.g. `round-2`, or null. */
  readonly group: string | null;
  readonly text: string;
  readonly tone: Tone;
  /** True if it belongs to the line above it. */
  readonly isMore?: boolean;
}

/** A session as the screens show it: a fold over its events, live and after a resume. */
export interface Progress {
  readonly session: string | null;
  readonly task: string;
  readonly phase: Phase | null;
  /** When this run of the program started, in ms since the epoch. */
  readonly startedAt: number | null;
  /** The limits of the session. */
  readonly budget: EventOf<'session.started'>['budget'];
  /** The bill of the whole session so far; null until it is known. */
  readonly spent: Bill | null;
  /** The files that were found for the task, in order of relevance. */
  readonly files: readonly string[];
  readonly rounds: readonly RoundProgress[];
  /** The calls that an earlier run paid for, while its record is replayed; null once something is new. */
  readonly replayed: number | null;
  /** The panes in the order in which they were expected or started. */
  readonly panes: readonly Pane[];
  /** The group of the agents that are shown; null before any was asked. */
  readonly group: string | null;
  /** The notes in the order in which they happened; the oldest are dropped if there are very many. */
  readonly notes: readonly Note[];
  /** Results of the phase so far, for its headline. */
  readonly facts: readonly string[];
  /** Whether the plan was approved in this run of the program. */
  readonly isApprovedNow: boolean;
  readonly execution: ExecutionProgress | null;
  readonly review: EventOf<'review.finished'> | null;
  /** The verdict on an existing plan. */
  readonly critique: EventOf<'plan.judged'> | null;
  readonly end: EventOf<'session.finished'> | null;
  /** The page of the session: the latest link to it, or that the last question was answered there; null without one. */
  readonly page: EventOf<'page.opened' | 'page.answered'> | null;
}

export const noProgress: Progress = {
  session: null,
  page: null,
  task: '',
  phase: null,
  startedAt: null,
  budget: undefined,
  spent: null,
  files: [],
  rounds: [],
  replayed: null,
  panes: [],
  group: null,
  notes: [],
  facts: [],
  isApprovedNow: false,
  execution: null,
  review: null,
  critique: null,
  end: null,
};

/** True while more output may come from it. */
export function isOpen({ state }: Pane): boolean {
  return state === 'expected' || state === 'running' || state === 'waiting';
}

export function isAtWork({ state }: Pick<TaskProgress, 'state'>): boolean {
  return state === 'running' || state === 'checking';
}

export const noSpending: Spending = { input: 0, output: 0, costUsd: null };

export function addSpending(a: Spending, b: Spending): Spending {
  const costUsd = a.costUsd === null ? b.costUsd : a.costUsd + (b.costUsd ?? 0);
  return { input: a.input + b.input, output: a.output + b.output, costUsd };
}

export function spendingOf({ settled, running }: Pane): Spending {
  return addSpending(settled, running);
}

/**
 * The amounts of the bill as separate texts, compared with the budget if there is one; the most
 * important is last.
 */
export function amountTexts({
  spent,
  budget,
}: Pick<Progress, 'spent' | 'budget'>): readonly string[] {
  if (spent === null) return [];
  const { tokens, cost_usd: usd } = amountsIn(spent);
  const most = budget ?? {};
  const runs = spent.agent_runs === 0 ? [] : [counted(spent.agent_runs, 'run')];
  const limited = [
    ...(most.tokens === undefined ? [] : [`${short(tokens)} of ${short(most.tokens)} tokens`]),
    ...(most.usd === undefined ? [] : [`$${usd.toFixed(2)} of $${most.usd.toFixed(2)}`]),
  ];
  return [...runs, ...(limited.length === 0 ? priceTexts({ tokens, cost_usd: usd }) : limited)];
}

/** Writes a usage: `12k in 800 out $0.42`; empty if nothing is known. */
export function spendingText({ input, output, costUsd }: Spending): string {
  const tokens = input + output === 0 ? '' : `${short(input)} in ${short(output)} out`;
  const cost = costUsd === null ? '' : `$${costUsd.toFixed(2)}`;
  return [tokens, cost].filter(Boolean).join(' ');
}

/** Shortens a count: `900`, `1.2k`, `35k`, `1.2M`. */
function short(count: number): string {
  if (count < 1_000) return String(count);
  const [value, unit] = count < 999_500 ? [count / 1_000, 'k'] : [count / 1_000_000, 'M'];
  return `${value < 10 ? value.toFixed(1) : value.toFixed(0)}${unit}`;
}
