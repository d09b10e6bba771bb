import type { CodeReviewTool, ExecutionMethod, PlanVerdict } from '../model/decision.ts';
import { Stopped } from '../model/failure.ts';
import { blockingIn } from '../model/finding.ts';
import { isDraftPlan } from '../model/plan.ts';
import type { PlanComment, PlanEdit } from '../model/plan-edit.ts';
import { counted } from '../model/wording.ts';
import type { PlanDesk, PlanOnDesk, View } from '../workflow/view.ts';

/** What the command line says in place of a person. */
export interface GivenAnswers {
  readonly autoYes: boolean;
  /** `autoYes` goes for a draft as well, which no model has read. */
  readonly approvesDrafts: boolean;
  /** Number of the option, counted from 1. */
  readonly solution: number | null;
  readonly execution: ExecutionMethod | null;
  readonly review: CodeReviewTool | null;
  readonly constraints: readonly string[];
  /**
   * Answers the agents’ questions; if they ask none, it is what to analyse further, or goes to the
   * plan where nobody can.
   */
  readonly feedback: string | null;
  /** Carries the approved plan out. */
  readonly execute: boolean;
  /** Carries it out although files changed since the base. */
  readonly force: boolean;
  /** Brings the result home: `good` where every task was carried out and the review blocks nothing. */
  readonly apply: 'no' | 'good' | 'any';
}

/** The flags that a run without a person still needs, as one text; null if none. */
export function missingAnswers(given: GivenAnswers): string | null {
  if (given.autoYes) return null;
  const missing = [
    ...(given.solution === null ? ['--solution N'] : []),
    ...(given.execution === null ? ['--execution agent|codex|auto'] : []),
    ...(given.review === null ? ['--review skip|gemini|codex|agent'] : []),
  ];
  return missing.length === 0 ? null : missing.join(', ');
}

/** Answers every question from the flags, so that nobody has to be there. */
export function answersFrom(given: GivenAnswers, session: string): Omit<View, 'show'> {
  let feedback = given.feedback;
  return {
    async clarify({ questions }) {
      if (feedback === null) return { answers: [], feedback: '', skipped: true, by: 'nobody' };
      const answer = feedback;
      feedback = null;
      return {
        answers: questions.map((question) => ({ question, answer })),
        feedback: answer,
        skipped: false,
        by: 'flags',
      };
    },
    async decide({ synthesis, canDiscuss }) {
      if (feedback !== null && canDiscuss) {
        const decision = { kind: 'more-analysis', feedback, by: 'flags' } as const;
        feedback = null;
        return decision;
      }
      const solution = given.solution ?? 1;
      const known = synthesis.solutions.length;
      if (solution > known) {
        const message = `--solution ${solution}: there ${known === 1 ? 'is' : 'are'} only ${counted(known, 'option')}; resume the session with another number.`;
        throw new Stopped({ reason: 'usage', message });
      }
      return {
        kind: 'approve',
        solution,
        execution_method: given.execution ?? 'Agent',
        code_review_tool: given.review ?? 'Skip',
        constraints: [...given.constraints],
        ...(feedback === null ? {} : { feedback }),
        by: given.solution === null ? 'auto' : 'flags',
      };
    },
    async approve({ seen: { plan, findings, hash } }) {
      const blocking = blockingIn({ findings })[0];
      if (blocking !== undefined) return { kind: 'leave', why: blocking.message };
      const isDraft = isDraftPlan(plan);
      if (given.autoYes && (!isDraft || given.approvesDrafts)) {
        return { kind: 'approve', by: 'auto', hash };
      }
      const command = `conclave review ${session} --approve`;
      return {
        kind: 'leave',
        why: isDraft
          ? `no model has read the task. Read the draft and approve it with: ${command}, or log in to an agent ("conclave doctor" says how) and plan again`
          : `approve it with: ${command}`,
      };
    },
    ...executionAnswers(given),
  };
}

/** A person answers, but for what the flags say. */
export function answersWith(given: GivenAnswers, person: Omit<View, 'show'>): Omit<View, 'show'> {
  return {
    ...person,
    async decide(question, signal) {
      const decision = await person.decide(question, signal);
      if (decision.kind !== 'approve') return decision;
      const { execution, review } = given;
      return {
        ...decision,
        execution_method: execution ?? decision.execution_method,
        code_review_tool: review ?? decision.code_review_tool,
      };
    },
    execute(question, signal) {
      // Else a person is told what is in the way.
      const byFlags = given.execute && (question.obstacle === null || given.force);
      return (byFlags ? executionAnswers(given) : person).execute(question, signal);
    },
  };
}

