// Puts the questions to the user as steps, the review of the plan among them.
import type { z } from 'zod';
import { Clarification, Decision, type PlanVerdict } from '../model/decision.ts';
import { blockingIn } from '../model/finding.ts';
import type { Convergence } from '../model/synthesis.ts';
import { readyModel } from '../phases/asking/ask-seat.ts';
import { fewestVendors } from '../phases/discussion/converge.ts';
import { questionBackground } from '../phases/discussion/clarify.ts';
import { modelNeeded, seatsFor, somebodyReady } from '../phases/discussion/seats.ts';
import { openQuestionsOf } from '../phases/options.ts';
import { plannerNames } from '../phases/planning/ask-planner.ts';
import { planDesk, type PlanOnDesk } from '../phases/planning/plan-desk.ts';
import {
  readPlanForReview,
  recordApproval,
  withdrawApproval,
} from '../phases/planning/review-plan.ts';
import type { Tools } from '../phases/tools.ts';
import {
  type Move,
  afterAnswers,
  afterDecision,
  afterReview,
  reviewSteps,
  whyLeft,
} from './chart-context.ts';
import { type PhaseRun, candidatesOf, made, uncertaintyIn } from './phase-run.ts';
import { RecordedVerdict, rejectedIn } from './recorded.ts';
import type { Step } from '../model/step.ts';
import { steps } from '../model/steps.ts';

/**
 * `user_input_needed`: the agents ask, or disagree on what the user wants. Without an
 * answer they go on with their assumptions, as long as that can lead to an agreement.
 */
export async function askUser({ context, tools, view, signal }: PhaseRun): Promise<Move> {
  const { synthesis } = made(context.last);
  const { clarification_questions: all, agents_questions: own, convergence, solutions } = synthesis;
  // At the end the options themselves ask which solution it shall be.
  const questions = context.next === 'ask-at-end' ? all.filter((text) => own.includes(text)) : all;
  tools.emit({ type: 'question.asked', questions });
  const step = steps.round(context.round).clarify;
  const question = { step, input: { questions }, shape: Clarification, tools, signal };
  const answer = await asked(question, async () => {
    const backgrounds = questions.map((text) => questionBackground(text, solutions));
    const given = await view.clarify({ round: context.round, questions, backgrounds }, signal);
    return given.by === 'nobody' && isOpen(convergence) ? { ...given, skipped: false } : given;
  });
  tools.emit({ type: 'question.answered', skipped: answer.skipped, by: answer.by });
  return afterAnswers(context, answer);
}

function isOpen({ new_insights, vendors }: Convergence): boolean {
  return new_insights && vendors.length >= fewestVendors;
}

/** A question is a step: the recorded answer, or that of whoever is asked now. */
export async function asked<T>(
  question: {
    readonly tools: Tools;
    readonly signal: AbortSignal;
    readonly step: Step;
    readonly input: unknown;
    readonly shape: z.ZodType<T>;
  },
  giveAnswer: () => Promise<T>,
): Promise<T> {
  const { tools, step, input, shape, signal } = question;
  return (await tools.steps.run({ ...step, input, shape, signal }, giveAnswer)).value;
}

/** Which option: a solution, more analysis, or cancel. */
export async function decide(run: PhaseRun): Promise<Move> {
  const { context, tools, view, signal } = run;
  const { round, decisions: number } = context;
  const { synthesis } = made(context.last);
  tools.emit({ type: 'phase.entered', phase: 'decision', round });
  const solutions = synthesis.solutions.map(({ id, name }) => ({ id, name }));
  const input = { round, solutions };
  const question = { step: steps.decision(number), input, shape: Decision, tools, signal };
  const decision = await asked(question, async () => {
    const uncertainty = uncertaintyIn(context);
    const questions = openQuestionsOf(synthesis, context.answers);
    const canDiscuss = await canAskAgain(run);
    return await view.decide({ number, synthesis, uncertainty, questions, canDiscuss }, signal);
  });
  if (decision.kind === 'approve' && decision.feedback !== undefined) {
    const text = `${modelNeeded} The feedback is given to the plan instead.`;
    tools.emit({ type: 'warning.raised', text });
  }
  tools.emit({ type: 'decision.made', decision: decisionText(decision), by: decision.by });
  return afterDecision(context, decision);
}

