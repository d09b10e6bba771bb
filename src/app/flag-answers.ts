// Answers the questions of a session from flags instead of asking a person.
import type { ResultAnswer } from '../model/execution.ts';
import type { CodeReviewTool, ExecutionMethod } from '../model/decision.ts';
import { Stopped, wrongUsage } from '../model/failure.ts';
import { blockingIn } from '../model/finding.ts';
import { isDraftPlan } from '../model/plan.ts';
import type { PlanComment, PlanEdit } from '../model/plan-edit.ts';
import { type ReadFinding, openFindings } from '../model/plan-reading.ts';
import { type Synthesis, isDraft } from '../model/synthesis.ts';
import { counted, sentence } from '../model/wording.ts';
import { isBacked } from '../phases/discussion/votes.ts';
import { type Answers, answersOr, type PlanOnDesk } from '../workflow/view-port.ts';

/** The answers given on the command line instead of by a person. */
export interface GivenAnswers extends GivenExecution {
  readonly autoYes: boolean;
  /** True if `autoYes` also approves a draft, which no model has read. */
  readonly approvesDrafts: boolean;
  readonly solution: number | null;
  readonly constraints: readonly string[];
  /**
   * Answers the agents’ questions; if they ask none, it says what to analyse further, or goes into the plan if
   * no agent can.
   */
  readonly feedback: string | null;
}

interface GivenExecution {
  readonly execution: ExecutionMethod | null;
  readonly review: CodeReviewTool | null;
  readonly execute: boolean;
  /** Executes the plan although files changed since the base. */
  readonly force: boolean;
  /** Applies the result: `good` only if every task was executed and the review blocks nothing. */
  readonly apply: 'no' | 'good' | 'any';
  /** The agent that resolves a conflict with the checked-out commit; null for none. */
  readonly resolver?: string | null;
  /** Applies the result even if a review blocks it, or no agent reviewed it. */
  readonly againstReview?: boolean;
  /** Accepted unproven tasks, and how the result was applied earlier; null if nothing is said about them. */
  readonly accepted?: Pick<Exclude<ResultAnswer, boolean>, 'accepted' | 'applied'> | null;
}

/** Leaves every question open. */
export const nothingGiven: GivenAnswers = {
  autoYes: false,
  approvesDrafts: false,
  solution: null,
  execution: null,
  review: null,
  constraints: [],
  feedback: null,
  execute: false,
  force: false,
  apply: 'no',
};

/** The flags that are still missing in a run without a person, as one text; null if none is. */
export function missingAnswers(given: GivenAnswers): string | null {
  if (given.autoYes) return null;
  const missing = [
    ...(given.solution === null ? ['--solution N'] : []),
    ...(given.execution === null ? ['--execution agent|auto|NAME'] : []),
    ...(given.review === null ? ['--review skip|agent|NAME'] : []),
  ];
  return missing.length === 0 ? null : missing.join(', ');
}

/** Answers every question from the flags, without a person. */
export function answersFrom(given: GivenAnswers, session: string): Answers {
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
    async decide({ synthesis, lookUp }) {
      if (feedback !== null && (await lookUp()).canDiscuss) {
        const decision = { kind: 'more-analysis', feedback, by: 'flags' } as const;
        feedback = null;
        return decision;
      }
      if (given.solution === null && !isAnyBacked(synthesis)) {
        const options = synthesis.solutions.length;
        throw new Stopped({ reason: 'nobody-supports', session, options });
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
        ...(given.review !== null && { code_review_tool: given.review }),
        constraints: [...given.constraints],
        ...(feedback !== null && { feedback }),
        by: given.solution === null ? 'auto' : 'flags',
      };
    },
    async approve({ desk, seen: before, reading }) {
      const news = await reading?.follow();
      if (news?.asksAuthor === true) return { kind: 'reply', by: 'auto' };
      const seen = news === undefined ? before : await desk.read();
      const isUnread = isDraftPlan(seen.plan);
      const isGiven = given.autoYes && (!isUnread || given.approvesDrafts);
      if (isGiven && blockingIn(seen).length === 0) {
        const found = openFindings(seen.reading, seen.version);
        const open = found.filter(({ severity }) => severity === 'blocking');
        const [first] = open;
        if (first === undefined) return { kind: 'approve', by: 'auto', hash: seen.hash };
        return { ...leave(seen, openText(first, session)), open: open.length };
      }
      const command = `conclave review ${session} --approve`;
      const draft = `no model has read the task. Read the draft and approve it with: ${command}, or log in to an agent ("conclave doctor" says how) and plan again`;
      return leave(seen, isUnread ? draft : `approve it with: ${command}`);
    },
    choose: async ({ usual }) => usual.word,
    ...executionAnswers(given),
  };
}

