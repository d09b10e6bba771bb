// Gives the phases to the chart, and runs those that do not ask the user.
import type { PromiseActorLogic } from 'xstate';
import type { CodebaseContext } from '../model/context.ts';
import { AfterVerdict } from '../model/critique.ts';
import { chosenFirst } from '../model/phase-choice.ts';
import { steps } from '../model/steps.ts';
import { gatherContext } from '../phases/find-code.ts';
import { announceCritique, judgePlan } from '../phases/critique/judge-plan.ts';
import { revisePlanText } from '../phases/critique/revise-plan.ts';
import { type TakenPlan, takePlan } from '../phases/critique/take-plan.ts';
import { type RoundOutput, discussRound } from '../phases/discussion/round.ts';
import {
  type AppliedResult,
  describeAppliedResult,
  applyResult,
} from '../phases/execution/apply-result.ts';
import { executePlan } from '../phases/execution/execute-plan.ts';
import { withProofs } from '../phases/execution/laid-proofs.ts';
import { writeResult } from '../phases/execution/result.ts';
import { optionsOf } from '../phases/present-options.ts';
import { plannerNames } from '../phases/planning/ask-planner.ts';
import { type WrittenPlan, generatePlan, revisePlan } from '../phases/planning/generate-plan.ts';
import {
  type PlanToReview,
  readPlan,
  replyToFindings,
} from '../phases/planning/reading/read-by-others.ts';
import { type ReviewedExecution, reviewExecution } from '../phases/reviewing/review-execution.ts';
import { recordStep } from '../phases/phase-tools.ts';
import type { CarriedOut, WorkflowContext } from './chart-context.ts';
import { askToApply, askToExecute } from './execute-question.ts';
import { workflow } from './machine.ts';
import {
  type PhaseRun,
  wishIn,
  candidatesOf,
  planningOf,
  executeNowIn,
  jobOf,
  lookForAgents,
  requireValue,
  uncertaintyIn,
} from './phase-run.ts';
import { clarify, decide, reviewPlan } from './ask-user.ts';
import { prove } from './prove.ts';
import { askAboutFailed } from './retry-question.ts';

/** Gives the phases to the chart; `runs` turns each into an actor. */
export function wireWorkflow(
  runs: <T>(phase: (run: PhaseRun) => Promise<T>) => PromiseActorLogic<T, WorkflowContext>,
) {
  return workflow.provide({
    actors: {
      gatherContext: runs(gather),
      takePlan: runs(takeGivenPlan),
      discussRound: runs(discuss),
      judgePlan: runs(judge),
      clarify: runs(clarify),
      presentOptions: runs(presentOptions),
      decide: runs(decide),
      prove: runs(prove),
      makePlan: runs(makePlan),
      readPlan: runs(havePlanRead),
      reviewPlan: runs(reviewPlan),
      answerFindings: runs(answerFindings),
      askToExecute: runs(askToExecute),
      executePlan: runs(carryOut),
      reviewExecution: runs(reviewResult),
      askToApply: runs(askToApply),
      applyResult: runs(applyToUser),
    },
  });
}

async function gather(run: PhaseRun): Promise<CodebaseContext> {
  const { context, tools, signal } = run;
  tools.emit({ type: 'phase.entered', phase: 'context', round: null });
  if (!tools.steps.replaying) lookForAgents(run);
  const { task, given } = context;
  const about = given === null ? task : `${task}\n\n${given.text.slice(0, longestAbout)}`;
  return await gatherContext(about, tools, signal);
}

/** The part of a given plan that the search uses, in characters. */
const longestAbout = 4000;

async function discuss({ context, tools, settings, signal }: PhaseRun): Promise<RoundOutput> {
  const { round: number, codebase, last: previous } = context;
  tools.emit({ type: 'phase.entered', phase: 'discussion', round: number });
  const { taken } = context;
  const given = context.given === null ? null : { ...context.given, places: taken?.places ?? [] };
  const round = { ...context, number, context: requireValue(codebase), settings, previous, given };
  return await discussRound(round, tools, signal);
}

async function takeGivenPlan({ context, tools, settings, signal }: PhaseRun): Promise<TakenPlan> {
  tools.emit({ type: 'phase.entered', phase: 'discussion', round: 1 });
  return await takePlan({ given: requireValue(context.given), settings }, tools, signal);
}

