// Defines what every phase is run with, and what it takes from the chart.
import type { RunSettings } from '../model/session.ts';
import { uncertaintyOf } from '../phases/options.ts';
import type { HandedOver } from '../phases/planning/hand-off.ts';
import type { Tools } from '../phases/tools.ts';
import type { WorkflowContext } from './chart-context.ts';
import type { View } from './view.ts';

/** What every phase is run with. */
export interface PhaseRun {
  readonly context: WorkflowContext;
  readonly tools: Tools;
  readonly view: View;
  /** The settings as they are now; they count from the next unrecorded round. */
  readonly settings: RunSettings;
  /** Who is asked to plan before the agents that took part, or null. */
  readonly planner: string | null;
  readonly signal: AbortSignal;
}

/** The chart reaches a state only after what it needs was made; anything else is a bug. */
export function made<T>(value: T | null): T {
  if (value === null) throw new Error('the chart reached a state before its input was made');
  return value;
}

/** From whom a planning agent is chosen. */
export function candidatesOf({ context, tools, settings, planner }: PhaseRun) {
  const { receipts } = made(context.last).synthesis;
  return { planner, receipts, settings, agents: tools.agents };
}

/** What is uncertain about the options, in sentences; null where the agents converged. */
export function uncertaintyIn(context: WorkflowContext): string | null {
  if (context.next === 'converged') return null;
  const { synthesis, settings } = made(context.last);
  const maxRounds = Math.max(settings.max_rounds, context.atLeastRounds);
  return uncertaintyOf(synthesis, synthesis.round, maxRounds);
}

/** What the decision and its plan hand over to whoever carries it out. */
export function handedOver(context: WorkflowContext): HandedOver {
  const { execution_method, code_review_tool, constraints } = made(context.decision);
  const { synthesis, settings } = made(context.last);
  return {
    task: context.task,
    plan: made(context.plan).plan,
    executionMethod: execution_method,
    codeReviewTool: code_review_tool,
    rounds: synthesis.round,
    constraints: [...new Set([...settings.constraints, ...constraints])],
    feedback: context.feedback,
    answers: context.answers,
  };
}
