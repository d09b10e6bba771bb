// Asks the user as steps: the questions of the agents, the decision, the review of the plan.
import { Clarification, Decision, type PlanVerdict } from '../model/decision.ts';
import { chosenFirst } from '../model/phase-choice.ts';
import { blockingIn } from '../model/finding.ts';
import type { Synthesis } from '../model/synthesis.ts';
import { findReadyModel } from '../phases/asking/ask-seat.ts';
import { fewestVendors } from '../phases/discussion/converge.ts';
import {
  agentQuestions,
  questionBackground,
  settlesDispute,
} from '../phases/discussion/clarify.ts';
import { isRoundDue } from '../phases/discussion/round.ts';
import { noModelText, seatsFor, isSomebodyReady } from '../phases/discussion/seats.ts';
import { anotherRound, openQuestionsOf } from '../phases/present-options.ts';
import { plannerNames } from '../phases/planning/ask-planner.ts';
import { type PlanDesk, type PlanOnDesk, planDesk } from '../phases/planning/plan-desk.ts';
import { type ReadingAlong, openReadingAlong } from '../phases/planning/reading/reading-along.ts';
import {
  readPlanForReview,
  recordApproval,
  withdrawApproval,
} from '../phases/planning/review-plan.ts';
import { editRule } from '../phases/proof/proof-files.ts';
import { steps } from '../model/steps.ts';
import { recordStep } from '../phases/phase-tools.ts';
import { type PlanReview, reviewSteps, whyLeft } from './chart-context.ts';
import {
  type PhaseRun,
  wishIn,
  candidatesOf,
  mostRoundsIn,
  requireValue,
  uncertaintyIn,
} from './phase-run.ts';
import { RecordedVerdict, findRejection } from './review-verdicts.ts';

/**
 * `user_input_needed`: the agents ask, or disagree on what the user wants. Without an answer they continue with
 * their assumptions, as long as that can lead to an agreement. If the user decides the dispute and says nothing
 * else, the options follow.
 */
export async function clarify(run: PhaseRun): Promise<Clarification> {
  const { context, tools, view, signal } = run;
  const { synthesis } = requireValue(context.last);
  const { clarification_questions: all, agents_questions: own } = synthesis;
  // At the end, the options themselves ask which solution to choose.
  const questions = context.next === 'ask-at-end' ? all.filter((text) => own.includes(text)) : all;
  const backgrounds = questions.map((text) => questionBackground(text, synthesis));
  tools.emit({ type: 'question.asked', questions, asked: agentQuestions(questions, backgrounds) });
  const step = steps.round(context.round).clarify;
  const question = { tools, signal, step, input: { questions }, shape: Clarification };
  const goesOn = context.next === 'ask-user' && isOpen(synthesis);
  const answer = await recordStep(question, async () => {
    const { round } = context;
    const given = await view.clarify({ round, questions, backgrounds, goesOn }, signal);
    if (given.settles === true || settlesDispute(given)) return { ...given, settles: true };
    return goesOn ? { ...given, skipped: false } : given;
  });
  const { skipped, by, answers } = answer;
  tools.emit({ type: 'question.answered', skipped, by, answered: answers.length });
  return answer;
}

/** True if a round without an answer has something to do: an assumption to state, or what makes a round due. */
function isOpen(synthesis: Synthesis): boolean {
  const { clarification_questions: asked, agents_questions: own, convergence } = synthesis;
  const isAsking = asked.some((question) => own.includes(question));
  return convergence.vendors.length >= fewestVendors && (isAsking || isRoundDue(synthesis));
}

/** Asks which option to take: a solution, more analysis, or cancel. */
export async function decide(run: PhaseRun): Promise<Decision> {
  const { context, tools, view, signal } = run;
  const { round, decisions: number } = context;
  const { synthesis } = requireValue(context.last);
  tools.emit({ type: 'phase.entered', phase: 'decision', round });
  const solutions = synthesis.solutions.map(({ id, name }) => ({ id, name }));
  const input = { round, solutions };
  const question = { tools, signal, step: steps.decision(number), input, shape: Decision };
  const lookUp = async () => ({ canDiscuss: await canAskAgain(run) });
  const decision = await recordStep(question, async () => {
    const uncertainty = uncertaintyIn(context);
    const questions = openQuestionsOf(synthesis, context.answers);
    const another = anotherRound(synthesis, mostRoundsIn(context));
    const common = { number, synthesis, uncertainty, questions, another };
    return await view.decide({ ...common, asked: wishIn(context), lookUp }, signal);
  });
  if (decision.kind === 'approve' && decision.feedback !== undefined) {
    const text = `${noModelText} The feedback is given to the plan instead.`;
    tools.emit({ type: 'warning.raised', text });
  }
  tools.emit({ type: 'decision.made', ...decisionFacts(decision, solutions) });
  return decision;
}