/** Records the verdict on a given plan and what the user wants afterwards. */
async function judge(run: PhaseRun) {
  const { context, tools, settings, signal } = run;
  const given = requireValue(context.given);
  const { synthesis } = requireValue(context.last);
  const examined = { given, taken: requireValue(context.taken), synthesis };
  const judged = await judgePlan(examined, tools, signal);
  const step = { tools, signal, step: steps.critique.next, shape: AfterVerdict };
  const after = await recordStep(step, async () => AfterVerdict.parse(given));
  const { task } = context;
  const { constraints } = settings;
  const names = plannerNames(candidatesOf(run));
  const revision = { critique: judged, given, task, constraints, names };
  const critique = after.revise ? await revisePlanText(revision, tools, signal) : judged;
  announceCritique(critique, tools);
  return { critique, after };
}

async function presentOptions({ context, tools }: PhaseRun): Promise<void> {
  const { round, answers } = context;
  tools.emit({ type: 'phase.entered', phase: 'options', round });
  const { synthesis } = requireValue(context.last);
  const [asked, uncertainty] = [wishIn(context), uncertaintyIn(context)];
  tools.emit(optionsOf({ synthesis, uncertainty, answers, asked }));
}

/** Makes a first plan, or a new version if the user sent one back. */
async function makePlan(run: PhaseRun): Promise<WrittenPlan> {
  const { context, tools, signal } = run;
  const { comments, reviews: review } = context;
  tools.emit({ type: 'phase.entered', phase: 'planning', round: null });
  const planning = planningOf(run);
  if (comments === null) return await generatePlan(planning, tools, signal);
  const written = requireValue(context.plan);
  return await revisePlan({ planning, review, comments, written }, tools, signal);
}

/** Has the other vendors read a first plan. */
async function havePlanRead(run: PhaseRun): Promise<PlanToReview> {
  const { context, tools, settings, view, signal } = run;
  const given = {
    planning: planningOf(run),
    written: requireValue(context.plan),
    mode: settings.mode,
    candidates: plannerNames(candidatesOf(run)),
    along: view.readsAlong === true,
  };
  return await readPlan(given, tools, signal);
}

/** Has the author of the plan answer what readers found while it was reviewed. */
async function answerFindings(run: PhaseRun): Promise<WrittenPlan> {
  const { context, tools, settings, signal } = run;
  tools.emit({ type: 'phase.entered', phase: 'planning', round: null });
  const given = {
    planning: planningOf(run),
    written: requireValue(context.plan),
    mode: settings.mode,
    found: requireValue(context.planReview?.found ?? null),
  };
  return await replyToFindings(given, tools, signal);
}

async function carryOut(run: PhaseRun): Promise<CarriedOut> {
  const { context, tools } = run;
  const { plan, tasks } = requireValue(context.plan);
  tools.emit({ type: 'phase.entered', phase: 'execution', round: null });
  const result = await executePlan({
    ...(await jobOf(run)),
    plan,
    tasks: withProofs(tasks, plan),
    method: executeNowIn(context).execution_method,
    names: chosenFirst(tools.phases, 'execution', plannerNames(candidatesOf(run))),
  });
  return { result, retries: await askAboutFailed(run, result) };
}

async function reviewResult(run: PhaseRun): Promise<ReviewedExecution> {
  const { context, tools } = run;
  tools.emit({ type: 'phase.entered', phase: 'code-review', round: null });
  const planned = requireValue(context.plan);
  return await reviewExecution({
    ...(await jobOf(run)),
    tasks: withProofs(planned.tasks, planned.plan),
    result: requireValue(context.result),
    tool: executeNowIn(context).code_review_tool,
    names: plannerNames(candidatesOf(run)),
  });
}

async function applyToUser(run: PhaseRun): Promise<AppliedResult> {
  const { context, tools } = run;
  const result = requireValue(context.result);
  const executors = plannerNames(candidatesOf(run));
  const planned = requireValue(context.plan);
  const tasks = withProofs(planned.tasks, planned.plan);
  const { resolver } = context;
  const applied = await applyResult({ ...(await jobOf(run)), result, tasks, executors, resolver });
  const trees = await tools.execution.worktrees(run.signal);
  const { kept = {}, ...others } = result;
  await trees.reclaim(Object.keys(kept));
  await writeResult(tools, { ...others, applied: describeAppliedResult(applied) });
  return applied;
}