/** Whether an agent can be asked for more analysis. */
function canAskAgain({ context, tools, settings, signal }: PhaseRun): Promise<boolean> {
  const { agents } = tools;
  const seated = seatsFor({ settings, agents, previous: made(context.last) });
  return somebodyReady(seated, agents, signal);
}

function decisionText(decision: Decision): string {
  switch (decision.kind) {
    case 'approve':
      return `option ${decision.solution}`;
    case 'more-analysis':
      return 'need more analysis';
    case 'cancel':
      return 'cancel';
  }
}

/** Shows the plan, takes the verdict, and records what follows from it. */
export async function reviewPlan(run: PhaseRun): Promise<Move> {
  const { context, tools, signal } = run;
  const own = reviewSteps(context);
  tools.emit({ type: 'phase.entered', phase: 'plan-review', round: null });
  const shown = await readPlanForReview({ own, tools, signal });
  const { hash } = shown;
  const question = { step: own.verdict, input: { hash }, shape: RecordedVerdict, tools, signal };
  const { verdict, left } = await asked(question, () => askForVerdict(run));
  const blocking = left?.blocking ?? blockingIn(shown).length;
  const review = { verdict, reviewed: left?.reviewed ?? shown, blocking };
  const { kind } = verdict;
  if (kind === 'revise') return afterReview(context, { ...review, next: 'planning' });
  if (kind === 'reject' || (kind === 'leave' && left?.approved !== true)) {
    tools.emit({ type: 'plan.left', why: whyLeft(verdict) });
    return afterReview(context, { ...review, next: 'left' });
  }
  const recorded = await recordApproval({ own, tools, signal, verdict, hash });
  if (recorded === null) {
    const text = 'The plan files changed after they were shown; here they are as they are now.';
    tools.emit({ type: 'warning.raised', text });
    return afterReview(context, { ...review, next: 'planReview' });
  }
  const reviewed = recorded.reviewed ?? review.reviewed;
  return afterReview(context, { ...review, reviewed, next: 'execution' });
}

async function askForVerdict(run: PhaseRun): Promise<RecordedVerdict> {
  const { context, tools, view, signal } = run;
  const written = made(context.plan);
  const since = written.before ?? written;
  const desk = planDesk(tools, { version: written.version, since });
  const seen = await desk.read();
  const planners = plannerNames(candidatesOf(run));
  const canRevise = (await readyModel(planners, tools.agents, signal)) !== null;
  const rejected = rejectedIn(tools.execution.records);
  const given = await view.approve({ desk, seen, canRevise, rejected }, signal);
  const left = await desk.read();
  const verdict = allowed(given, left);
  // Before the verdict is recorded: a rejected plan must never have an approval.
  if (verdict.kind === 'reject') await withdrawApproval(tools);
  const { plan, tasks, findings, hash, approvedHash } = left;
  const blocking = blockingIn(left).length;
  const approved = hash !== null && hash === approvedHash && blocking === 0;
  const isLeft = verdict.kind === 'leave' || verdict.kind === 'reject';
  const reviewed = { plan, tasks, findings, hash };
  return { verdict, left: { blocking, approved, reviewed: isLeft ? reviewed : null } };
}

/** A plan with blocking findings is not approved, and one that cannot be read is not revised. */
function allowed(given: PlanVerdict, { plan, findings, hash }: PlanOnDesk): PlanVerdict {
  const first = blockingIn({ findings })[0];
  const asSeen = given.kind === 'approve' && (given.hash === null || given.hash === hash);
  if (asSeen && first !== undefined) return { kind: 'leave', why: first.message };
  if (given.kind === 'revise' && plan === null)
    return { kind: 'leave', why: `it cannot be read: ${first?.message ?? ''}` };
  return given;
}
