import type { Clarification, Decision, PlanVerdict } from '../model/decision.ts';
import type { Event } from '../model/event.ts';
import type { Finding } from '../model/finding.ts';
import type { Plan } from '../model/plan.ts';
import type { Task } from '../model/task.ts';
import type { Synthesis } from '../model/synthesis.ts';

interface ClarificationQuestion {
  readonly round: number;
  readonly questions: readonly string[];
}

interface DecisionQuestion {
  /** Counts the decisions of the session from 1. */
  readonly number: number;
  readonly synthesis: Synthesis;
  /** Set where the agents did not converge: what is uncertain. */
  readonly uncertainty: string | null;
}

interface ApprovalQuestion {
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
