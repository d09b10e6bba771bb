import { openQuestionsOf } from '../phases/options.ts';
import { z } from 'zod';
import { Clarification, Decision, PlanVerdict, type PlanRejected } from '../model/decision.ts';
import { blockingIn } from '../model/finding.ts';
import type { Convergence } from '../model/synthesis.ts';
import { readyModel } from '../phases/asking/ask-seat.ts';
import { fewestVendors } from '../phases/discussion/converge.ts';
import { questionBackground } from '../phases/discussion/clarify.ts';
import { modelNeeded } from '../phases/discussion/seats.ts';
import type { WrittenPlan } from '../phases/planning/generate-plan.ts';
import { planDesk, type PlanOnDesk } from '../phases/planning/plan-desk.ts';
import {
  ReviewedPlan,
  readPlanForReview,
  recordApproval,
  withdrawApproval,
} from '../phases/planning/review-plan.ts';
import type { Tools } from '../phases/tools.ts';
import { reviewKey, type Reviewed, type WorkflowContext, whyLeft } from './chart-context.ts';
import type { View } from './view.ts';

/** A question to the user, asked as a step: an answer that was given is never asked for again. */
interface Asking {
  readonly context: WorkflowContext;
  readonly tools: Tools;
  readonly view: View;
  readonly signal: AbortSignal;
}

/**
 * `user_input_needed`: the agents ask, or disagree on what the user wants. Where nobody is there to
 * answer, they go on with their assumptions, as long as that can lead to an agreement.
 */
export async function askUser({ context, tools, view, signal }: Asking): Promise<Clarification> {
  const {
    clarification_questions: all = [],
    agents_questions: own = [],
    convergence,
    solutions = [],
  } = context.last?.synthesis ?? {};
  // At the end the options themselves ask which solution it shall be.
  const questions = context.next === 'ask-at-end' ? all.filter((text) => own.includes(text)) : all;
  const key = `round-${context.round}/clarify`;
  tools.emit({ type: 'question.asked', questions });
  const question = { key, input: { questions }, shape: Clarification, tools, signal };
  const value = await asked(question, async () => {
    const backgrounds = questions.map((text) => questionBackground(text, solutions));
    const given = await view.clarify({ round: context.round, questions, backgrounds }, signal);
    const goesOn = given.by === 'nobody' && convergence !== undefined && isOpen(convergence);
    return goesOn ? { ...given, skipped: false } : given;
  });
  const { skipped, by } = value;
  tools.emit({ type: 'question.answered', skipped, by });
  return value;
}

function isOpen({ new_insights, vendors }: Convergence): boolean {
  return new_insights && vendors.length >= fewestVendors;
}

/** The recorded answer, or that of whoever is asked now. */
export async function asked<T>(
  question: Pick<Asking, 'tools' | 'signal'> & {
    readonly key: string;
    readonly input: unknown;
    readonly shape: z.ZodType<T>;
  },
  giveAnswer: () => Promise<T>,
): Promise<T> {
  const { tools, key, input, shape, signal } = question;
  const step = { key, group: key, kind: 'question', input, shape, signal } as const;
  return (await tools.steps.run(step, giveAnswer)).value;
}

