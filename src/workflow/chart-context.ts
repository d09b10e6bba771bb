// Defines what the chart knows of a session, and says where each finished phase leads.
import type { CodebaseContext } from '../model/context.ts';
import {
  type Clarification,
  type Decision,
  type PlanVerdict,
  type UserAnswer,
  rejectionText,
} from '../model/decision.ts';
import type { CodeReview, ExecuteAnswer, ExecutionResult } from '../model/execution.ts';
import type { AppliedResult } from '../phases/execution/apply-result.ts';
import type { PlanComment } from '../model/plan-edit.ts';
import type { RunSettings } from '../model/session.ts';
import type { Synthesis } from '../model/synthesis.ts';
import type { NextMove, RoundOutput } from '../phases/discussion/round.ts';
import type { WrittenPlan } from '../phases/planning/generate-plan.ts';
import type { ReviewedPlan } from '../phases/planning/read-plan.ts';
import { steps } from '../model/steps.ts';

/** How a run of the chart ended. `left`: the plan is written and waits for its approval. */
export type WorkflowEnd =
  | { readonly kind: 'done' }
  | { readonly kind: 'left'; readonly why: string; readonly blocking: number }
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'interrupted' }
  | {
      readonly kind: 'nobody-answered';
      readonly failures: readonly { agent: string; reason: string }[];
      /** Only analysts looked, and no file matches the task. */
      readonly nothingFound: boolean;
    }
  | { readonly kind: 'not-converged' }
  | { readonly kind: 'error'; readonly error: unknown };

/** The plan as the user left it, with the verdict and where that leads. */
export interface Reviewed {
  readonly verdict: PlanVerdict;
  readonly reviewed: ReviewedPlan;
  readonly next: 'execution' | 'planning' | 'planReview' | 'left';
  /** How many findings block the plan as it was left. */
  readonly blocking: number;
}

/** Everything that the chart knows of a session; each field comes from a step’s result. */
export interface WorkflowContext {
  readonly task: string;
  readonly codebase: CodebaseContext | null;
  /** The current round, or the last one; later than `last` where no agent could take part in it. */
  readonly round: number;
  /** Rounds that a "need more analysis" of the user allows at least. */
  readonly atLeastRounds: number;
  readonly last: { readonly synthesis: Synthesis; readonly settings: RunSettings } | null;
  readonly next: NextMove | null;
  readonly feedback: readonly string[];
  readonly answers: readonly UserAnswer[];
  /** Counts the decisions of the session; the one being made, or the last one. */
  readonly decisions: number;
  readonly decision: Extract<Decision, { kind: 'approve' }> | null;
  readonly plan: WrittenPlan | null;
  /** Counts the reviews of the decision’s plan; the one being made, or the last one. */
  readonly reviews: number;
  /** What the plan was sent back with; null while no new version is being made. */
  readonly comments: readonly PlanComment[] | null;
  /** Counts the executions of the session; the one that is asked about, or the last one. */
  readonly executions: number;
  readonly execute: Extract<ExecuteAnswer, { kind: 'now' }> | null;
  readonly result: ExecutionResult | null;
  readonly review: CodeReview | null;
  /** How the result was brought home; null where it was not. */
  readonly applied: AppliedResult | null;
  readonly end: WorkflowEnd | null;
}

/** Where every run of the chart starts, also one that goes on: the recorded steps fill it again. */
export function startingContext(task: string): WorkflowContext {
  return {
    task,
    codebase: null,
    round: 1,
    atLeastRounds: 1,
    last: null,
    next: null,
    feedback: [],
    answers: [],
    decisions: 0,
    decision: null,
    plan: null,
    reviews: 1,
    comments: null,
    executions: 1,
    execute: null,
    result: null,
    review: null,
    applied: null,
    end: null,
  };
}

/** A state that runs a phase. */
export type PhaseState =
  | 'context'
  | 'discussion'
  | 'userInputNeeded'
  | 'options'
  | 'decision'
  | 'planning'
  | 'planReview'
  | 'execution'
  | 'carryingOut'
  | 'codeReview'
  | 'bringingHome';

/** Where the chart can be. */
export type ChartState = PhaseState | 'done' | 'left' | 'cancelled' | 'failed';

/** Where a finished phase leads, and what it changes. */
export interface Move {
  readonly to: ChartState;
  readonly change: Partial<WorkflowContext>;
}

export function afterRound({ round }: WorkflowContext, output: RoundOutput): Move {
  if (output.kind === 'nobody-answered') return { to: 'failed', change: { end: output } };
  if (output.kind === 'nobody-seated') return { to: 'options', change: {} };
  const { synthesis, settings, context: codebase, next } = output;
  const change = { last: { synthesis, settings }, codebase, next };
  switch (next) {
    case 'another-round':
      return { to: 'discussion', change: { ...change, round: round + 1 } };
    case 'ask-user':
    case 'ask-at-end':
      return { to: 'userInputNeeded', change };
    case 'not-converged':
      return { to: 'failed', change: { ...change, end: { kind: 'not-converged' } } };
    case 'converged':
    case 'best-options':
      return { to: 'options', change };
  }
}

/** What was answered after the last round goes into the plan. */
export function afterAnswers(context: WorkflowContext, given: Clarification): Move {
  if (given.skipped) return { to: 'options', change: {} };
  const answers = [...context.answers, ...given.answers];
  const change = { answers, feedback: withFeedback(context, given.feedback) };
  if (context.next === 'ask-at-end') return { to: 'options', change };
  return { to: 'discussion', change: { ...change, round: context.round + 1 } };
}

export function afterDecision(context: WorkflowContext, decision: Decision): Move {
  if (decision.kind === 'cancel') {
    return { to: 'cancelled', change: { end: { kind: 'cancelled' } } };
  }
  const feedback = withFeedback(context, decision.feedback ?? '');
  if (decision.kind === 'approve') return { to: 'planning', change: { decision, feedback } };
  const round = context.round + 1;
  return { to: 'discussion', change: { round, atLeastRounds: round, feedback } };
}

/** The next review has its own step keys, whether the plan is another one or was changed. */
export function afterReview(context: WorkflowContext, review: Reviewed): Move {
  const { verdict, next } = review;
  if (next === 'planning' || next === 'planReview') {
    const comments = verdict.kind === 'revise' ? verdict.comments : null;
    return { to: next, change: { reviews: context.reviews + 1, comments } };
  }
  const change = withReviewed(context, review);
  if (next === 'execution') return { to: next, change };
  return { to: next, change: { ...change, end: leftWith(review) } };
}

function withFeedback({ feedback }: WorkflowContext, text: string): readonly string[] {
  return text === '' ? feedback : [...feedback, text];
}

/** A person may have edited the files: what was approved or left is what counts. */
function withReviewed({ plan }: WorkflowContext, { reviewed }: Reviewed): Partial<WorkflowContext> {
  if (plan === null || reviewed.plan === null) return {};
  return { plan: { ...plan, ...reviewed, plan: reviewed.plan } };
}

/** A plan that is left with what blocks it is a failure; one that is rejected is as wanted. */
function leftWith({ verdict, blocking }: Reviewed): WorkflowEnd {
  const isRejected = verdict.kind === 'reject';
  return { kind: 'left', why: whyLeft(verdict), blocking: isRejected ? 0 : blocking };
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
