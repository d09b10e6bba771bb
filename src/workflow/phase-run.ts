// Defines the input of every phase, and reads values for phases from the chart.
import type { Decision } from '../model/decision.ts';
import type { ExecuteAnswer } from '../model/execution.ts';
import { choiceFor, chosenFirst } from '../model/phase-choice.ts';
import type { RunSettings } from '../model/run-settings.ts';
import { chooseCommitStyle } from '../phases/execution/choose-commit-style.ts';
import type { Job } from '../phases/execution/execution-team.ts';
import { findUnconfined } from '../phases/execution/retries.ts';
import { missingText } from '../phases/opinions.ts';
import { uncertaintyOf } from '../phases/present-options.ts';
import { plannerNames } from '../phases/planning/ask-planner.ts';
import { planHash } from '../phases/planning/plan-hash.ts';
import type { HandOffInput } from '../phases/planning/hand-over.ts';
import type { PlanningInput } from '../phases/planning/planning-input.ts';
import { readPackageFor } from '../phases/planning/read-plan.ts';
import type { Tools } from '../phases/phase-tools.ts';
import type { WorkflowContext } from './chart-context.ts';
import type { View } from './view-port.ts';

export interface PhaseRun {
  readonly context: WorkflowContext;
  readonly tools: Tools;
  readonly view: View;
  /** The current settings; they apply from the next unrecorded round. */
  readonly settings: RunSettings;
  /** The agent that is asked to plan before the participants; null for none. */
  readonly planner: string | null;
  /** Settles when the confinement of code before the approval has been tried on this machine. */
  readonly confinement: Promise<unknown>;
  readonly signal: AbortSignal;
}

/** Throws if a value is missing: the chart reaches a state only after everything it needs is there. */
export function requireValue<T>(value: T | null): T {
  if (value === null) throw new Error('the chart reached a state before its input was made');
  return value;
}

/** The decision for an option. */
export function approvalIn({ decision }: WorkflowContext): Extract<Decision, { kind: 'approve' }> {
  return requireValue(decision?.kind === 'approve' ? decision : null);
}

/** The answer that starts the execution of a plan. */
export function executeNowIn({
  execute,
}: WorkflowContext): Extract<ExecuteAnswer, { kind: 'now' }> {
  return requireValue(execute?.kind === 'now' ? execute : null);
}

/** The agents from which a planning agent is chosen. */
export function candidatesOf({ context, tools, settings, planner }: PhaseRun) {
  const { receipts } = requireValue(context.last).synthesis;
  return { planner, receipts, settings, agents: tools.agents };
}

/** Collects what proof and planning start from. */
export function planningOf(run: PhaseRun): PlanningInput {
  const { context, tools } = run;
  const { synthesis, settings } = requireValue(context.last);
  const names = plannerNames(candidatesOf(run));
  const uncertainty = uncertaintyIn(context);
  const missing = [missingText(synthesis, 'the user') ?? []].flat().map((text) => `${text}.`);
  return {
    ...context,
    number: context.decisions,
    codebase: requireValue(context.codebase),
    synthesis,
    decision: approvalIn(context),
    constraints: settings.constraints,
    uncertainty: uncertainty === null ? null : [uncertainty, ...missing].join(' '),
    planners: chosenFirst(tools.phases, 'planning', names),
    planner: choiceFor(tools.phases, 'planning').agent ?? run.planner,
  };
}

/** Says what is uncertain about the options; null if the agents agree on one. */
export function uncertaintyIn({ last }: WorkflowContext): string | null {
  return uncertaintyOf(requireValue(last).synthesis);
}

/** The most rounds that are allowed, including those that the user asked for. */
export function mostRoundsIn({ last, atLeastRounds }: WorkflowContext): number {
  return Math.max(requireValue(last).settings.max_rounds, atLeastRounds);
}

/** The user’s request that led to the current options; null if there was none. */
export function wishIn({ decision }: WorkflowContext): string | null {
  return decision?.kind === 'more-analysis' && decision.feedback !== '' ? decision.feedback : null;
}

/** Collects what the decision and its plan hand over to the executing agent. */
export function handOverOf(context: WorkflowContext): HandOffInput {
  const { execution_method, code_review_tool = 'Skip', constraints } = approvalIn(context);
  const { synthesis, settings } = requireValue(context.last);
  return {
    task: context.task,
    plan: requireValue(context.plan).plan,
    executionMethod: execution_method,
    codeReviewTool: code_review_tool,
    rounds: synthesis.round,
    constraints: [...new Set([...settings.constraints, ...constraints])],
    feedback: context.feedback,
    answers: context.answers,
  };
}

/** Finds out which agents are installed while something else runs; it takes as long, and the result is kept. */
export function lookForAgents({
  tools,
  settings,
  signal,
}: Pick<PhaseRun, 'tools' | 'settings' | 'signal'>): void {
  for (const name of settings.tools) {
    tools.agents
      .get(name)
      ?.ready(signal)
      .catch(() => {
        // The signal rejects after an interruption, and then nothing will ask the agent.
      });
  }
}

/** Opens what the tasks of the execution and its review share. */
export async function jobOf({ context, tools, signal }: PhaseRun): Promise<Job> {
  const trees = await tools.execution.worktrees(signal);
  const common = { tools, trees, number: context.executions, signal };
  const {
    commands,
    setup: taken = [],
    copy: copied = [],
    commit_style: style,
  } = executeNowIn(context);
  const { setup: own, copy: ownCopy, commitStyle: said } = tools.execution.settings;
  const setup = own.length > 0 ? own : taken;
  const copy = ownCopy.length > 0 ? ownCopy : copied;
  const wanted = { wanted: said ?? style ?? null, signal };
  const commitStyle = await chooseCommitStyle(tools.repository.root, wanted);
  const { plan, tasks } = requireValue(context.plan);
  return {
    ...common,
    commitStyle,
    setup,
    copy,
    request: handOverOf(context),
    package: await readPackageFor(tasks, tools),
    commands,
    unconfined: findUnconfined(tools.execution.records, planHash(plan, tasks)),
  };
}