/** Which option: a solution, more analysis, or cancel. */
export async function decide({
  context,
  tools,
  view,
  signal,
  uncertainty,
  canDiscuss,
}: Asking & {
  readonly uncertainty: string | null;
  /** Whether more analysis has somebody to ask. */
  readonly canDiscuss: () => Promise<boolean>;
}): Promise<Decision> {
  const synthesis = context.last?.synthesis;
  if (synthesis === undefined) throw new Error('a decision needs a finished round');
  const key = `decision-${context.decisions}`;
  tools.emit({ type: 'phase.entered', phase: 'decision', round: context.round });
  const solutions = synthesis.solutions.map(({ id, name }) => ({ id, name }));
  const input = { round: context.round, solutions };
  const value = await asked({ key, input, shape: Decision, tools, signal }, async () => {
    const questions = openQuestionsOf(synthesis, context.answers);
    const question = { number: context.decisions, synthesis, uncertainty, questions };
    return await view.decide({ ...question, canDiscuss: await canDiscuss() }, signal);
  });
  if (value.kind === 'approve' && value.feedback !== undefined) {
    const text = `${modelNeeded} The feedback is given to the plan instead.`;
    tools.emit({ type: 'warning.raised', text });
  }
  tools.emit({ type: 'decision.made', decision: decisionText(value), by: value.by });
  return value;
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

interface Reviewing extends Asking {
  readonly written: WrittenPlan;
  readonly planners: readonly string[];
  readonly rejected: () => PlanRejected | null;
}

/** Puts the plan on the desk, takes the verdict, and records what follows from it. */
export async function reviewPlan(asking: Reviewing): Promise<Reviewed> {
  const { context, tools, signal } = asking;
  const key = reviewKey(context);
  const review = { key, tools, signal };
  tools.emit({ type: 'phase.entered', phase: 'plan-review', round: null });
  const reviewed = await readPlanForReview(review);
  const question = { key, input: { hash: reviewed.hash }, shape: Answered, tools, signal };
  const { verdict, left } = await asked(question, () => ask(asking));
  const blocking = left?.blocking ?? blockingIn(reviewed).length;
  const common = { verdict, reviewed: left?.reviewed ?? reviewed, blocking };
  if (verdict.kind === 'revise') return { ...common, next: 'revise' };
  if (verdict.kind === 'approve' || (verdict.kind === 'leave' && left?.approved === true)) {
    return await approve({ ...asking, common, verdict, hash: reviewed.hash });
  }
  tools.emit({ type: 'plan.left', why: whyLeft(verdict) });
  return { ...common, next: 'leave' };
}

/** The verdict, and how the plan stood when it was given. */
const Answered = z.union([
  z.object({
    verdict: PlanVerdict,
    left: z.object({
      blocking: z.int().min(0),
      approved: z.boolean().describe('Whether an approval holds for it.'),
      reviewed: ReviewedPlan.nullable()
        .default(null)
        .describe('The plan itself where it was left or rejected.'),
    }),
  }),
  // As sessions recorded it before a plan could be edited while it was reviewed.
  PlanVerdict.transform((verdict) => ({ verdict, left: null })),
]);

/** The verdict in a recorded answer; null for anything else. */
export function reviewVerdict(result: unknown): PlanVerdict | null {
  return Answered.safeParse(result).data?.verdict ?? null;
}

async function ask(asking: Reviewing): Promise<z.infer<typeof Answered>> {
  const { tools, view, signal, written, planners, rejected } = asking;
  const { version, before } = written;
  const desk = planDesk({ ...tools, owned: true }, { version, since: before ?? written });
  const seen = await desk.read();
  const canRevise = (await readyModel(planners, tools.agents, signal)) !== null;
  const given = await view.approve({ desk, seen, canRevise, rejected: rejected() }, signal);
  const left = await desk.read();
  const verdict = allowed(given, left);
  // Before the verdict is recorded: an approval never stands beside a rejection.
  if (verdict.kind === 'reject') await withdrawApproval(tools);
  const { plan, tasks, findings, hash, approvedHash } = left;
  const blocking = blockingIn(left).length;
  const approved = hash !== null && hash === approvedHash && blocking === 0;
  const isLeft = verdict.kind === 'leave' || verdict.kind === 'reject';
  const reviewed = { plan, tasks, findings, hash };
  return { verdict, left: { blocking, approved, reviewed: isLeft ? reviewed : null } };
}

/** What blocks a plan cannot be approved away; another plan than the one seen is asked about. */
function allowed(given: PlanVerdict, { plan, findings, hash }: PlanOnDesk): PlanVerdict {
  const first = blockingIn({ findings })[0];
  const asSeen = given.kind === 'approve' && (given.hash === null || given.hash === hash);
  if (asSeen && first !== undefined) return { kind: 'leave', why: first.message };
  if (given.kind === 'revise' && plan === null)
    return { kind: 'leave', why: `it cannot be read: ${first?.message ?? ''}` };
  return given;
}

/** Records the approval, or asks again where the files are not those that were seen any more. */
async function approve({
  context,
  tools,
  signal,
  common,
  verdict,
  hash,
}: Reviewing & {
  readonly common: Omit<Reviewed, 'next'>;
  readonly verdict: Extract<PlanVerdict, { kind: 'approve' | 'leave' }>;
  readonly hash: string | null;
}): Promise<Reviewed> {
  const recorded = await recordApproval({ key: reviewKey(context), tools, signal, verdict, hash });
  if (recorded !== null) {
    return { ...common, reviewed: recorded.reviewed ?? common.reviewed, next: 'hand-off' };
  }
  const text = 'The plan files changed after they were shown; here they are as they are now.';
  tools.emit({ type: 'warning.raised', text });
  return { ...common, next: 'ask-again' };
}
