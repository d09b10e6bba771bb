// Defines the port `Steps`.
import type { z } from 'zod';
import type { PlanWindow } from '../model/agent-event.ts';
import type { Step } from '../model/step.ts';

export interface StepRequest<T> extends Pick<Step, 'key' | 'group' | 'kind'> {
  /** The meaning of the step (task, agent, digests of what came before), never prompt text. */
  readonly input: unknown;
  /** Whether it is recorded outside of the repository until its whole group has finished. */
  readonly apart?: boolean;
  /** Types the recorded result on replay. */
  readonly shape: z.ZodType<T>;
  /** An aborted signal starts no further step. */
  readonly signal: AbortSignal;
}

/** Tokens and US dollars used by one agent run, as reported so far. */
export interface Spending {
  readonly agent: string;
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly cost_usd: number;
  /** Set if no token counts were reported. */
  readonly estimated?: true | undefined;
  /** What a plan’s window showed at that moment. */
  readonly window?: PlanWindow | undefined;
}

/** A run of a step that a killed process had started. */
export interface InterruptedRun {
  readonly since: string;
  /** The usage that the run recorded. */
  readonly spent: Pick<Spending, 'input_tokens' | 'output_tokens' | 'cost_usd'>;
}

/** What the function of a step receives. */
export interface RunningStep {
  /** Counts from 1; higher when an earlier process died inside this step. */
  readonly attempt: number;
  /** The earlier process’s run if it was asked the same, else null. */
  readonly interrupted: InterruptedRun | null;
  /** How many times the step finished before and was marked to be run again. */
  readonly earlier: number;
  /** Records usage at once, so that a killed run is not free. */
  spend(spending: Spending): void;
}

export interface StepOutcome<T> {
  readonly value: T;
  readonly replayed: boolean;
  /** True if the recorded result was kept although the input differs. */
  readonly inputChanged: boolean;
}

/** Durable execution: returns the recorded result of a step if there is one, else runs it. */
export interface Steps {
  /**
   * Runs `fn` once and records what it resolves to. A rejection is not recorded.
   * A question rechecks the signal after its answer.
   */
  run<T>(request: StepRequest<T>, fn: (step: RunningStep) => Promise<T>): Promise<StepOutcome<T>>;
  /** True until the first step of this run that had no recorded result. */
  readonly replaying: boolean;
}
