// Defines what the chart knows about a session; each field comes from the result of a step.
import type { CodebaseContext } from '../model/context.ts';
import type { AfterVerdict, Critique, GivenPlan } from '../model/critique.ts';
import type { Clarification, Decision, PlanVerdict, UserAnswer } from '../model/decision.ts';
import type {
  CodeReview,
  ExecuteAnswer,
  ExecutionResult,
  ResultAnswer,
  Retry,
} from '../model/execution.ts';
import type { AppliedResult } from '../phases/execution/apply-result.ts';
import { blockingIn } from '../model/finding.ts';
import type { PlanComment } from '../model/plan-edit.ts';
import type { PlanReading } from '../model/plan-reading.ts';
import type { ProofSet } from '../model/proof.ts';
import type { RunSettings } from '../model/run-settings.ts';
import type { Synthesis } from '../model/synthesis.ts';
import { rejectionText } from '../model/wording.ts';
import type { TakenPlan } from '../phases/critique/take-plan.ts';
import type { NextMove, RoundOutput } from '../phases/discussion/round.ts';
import type { WrittenPlan } from '../phases/planning/generate-plan.ts';
import type { ReviewedPlan } from '../phases/planning/read-plan.ts';
import type { OpenReading } from '../phases/planning/reading/read-by-others.ts';
import { steps } from '../model/steps.ts';

/** The end of a run of the chart. `left`: the plan is written and waits for its approval. */
export type WorkflowEnd =
  | { readonly kind: 'done' }
  | {
      readonly kind: 'left';
      readonly why: string;
      readonly blocking: number;
      /** True if the plan itself is sound and only its readers’ findings prevent its approval. */
      readonly isSound: boolean;
    }
  | { readonly kind: 'cancelled' }
  /** An existing plan was examined, and nothing else was wanted. */
  | { readonly kind: 'judged' }
  | { readonly kind: 'interrupted' }
  /** The session continues at once, with tasks that are redone. */
  | { readonly kind: 'again'; readonly retries: readonly Retry[] }
  | {
      readonly kind: 'nobody-answered';
      readonly failures: readonly { agent: string; reason: string }[];
      /** True if only analysts looked and no file matches the task. */
      readonly nothingFound: boolean;
    }
  | { readonly kind: 'not-converged' }
  | { readonly kind: 'error'; readonly error: unknown };

/** The result of an execution, and the failed tasks that a person wants done again. */
export interface CarriedOut {
  readonly result: ExecutionResult;
  readonly retries: readonly Retry[];
}

/** The plan as the user left it, with the verdict and its outcome. */
export interface PlanReview {
  readonly verdict: PlanVerdict;
  readonly reviewed: ReviewedPlan;
  /**
   * `changed`: the plan on disk differs from the one that was shown. `to-author`: its author is to answer what
   * readers found.
   */
  readonly outcome: 'approved' | 'sent-back' | 'to-author' | 'changed' | 'left';
  /** Everything that readers found during the review; null if they did not finish reading. */
  readonly found: PlanReading | null;
  /** The number of findings that block the plan as the user left it. */
  readonly blocking: number;
}

