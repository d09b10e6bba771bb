import { fromPromise } from 'xstate';
import type { PlanRejected } from '../model/decision.ts';
import type { RunSettings } from '../model/session.ts';
import { gatherContext, type Rerankers } from '../phases/context.ts';
import { discussRound } from '../phases/discussion/round.ts';
import { seatsFor, somebodyReady } from '../phases/discussion/seats.ts';
import { optionsOf, uncertaintyOf } from '../phases/options.ts';
import { firstPlannerNames, plannerNames } from '../phases/planning/ask-planner.ts';
import { type WrittenPlan, generatePlan, revisePlan } from '../phases/planning/generate-plan.ts';
import { handOff } from '../phases/planning/hand-off.ts';
import type { Tools } from '../phases/tools.ts';
import {
  type Move,
  type WorkflowContext,
  afterAnswers,
  afterDecision,
  afterReview,
  afterRound,
} from './chart-context.ts';
import { askToExecute, bringResultHome, carryOut, reviewResult } from './execution.ts';
import { workflow } from './machine.ts';
import { askUser, decide, reviewPlan } from './questions.ts';
import type { View } from './view.ts';

interface ActorsInput {
  readonly tools: Tools;
  readonly view: View;
  /** The settings as they are now; they count from the next unrecorded round. */
  readonly settings: RunSettings;
  /** Who is asked to plan before the agents that took part, or null. */
  readonly planner: string | null;
  /** The rejection of the plan that stands now, if one does. */
  readonly rejected: () => PlanRejected | null;
  /** Told about every actor’s work, so that an interruption can wait until it has stopped. */
  readonly track: (work: Promise<unknown>) => void;
}

/** Gives the phases to the chart. */
export function wiredWorkflow(input: ActorsInput) {
  const { tools, view, settings, rejected, track } = input;
  const { emit } = tools;
  return workflow.provide({
    actors: {
      gatherContext: act(async (context, signal) => {
        emit({ type: 'phase.entered', phase: 'context', round: null });
        if (!tools.steps.replaying) lookForAgents(input, signal);
        const rerankers = rerankersOf(input);
        const codebase = await gatherContext({ task: context.task, rerankers }, tools, signal);
        return { to: 'discussion', change: { codebase } };
      }),
      discussRound: act(async (context, signal) => {
        emit({ type: 'phase.entered', phase: 'discussion', round: context.round });
        const { round: number, codebase, last: previous } = context;
        const round = { ...context, number, context: given(codebase), settings, previous };
        return afterRound(context, await discussRound(round, tools, signal));
      }),
      askUser: act(async (context, signal) =>
        afterAnswers(context, await askUser({ context, tools, view, signal })),
      ),
      presentOptions: act(async (context) => {
        emit({ type: 'phase.entered', phase: 'options', round: context.round });
        const { synthesis } = given(context.last);
        emit(optionsOf({ synthesis, uncertainty: uncertainty(context), answers: context.answers }));
        return { to: 'decision', change: { decisions: context.decisions + 1 } };
      }),
      decide: act(async (context, signal) => {
        const asking = { context, tools, view, signal, uncertainty: uncertainty(context) };
        const decision = await decide({
          ...asking,
          canDiscuss: () => canDiscuss(context, input, signal),
        });
        return afterDecision(context, decision);
      }),
      generatePlan: act(async (context, signal) => {
        emit({ type: 'phase.entered', phase: 'planning', round: null });
        const plan = await writePlan(context, input, signal);
        return { to: 'planReview', change: { plan, comments: null } };
      }),
      reviewPlan: act(async (context, signal) => {
        const planners = plannerNames(candidatesOf(context, input));
        const written = given(context.plan);
        const review = { context, tools, view, signal, written, planners, rejected };
        return afterReview(context, await reviewPlan(review));
      }),
      handOff: act(async (context, signal) => {
        emit({ type: 'phase.entered', phase: 'execution', round: null });
        await handOff(handOffInput(context), tools, signal);
        return await askToExecute(executing(context, signal));
      }),
      carryOut: act((context, signal) => carryOut(executing(context, signal))),
      reviewCode: act((context, signal) =>
        reviewResult(executing(context, signal), given(context.result)),
      ),
      bringHome: act((context, signal) =>
        bringResultHome(executing(context, signal), given(context.result)),
      ),
    },
  });

  function executing(context: WorkflowContext, signal: AbortSignal) {
    const handed = handOffInput(context);
    const names = plannerNames(candidatesOf(context, input));
    return { context, handed, written: given(context.plan), tools, view, names, signal };
  }

  function act(run: (context: WorkflowContext, signal: AbortSignal) => Promise<Move>) {
    return fromPromise<Move, WorkflowContext>(({ input: context, signal }) => {
      const work = run(context, signal);
      track(work);
      return work;
    });
  }
}

