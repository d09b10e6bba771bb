// Defines the port `Steps`.
import type { z } from 'zod';
import type { Step } from '../model/step.ts';

export interface StepRequest<T> extends Pick<Step, 'key' | 'group' | 'kind'> {
  /** The meaning of the step (task, agent, digests of what came before), never prompt text. */
  readonly input: unknown;
  /** Recorded outside of the repository until all of its group have finished. */
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
  /** Nobody told the tokens. */
  readonly estimated?: true | undefined;
}

/** A run of a step that a killed process had started. */
export interface InterruptedRun {
  readonly since: string;
  /** The usage that it recorded. */
  readonly spent: Pick<Spending, 'input_tokens' | 'output_tokens' | 'cost_usd'>;
}

/** Passed to the function of a step. */
export interface RunningStep {
  /** Counts from 1; higher when an earlier process died inside this step. */
  readonly attempt: number;
  /** That earlier process’s run, where it was asked the same; else null. */
  readonly interrupted: InterruptedRun | null;
  /** The number of times that it has finished before, and was marked to be run again. */
  readonly earlier: number;
  /** Records usage at once, so that a killed run is not free. */
  spend(spending: Spending): void;
}

export interface StepOutcome<T> {
  readonly value: T;
  readonly replayed: boolean;
  /** The recorded result was kept although the input differs. */
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
