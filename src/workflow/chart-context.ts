// Defines what the chart knows of a session; each field comes from the result of a step.
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
import type { RunSettings } from '../model/session.ts';
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
      /** The plan itself is sound: only what its readers found keeps it from being approved. */
      readonly isSound: boolean;
    }
  | { readonly kind: 'cancelled' }
  /** A plan that existed already was examined, and nothing more was wanted. */
  | { readonly kind: 'judged' }
  | { readonly kind: 'interrupted' }
  /** The session goes on at once, with tasks that are done again. */
  | { readonly kind: 'again'; readonly retry: Retry }
  | {
      readonly kind: 'nobody-answered';
      readonly failures: readonly { agent: string; reason: string }[];
      /** Only analysts looked, and no file matches the task. */
      readonly nothingFound: boolean;
    }
  | { readonly kind: 'not-converged' }
  | { readonly kind: 'error'; readonly error: unknown };

/** The plan as the user left it, with the verdict and what came of it. */
export interface PlanReview {
  readonly verdict: PlanVerdict;
  readonly reviewed: ReviewedPlan;
  /**
   * `changed`: the plan on disk is another one than the one that was seen. `to-author`: its author
   * is to answer what readers found.
   */
  readonly outcome: 'approved' | 'sent-back' | 'to-author' | 'changed' | 'left';
  /** All that readers found while it was reviewed; null where they did not read it to the end. */
  readonly found: PlanReading | null;
  /** The number of findings that block the plan as it was left. */
  readonly blocking: number;
}

/** Everything that the chart knows of a session; each field comes from a step’s result. */
export interface WorkflowContext {
  readonly task: string;
  /** A plan that somebody else has written, which is examined; null where agents propose. */
  readonly given: GivenPlan | null;
  /** Its parts, once it was taken apart. */
  readonly taken: TakenPlan | null;
  readonly critique: Critique | null;
  /** The wish for the time after that. */
  readonly afterVerdict: AfterVerdict | null;
  readonly codebase: CodebaseContext | null;
  /** The current round, or the last one; later than `last` where no agent could take part in it. */
  readonly round: number;
  /** Rounds that a "need more analysis" of the user allows at least. */
  readonly atLeastRounds: number;
  /** The end of the last round. */
  readonly outcome: RoundOutput | null;
  /** The last round that was answered, and where it leads. */
  readonly last: { readonly synthesis: Synthesis; readonly settings: RunSettings } | null;
  readonly next: NextMove | null;
  readonly clarification: Clarification | null;
  readonly feedback: readonly string[];
  readonly answers: readonly UserAnswer[];
  /** Counts the decisions of the session; the one being made, or the last one. */
  readonly decisions: number;
  readonly decision: Decision | null;
  readonly plan: WrittenPlan | null;
  /** The reading that goes on while the first version is reviewed; null without one. */
  readonly reading: OpenReading | null;
  /** Counts the reviews of the decision’s plan; the one being made, or the last one. */
  readonly reviews: number;
  readonly planReview: PlanReview | null;
  /** The comments that sent the plan back; null while no new version is being made. */
  readonly comments: readonly PlanComment[] | null;
  /** Counts the executions of the session; the one that is asked about, or the last one. */
  readonly executions: number;
  readonly execute: ExecuteAnswer | null;
  readonly result: ExecutionResult | null;
  readonly review: CodeReview | null;
  /** A review was wanted, and nobody answered who could make it, or look at what was put right. */
  readonly isUnreviewed: boolean;
  readonly isApplyWanted: boolean;
  /** Tasks that the user wants done again instead; null where none. */
  readonly retry: Retry | null;
  /** The agent that the user has resolve a conflict with what is checked out; null for none. */
  readonly resolver: string | null;
  /** The way in which the result was applied; null where it was not. */
  readonly applied: AppliedResult | null;
  readonly end: WorkflowEnd | null;
}

/** Starts every run of the chart, also one that goes on: the recorded steps fill it again. */
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
    plan: null,
    reading: null,
    reviews: 1,
    planReview: null,
    comments: null,
    executions: 1,
    execute: null,
    result: null,
    review: null,
    isUnreviewed: false,
    isApplyWanted: false,
    retry: null,
    resolver: null,
    applied: null,
    end: null,
  };
}

/** With what the user said last, if anything. */
export function withFeedback({ feedback }: WorkflowContext, text: string): readonly string[] {
  return text === '' ? feedback : [...feedback, text];
}

/** A person may have edited the files: what was approved or left is what counts. */
export function planAfterReview({ plan, planReview }: WorkflowContext): WrittenPlan | null {
  const { reviewed } = planReview ?? {};
  if (plan === null || reviewed === undefined || reviewed.plan === null) return plan;
  return { ...plan, ...reviewed, plan: reviewed.plan };
}

/** True where no task left anything that could be applied. */
export function hasNoChanges({ result }: Pick<WorkflowContext, 'result'>): boolean {
  return result?.commit === result?.start;
}

/** The result with what an answer to it says beside whether it is applied. */
export function withAnswer(result: ExecutionResult, answer: ResultAnswer): ExecutionResult {
  if (typeof answer === 'boolean') return result;
  const { accepted, applied = null } = answer;
  const isNew = Object.keys(accepted).length > 0 || applied !== null;
  return isNew ? { ...result, accepted, applied: applied ?? result.applied } : result;
}

/** A plan that is left with what blocks it is a failure; one that is rejected is as wanted. */
export function leaveEnd({ planReview }: WorkflowContext): WorkflowEnd {
  if (planReview === null) return { kind: 'left', why: '', blocking: 0, isSound: true };
  const { verdict, blocking, reviewed } = planReview;
  const isSound = blockingIn(reviewed).length === 0;
  const isRejected = verdict.kind === 'reject';
  return { kind: 'left', why: whyLeft(verdict), blocking: isRejected ? 0 : blocking, isSound };
}

/** The steps of the review being made. */
export function reviewSteps({ decisions, reviews }: WorkflowContext) {
  return steps.approval(decisions, reviews === 1 ? null : reviews);
}

/** Why a plan is not approved; empty for a verdict that does not say. */
export function whyLeft(verdict: PlanVerdict): string {
  if (verdict.kind === 'leave') return verdict.why;
  return verdict.kind === 'reject' ? `it was ${rejectionText(verdict)}` : '';
}