/** False if models have answered and none of them supports any solution; drafts do not count. */
function isAnyBacked(synthesis: Synthesis): boolean {
  const { solutions } = synthesis;
  return solutions.every(isDraft) || solutions.some((one) => isBacked(one, synthesis));
}

/** Lets a person answer, except for what the flags say. */
export function answersWith(given: GivenAnswers, person: Answers): Answers {
  return {
    ...person,
    async decide(question, signal) {
      const decision = await person.decide(question, signal);
      if (decision.kind !== 'approve') return decision;
      const { execution, review } = given;
      return {
        ...decision,
        execution_method: execution ?? decision.execution_method,
        ...(review !== null && { code_review_tool: review }),
      };
    },
    execute(question, signal) {
      // Otherwise the person reads about the obstacle.
      const byFlags = given.execute && (question.obstacle === null || given.force);
      return (byFlags ? executionAnswers(given, 'all') : person).execute(question, signal);
    },
  };
}

/**
 * Answers from the flags: whether to execute the plan, and whether to apply its result. With `named`, nobody
 * has looked at the commands.
 */
export function executionAnswers(
  given: GivenExecution,
  commands: 'all' | 'named' = 'named',
): Pick<Answers, 'execute' | 'apply'> {
  return {
    async execute({ preset, obstacle }) {
      if (!given.execute || (obstacle !== null && !given.force)) {
        return { kind: 'later', by: 'flags' };
      }
      return {
        kind: 'now',
        execution_method: given.execution ?? preset.execution_method,
        code_review_tool: given.review ?? preset.code_review_tool ?? 'Skip',
        forced: given.force,
        commands,
        by: 'flags',
      };
    },
    apply: async ({ result }) => {
      const isProven = result.tasks.every(({ status }) => status === 'completed');
      const isGood = given.apply === 'any' || (given.apply === 'good' && isProven);
      const { broken, objections = [] } = result;
      const passes = objections.length === 0 || given.againstReview === true;
      const apply = isGood && passes && broken === undefined;
      const { accepted = null, resolver = null } = given;
      if (accepted === null && resolver === null) return apply;
      const resolving = resolver === null ? {} : { resolve_with: resolver };
      return { accepted: {}, ...accepted, ...resolving, apply };
    },
  };
}

/** The flags of `conclave review`: edits are made first, then at most one of the other actions. */
export interface GivenReview {
  readonly session: string;
  /** The version of the plan that the flags refer to. */
  readonly version: number;
  readonly edits: readonly PlanEdit[];
  readonly comments: readonly PlanComment[];
  readonly approve: boolean;
  /** Approves although a reader's major finding is open; never over a blocking one. */
  readonly despite: boolean;
  readonly reject: string | null;
  /** The hash of the plan that a person was shown; absent if none is given. */
  readonly shown?: string | null;
}