/** Everything that the chart knows about a session; each field comes from a step’s result. */
export interface WorkflowContext {
  readonly task: string;
  /** A plan from outside, which is examined; null if agents propose. */
  readonly given: GivenPlan | null;
  /** The parts of the given plan, after it was taken apart. */
  readonly taken: TakenPlan | null;
  readonly critique: Critique | null;
  /** The user’s wish for the time after the verdict. */
  readonly afterVerdict: AfterVerdict | null;
  readonly codebase: CodebaseContext | null;
  /** The current round, or the last one; greater than the round of `last` if no agent could take part. */
  readonly round: number;
  /** The fewest rounds that are allowed after the user asked for more analysis. */
  readonly atLeastRounds: number;
  /** The outcome of the last round. */
  readonly outcome: RoundOutput | null;
  /** The last round with answers, and its settings. */
  readonly last: { readonly synthesis: Synthesis; readonly settings: RunSettings } | null;
  readonly next: NextMove | null;
  readonly clarification: Clarification | null;
  readonly feedback: readonly string[];
  readonly answers: readonly UserAnswer[];
  /** The number of the current decision, or of the last one. */
  readonly decisions: number;
  readonly decision: Decision | null;
  /** The acceptance tests for the decision; null where there is no proof. */
  readonly proofs: ProofSet | null;
  readonly plan: WrittenPlan | null;
  /** The reading that goes on while the first version is reviewed; null if there is none. */
  readonly reading: OpenReading | null;
  /** The number of the current review of the decision’s plan, or of the last one. */
  readonly reviews: number;
  readonly planReview: PlanReview | null;
  /** The comments that sent the plan back; null while no new version is being made. */
  readonly comments: readonly PlanComment[] | null;
  /** The number of the execution that is asked about, or of the last one. */
  readonly executions: number;
  readonly execute: ExecuteAnswer | null;
  readonly result: ExecutionResult | null;
  readonly review: CodeReview | null;
  readonly isApplyWanted: boolean;
  /** The tasks that the user wants redone instead. */
  readonly retries: readonly Retry[];
  /** The agent that the user chose to resolve a conflict with the checked-out commit; null for none. */
  readonly resolver: string | null;
  /** How the result was applied; null if it was not. */
  readonly applied: AppliedResult | null;
  readonly end: WorkflowEnd | null;
}

/** The context at the start of every run of the chart, including resumed ones: the recorded steps fill it again. */
export function startingContext(task: string, given: GivenPlan | null = null): WorkflowContext {
  return {
    task,
    given,
    taken: null,
    critique: null,
    afterVerdict: null,
    codebase: null,
    round: 1,
    atLeastRounds: 1,
    outcome: null,
    last: null,
    next: null,
    clarification: null,
    feedback: [],
    answers: [],
    decisions: 0,
    decision: null,
    proofs: null,
    plan: null,
    reading: null,
    reviews: 1,
    planReview: null,
    comments: null,
    executions: 1,
    execute: null,
    result: null,
    review: null,
    isApplyWanted: false,
    retries: [],
    resolver: null,
    applied: null,
    end: null,
  };
}

/** Adds what the user said last, if anything. */
export function withFeedback({ feedback }: WorkflowContext, text: string): readonly string[] {
  return text === '' ? feedback : [...feedback, text];
}

/** The plan after the review: a person may have edited the files, and the approved or left state counts. */
export function planAfterReview({ plan, planReview }: WorkflowContext): WrittenPlan | null {
  const { reviewed } = planReview ?? {};
  if (plan === null || reviewed === undefined || reviewed.plan === null) return plan;
  return { ...plan, ...reviewed, plan: reviewed.plan };
}

/** True if no task produced anything that could be applied. */
export function hasNoChanges({ result }: Pick<WorkflowContext, 'result'>): boolean {
  return result?.commit === result?.start;
}

/** Adds to the result what an answer says besides whether to apply it. */
export function withAnswer(result: ExecutionResult, answer: ResultAnswer): ExecutionResult {
  if (typeof answer === 'boolean') return result;
  const { accepted, applied = null } = answer;
  const isNew = Object.keys(accepted).length > 0 || applied !== null;
  return isNew ? { ...result, accepted, applied: applied ?? result.applied } : result;
}

/** The end for an unapproved plan: one left with blocking findings is a failure, a rejected one is not. */
export function leaveEnd({ planReview }: WorkflowContext): WorkflowEnd {
  if (planReview === null) return { kind: 'left', why: '', blocking: 0, isSound: true };
  const { verdict, blocking, reviewed } = planReview;
  const isSound = blockingIn(reviewed).length === 0;
  const isRejected = verdict.kind === 'reject';
  return { kind: 'left', why: whyLeft(verdict), blocking: isRejected ? 0 : blocking, isSound };
}

/** The steps of the current review. */
export function reviewSteps({ decisions, reviews }: WorkflowContext) {
  return steps.approval(decisions, reviews === 1 ? null : reviews);
}

/** The reason why a plan is not approved; empty for a verdict without one. */
export function whyLeft(verdict: PlanVerdict): string {
  if (verdict.kind === 'leave') return verdict.why;
  return verdict.kind === 'reject' ? `it was ${rejectionText(verdict)}` : '';
}