/** A first plan, or a new version where the user sent one back. */
function writePlan(
  context: WorkflowContext,
  input: ActorsInput,
  signal: AbortSignal,
): Promise<WrittenPlan> {
  const { comments, reviews: review, plan } = context;
  const candidates = candidatesOf(context, input);
  if (comments === null) {
    const planning = planningInput(context, firstPlannerNames(candidates));
    return generatePlan(planning, input.tools, signal);
  }
  const planning = planningInput(context, plannerNames(candidates));
  return revisePlan({ planning, review, comments, written: given(plan) }, input.tools, signal);
}

function canDiscuss(
  context: WorkflowContext,
  { tools: { agents }, settings }: ActorsInput,
  signal: AbortSignal,
): Promise<boolean> {
  const seated = seatsFor({ settings, agents, previous: given(context.last) });
  return somebodyReady(seated, agents, signal);
}

/** The agents of the session, in the order in which they would be asked to plan. */
function rerankersOf({ tools, settings, planner }: ActorsInput): Rerankers {
  if (tools.search.rerank !== 'agent') return null;
  const names = [...settings.tools, ...settings.fallback_chain];
  return [...new Set(planner === null ? names : [planner, ...names])];
}

/** While the search runs, find out who is installed: it takes as long, and is kept. */
function lookForAgents({ tools, settings }: ActorsInput, signal: AbortSignal): void {
  for (const name of settings.tools) {
    tools.agents
      .get(name)
      ?.ready(signal)
      .catch(() => {
        // An interruption: the round that would ask the agent does not come.
      });
  }
}

function candidatesOf(context: WorkflowContext, { tools, settings, planner }: ActorsInput) {
  const { receipts } = given(context.last).synthesis;
  return { planner, receipts, settings, agents: tools.agents };
}

function planningInput(context: WorkflowContext, planners: readonly string[]) {
  const { synthesis, settings: used } = given(context.last);
  return {
    number: context.decisions,
    task: context.task,
    codebase: given(context.codebase),
    synthesis,
    decision: given(context.decision),
    constraints: used.constraints,
    feedback: context.feedback,
    answers: context.answers,
    uncertainty: uncertainty(context),
    planners,
  };
}

function handOffInput(context: WorkflowContext) {
  const { execution_method, code_review_tool, constraints } = given(context.decision);
  return {
    number: context.decisions,
    task: context.task,
    plan: given(context.plan).plan,
    executionMethod: execution_method,
    codeReviewTool: code_review_tool,
    rounds: given(context.last).synthesis.round,
    constraints: [...new Set([...given(context.last).settings.constraints, ...constraints])],
    feedback: context.feedback,
    answers: context.answers,
  };
}

function uncertainty(context: WorkflowContext): string | null {
  const { synthesis, settings } = given(context.last);
  return context.next === 'converged'
    ? null
    : uncertaintyOf(
        synthesis,
        synthesis.round,
        Math.max(settings.max_rounds, context.atLeastRounds),
      );
}

/** The chart reaches a state only after what it needs was made; anything else is a bug. */
function given<T>(value: T | null): T {
  if (value === null) throw new Error('the chart reached a state before its input was made');
  return value;
}