/** Answers the review of a plan from flags; all other questions were answered earlier. */
export function reviewAnswers(given: GivenReview): Answers {
  const { session, edits, comments, reject } = given;
  const [firstEdit, ...moreEdits] = edits;
  const hint = `look at it with: conclave review ${session}`;
  let asked = 0;
  return answersOr(() => Promise.reject(notWaiting(session)), {
    async approve({ desk, seen: before, lookUp }) {
      asked += 1;
      // Nobody has seen this version yet, so nothing in the flags refers to it.
      if (before.version > given.version) {
        const first = `version ${before.version} had been begun and was made first, so nothing else was done; ${hint}`;
        return leave(before, asked === 1 ? first : hint);
      }
      if (given.shown !== undefined && given.shown !== before.hash) {
        throw new Stopped({ reason: 'plan-changed', session });
      }
      if (asked > 1) {
        if (comments.length === 0)
          return leave(before, `it changed while it was being approved; ${hint}`);
        const agents = [{ agent: 'who was asked', why: 'failed, see above' }];
        throw new Stopped({ reason: 'nobody-revises', session, agents });
      }
      const seen = firstEdit === undefined ? null : await desk.edit(firstEdit, ...moreEdits);
      if (seen?.ok === false) throw wrongUsage(seen.failure.message);
      const edited = seen?.value ?? before;
      if (reject !== null) return { kind: 'reject', why: reject, by: 'flags' };
      if (comments.length > 0) {
        if ((await lookUp()).planner === null)
          throw new Stopped({ reason: 'nobody-revises', session, agents: [] });
        return { kind: 'revise', comments: [...comments], by: 'flags' };
      }
      const wasApproved = before.hash !== null && before.hash === before.approvedHash;
      if (wasApproved && edited.hash !== before.hash && !given.approve) {
        const approve = `conclave review ${session} --approve`;
        return leave(
          edited,
          `the change made its approval stale; approve it again with: ${approve}`,
        );
      }
      if (!given.approve || blockingIn(edited).length > 0) return leave(edited, hint);
      const open = openFindings(edited.reading, edited.version);
      const first = open.find(({ severity }) => severity === 'blocking') ?? open[0];
      const isAllowed = first === undefined || (given.despite && first.severity === 'major');
      if (isAllowed) return { kind: 'approve', by: 'flags', hash: edited.hash };
      return { ...leave(edited, openText(first, session)), open: open.length };
    },
    execute: async () => ({ kind: 'later', by: 'flags' }),
    apply: async () => false,
  });
}

/**
 * Sends the plan back once with comments; afterwards a person judges the new version, or without a person it is
 * left unapproved.
 */
export function replanAnswers(
  given: Pick<GivenReview, 'session' | 'version' | 'comments'>,
  person: Answers | null,
): Answers {
  const nobody = reviewAnswers({
    ...given,
    edits: [],
    approve: false,
    despite: false,
    reject: null,
  });
  let isFirst = true;
  return {
    ...nobody,
    ...person,
    async approve(question, signal) {
      const view = isFirst || person === null ? nobody : person;
      isFirst = false;
      return await view.approve(question, signal);
    },
  };
}

/** Answers some questions; a session that asks any other one has to be resumed first. */
export function answersOnly(some: Partial<Answers>): Answers {
  return answersOr(() => Promise.reject(wrongUsage('The session has to be resumed first.')), some);
}

/** Leaves the plan unapproved because of what blocks it, or for the given reason. */
function leave({ findings }: PlanOnDesk, why: string) {
  const text = blockingIn({ findings })[0]?.message ?? why;
  return { kind: 'leave', why: text, by: 'flags' } as const;
}

/** Says what is open and how to go on; over a blocking finding only a person at the plan approves. */
function openText({ agent, problem, severity }: ReadFinding, session: string): string {
  const found = `${agent} found: ${sentence(problem)} To have it fixed: conclave review ${session} --comment TEXT`;
  const flags = severity === 'major' ? ' --approve --despite-findings' : ', in a terminal';
  return `${found}; to approve it all the same: conclave review ${session}${flags}`;
}

function notWaiting(session: string): Stopped {
  const message = `Session ${session} is not waiting for a review of its plan. To continue: conclave resume ${session}`;
  return new Stopped({ reason: 'usage', message });
}