/** Whether the flags carry a plan out, and bring the result home. */
export function executionAnswers(
  given: Pick<GivenAnswers, 'execute' | 'force' | 'apply' | 'execution' | 'review'>,
): Pick<View, 'execute' | 'apply'> {
  return {
    async execute({ preset, obstacle }) {
      if (!given.execute || (obstacle !== null && !given.force)) return { kind: 'later' };
      return {
        kind: 'now',
        execution_method: given.execution ?? preset.execution_method,
        code_review_tool: given.review ?? preset.code_review_tool,
        forced: given.force,
        by: 'flags',
      };
    },
    apply: async ({ result, review }) =>
      given.apply === 'any' ||
      (given.apply === 'good' &&
        result.status === 'completed' &&
        (review === null || review.fixed || review.blocking === 0)),
  };
}

/** What the flags of `conclave review` say to a plan; the edits come first, then one of the rest. */
export interface GivenReview {
  readonly session: string;
  /** The version that the flags are about. */
  readonly version: number;
  readonly edits: readonly PlanEdit[];
  readonly comments: readonly PlanComment[];
  readonly approve: boolean;
  /** Why the plan is rejected; null if it is not. */
  readonly reject: string | null;
}

/** Answers the review of a plan from flags; any other question was answered before. */
export function reviewAnswers(given: GivenReview): Omit<View, 'show'> {
  const { session } = given;
  let asked = 0;
  return {
    clarify: () => Promise.reject(notThere(session)),
    decide: () => Promise.reject(notThere(session)),
    async approve({ desk, seen, canRevise }) {
      asked += 1;
      if (seen.version > given.version) return newVersion(given, { seen, isFirst: asked === 1 });
      if (asked > 1) return again(given);
      const edited = await withEdits(given, { desk, seen });
      if (given.reject !== null) return { kind: 'reject', why: given.reject, by: 'flags' };
      if (given.comments.length > 0) {
        if (!canRevise) throw new Stopped({ reason: 'nobody-revises', session, agents: [] });
        return { kind: 'revise', comments: [...given.comments], by: 'flags' };
      }
      const blocking = blockingIn(edited)[0];
      if (blocking !== undefined) return { kind: 'leave', why: blocking.message };
      if (given.approve) return { kind: 'approve', by: 'flags', hash: edited.hash };
      return { kind: 'leave', why: hint(session) };
    },
    execute: async () => ({ kind: 'later' }),
    apply: async () => false,
  };
}

/** Nobody has seen it yet, so nothing that was said is about it. */
function newVersion(
  { session }: GivenReview,
  { seen, isFirst }: { readonly seen: PlanOnDesk; readonly isFirst: boolean },
): PlanVerdict {
  const blocking = blockingIn(seen)[0];
  if (blocking !== undefined) return { kind: 'leave', why: blocking.message };
  const why = isFirst
    ? `version ${seen.version} had been begun and was made first, so nothing else was done; ${hint(session)}`
    : hint(session);
  return { kind: 'leave', why };
}

/** The question came back: nobody could make a new version, or the files changed meanwhile. */
function again({ session, comments }: GivenReview): PlanVerdict {
  if (comments.length === 0)
    return { kind: 'leave', why: `it changed while it was being approved; ${hint(session)}` };
  throw new Stopped({
    reason: 'nobody-revises',
    session,
    agents: [{ agent: 'who was asked', why: 'failed, see above' }],
  });
}

async function withEdits(
  { edits: [first, ...more] }: GivenReview,
  { desk, seen }: { readonly desk: PlanDesk; readonly seen: PlanOnDesk },
): Promise<PlanOnDesk> {
  if (first === undefined) return seen;
  const edited = await desk.edit(first, ...more);
  if (edited.ok) return edited.value;
  throw new Stopped({ reason: 'usage', message: edited.failure.message });
}

function hint(session: string): string {
  return `look at it with: conclave review ${session}`;
}

function notThere(session: string): Stopped {
  const message = `Session ${session} is not waiting for a review of its plan. To continue: conclave resume ${session}`;
  return new Stopped({ reason: 'usage', message });
}
