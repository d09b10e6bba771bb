import type { Clarification, Decision, PlanVerdict } from '../model/decision.ts';
import type { Event } from '../model/event.ts';
import type { Finding, Plan, Task } from '../model/plan.ts';
import type { Synthesis } from '../model/synthesis.ts';

export interface ClarificationQuestion {
  readonly round: number;
  readonly questions: readonly string[];
}

export interface DecisionQuestion {
  /** Counts the decisions of the session from 1. */
  readonly number: number;
  readonly synthesis: Synthesis;
  /** Set where the agents did not converge: what is uncertain. */
  readonly uncertainty: string | null;
}

export interface ApprovalQuestion {
  readonly plan: Plan;
  readonly tasks: readonly Task[];
  readonly findings: readonly Finding[];
}

/** A face of a session: shows what happened and asks for decisions. */
export interface View {
  show(event: Event): void;
  /** An empty answer with `skipped` goes on with the best options. */
  clarify(question: ClarificationQuestion, signal: AbortSignal): Promise<Clarification>;
  decide(question: DecisionQuestion, signal: AbortSignal): Promise<Decision>;
  approve(question: ApprovalQuestion, signal: AbortSignal): Promise<PlanVerdict>;
}
