// Gives the phases to the chart, and runs those that ask nobody.
import { fromPromise } from 'xstate';
import { gatherContext } from '../phases/context.ts';
import { discussRound } from '../phases/discussion/round.ts';
import { optionsOf } from '../phases/options.ts';
import { firstPlannerNames, plannerNames } from '../phases/planning/ask-planner.ts';
import { generatePlan, revisePlan } from '../phases/planning/generate-plan.ts';
import { type Move, type PhaseState, afterRound } from './chart-context.ts';
import { bringResultHome, carryOut, handOffPlan, reviewResult } from './execution.ts';
import { type PhaseInput, workflow } from './machine.ts';
import { type PhaseRun, candidatesOf, made, uncertaintyIn } from './phase-run.ts';
import { askUser, decide, reviewPlan } from './questions.ts';

/** Gives the phases to the chart. `track` gets the work of each, so that an interruption can wait for it. */
export function wiredWorkflow(
  session: Omit<PhaseRun, 'context' | 'signal'>,
  track: (work: Promise<unknown>) => void,
) {
  const runPhase = fromPromise<Move, PhaseInput>(({ input: { state, context }, signal }) => {
    const work = phases[state]({ ...session, context, signal });
    track(work);
    return work;
  });
  return workflow.provide({ actors: { runPhase } });
}

const phases: Readonly<Record<PhaseState, (run: PhaseRun) => Promise<Move>>> = {
  context: gather,
  discussion: discuss,
  userInputNeeded: askUser,
  options: presentOptions,
  decision: decide,
  planning: plan,
  planReview: reviewPlan,
  execution: handOffPlan,
  carryingOut: carryOut,
  codeReview: reviewResult,
  bringingHome: bringResultHome,
};

async function gather(run: PhaseRun): Promise<Move> {
  const { context, tools, signal } = run;
  tools.emit({ type: 'phase.entered', phase: 'context', round: null });
  if (!tools.steps.replaying) lookForAgents(run);
  const search = { task: context.task, rerankers: rerankersOf(run) };
  const codebase = await gatherContext(search, tools, signal);
  return { to: 'discussion', change: { codebase } };
}

/** While the search runs, find out who is installed: it takes as long, and is kept. */
function lookForAgents({ tools, settings, signal }: PhaseRun): void {
  for (const name of settings.tools) {
    tools.agents
      .get(name)
      ?.ready(signal)
      .catch(() => {
        // An interruption: the round that would ask the agent does not come.
      });
  }
}

/** The agents of the session, in the order in which they would be asked to plan. */
function rerankersOf({ tools, settings, planner }: PhaseRun): readonly string[] | null {
  if (tools.search.rerank !== 'agent') return null;
  const names = [...settings.tools, ...settings.fallback_chain];
  return [...new Set(planner === null ? names : [planner, ...names])];
}

async function discuss({ context, tools, settings, signal }: PhaseRun): Promise<Move> {
  const { round: number, codebase, last: previous } = context;
  tools.emit({ type: 'phase.entered', phase: 'discussion', round: number });
  const round = { ...context, number, context: made(codebase), settings, previous };
  return afterRound(context, await discussRound(round, tools, signal));
}

async function presentOptions({ context, tools }: PhaseRun): Promise<Move> {
  const { round, answers, decisions } = context;
  tools.emit({ type: 'phase.entered', phase: 'options', round });
  const { synthesis } = made(context.last);
  tools.emit(optionsOf({ synthesis, uncertainty: uncertaintyIn(context), answers }));
  return { to: 'decision', change: { decisions: decisions + 1 } };
}

/** A first plan, or a new version where the user sent one back. */
async function plan(run: PhaseRun): Promise<Move> {
  const { context, tools, signal } = run;
  const { comments, reviews: review } = context;
  tools.emit({ type: 'phase.entered', phase: 'planning', round: null });
  const candidates = candidatesOf(run);
  const { synthesis, settings } = made(context.last);
  const planning = {
    ...context,
    number: context.decisions,
    codebase: made(context.codebase),
    synthesis,
    decision: made(context.decision),
    constraints: settings.constraints,
    uncertainty: uncertaintyIn(context),
    planners: comments === null ? firstPlannerNames(candidates) : plannerNames(candidates),
  };
  const written =
    comments === null
      ? await generatePlan(planning, tools, signal)
      : await revisePlan(
          { planning, review, comments, written: made(context.plan) },
          tools,
          signal,
        );
  return { to: 'planReview', change: { plan: written, comments: null } };
}