/** The details of a decision between these solutions, for its event. */
function decisionFacts(decision: Decision, solutions: readonly { readonly name: string }[]) {
  const { kind, by } = decision;
  const number = kind === 'approve' ? decision.solution : 0;
  const name = solutions[number - 1]?.name;
  return {
    decision: decisionText(decision),
    kind,
    option: name === undefined ? null : { number, name },
    constraints: kind === 'approve' ? decision.constraints : [],
    feedback: kind === 'cancel' ? null : (decision.feedback ?? null),
    by,
  };
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

/** True if an agent can be asked for more analysis. */
function canAskAgain({ context, tools, settings, signal }: PhaseRun): Promise<boolean> {
  const { agents } = tools;
  const seated = seatsFor({ settings, agents, previous: requireValue(context.last) });
  return isSomebodyReady(seated, agents, signal);
}

/** Shows the plan, takes the verdict, and records what follows from it. */
export async function reviewPlan(run: PhaseRun): Promise<PlanReview> {
  const { context, tools, signal } = run;
  const own = reviewSteps(context);
  tools.emit({ type: 'phase.entered', phase: 'plan-review', round: null });
  const shown = await readPlanForReview({ own, tools, signal });
  const { hash } = shown;
  const question = { tools, signal, step: own.verdict, input: { hash }, shape: RecordedVerdict };
  const { verdict, left, found } = await whileRead(run, (desk, reading) =>
    recordStep(question, () => askForVerdict(run, desk, reading)),
  );
  const review = { verdict, reviewed: left.reviewed ?? shown, blocking: left.blocking, found };
  const { kind } = verdict;
  if (kind === 'reply') return { ...review, outcome: found === null ? 'changed' : 'to-author' };
  if (kind === 'revise') return { ...review, outcome: 'sent-back' };
  if (left.edited) return { ...review, outcome: 'changed' };
  if (kind === 'reject' || (kind === 'leave' && !left.approved)) {
    tools.emit({ type: 'plan.left', why: whyLeft(verdict) });
    return { ...review, outcome: 'left' };
  }
  const recorded = await recordApproval({ own, tools, signal, verdict, hash });
  if (recorded === null) {
    const text = 'The plan files changed after they were shown; here is the plan as it is now.';
    tools.emit({ type: 'warning.raised', text });
    return { ...review, outcome: 'changed' };
  }
  return { ...review, reviewed: recorded.reviewed, outcome: 'approved' };
}

/** Asks for the verdict while others read the plan, if a person reads along; the verdict ends their reading. */
async function whileRead(
  run: PhaseRun,
  ask: (desk: PlanDesk, reading: ReadingAlong | null) => Promise<RecordedVerdict>,
): Promise<RecordedVerdict & Pick<PlanReview, 'found'>> {
  const { context, tools } = run;
  const written = requireValue(context.plan);
  const since = written.before ?? written;
  const desk = planDesk(tools, { version: written.version, since });
  if (context.reading === null) return { ...(await ask(desk, null)), found: null };
  const { readers } = context.reading;
  const readingRun = { ...context.reading, tools, signal: run.signal };
  const reading = openReadingAlong(readingRun, readers, (found) => desk.keepReading(found));
  try {
    const verdict = await ask(desk, reading.along);
    return { ...verdict, found: (await reading.end())?.reading ?? null };
  } catch (error) {
    await reading.end();
    throw error;
  }
}

async function askForVerdict(
  run: PhaseRun,
  desk: PlanDesk,
  reading: ReadingAlong | null,
): Promise<RecordedVerdict> {
  const { tools, view, signal } = run;
  // Otherwise the face itself decides whether to wait for the reading.
  if (view.readsAlong === true) reading?.follow().catch(() => undefined);
  const seen = await desk.read();
  const planners = chosenFirst(tools.phases, 'planning', plannerNames(candidatesOf(run)));
  const lookUp = async () => ({
    planner: await findReadyModel(planners, tools.agents, signal),
  });
  const rejected = findRejection(tools.execution.records);
  const along = reading === null ? {} : { reading };
  const given = await view.approve({ desk, seen, lookUp, rejected, ...along }, signal);
  const left = await desk.read();
  const verdict = allowedVerdict(given, left);
  // Withdrawn before the verdict is recorded, because a rejected plan must never have an approval.
  if (verdict.kind === 'reject') await withdrawApproval(tools);
  const { plan, tasks, findings, hash, approvedHash } = left;
  const blocked = blockingIn(left).length;
  const approved = hash !== null && hash === approvedHash && blocked === 0;
  const blocking = blocked + (verdict.kind === 'leave' ? (verdict.open ?? 0) : 0);
  const isLeft = verdict.kind === 'leave' || verdict.kind === 'reject';
  const reviewed = { plan, tasks, findings, hash };
  // What runs first may settle it, and then the person is asked again.
  const edited = given.kind === 'approve' && blockingIn(left)[0]?.rule === editRule;
  return { verdict, left: { blocking, approved, edited, reviewed: isLeft ? reviewed : null } };
}

/**
 * Replaces a verdict that is impossible: a plan with blocking findings is not approved, an unreadable one not
 * revised.
 */
function allowedVerdict(given: PlanVerdict, { plan, findings, hash }: PlanOnDesk): PlanVerdict {
  const first = blockingIn({ findings })[0];
  const asSeen = given.kind === 'approve' && (given.hash === null || given.hash === hash);
  if (asSeen && first !== undefined) return { kind: 'leave', why: first.message };
  if ((given.kind === 'revise' || given.kind === 'reply') && plan === null)
    return { kind: 'leave', why: `it cannot be read: ${first?.message ?? ''}` };
  return given;
}
