// Defines the statechart, whose guards decide when each phase runs; the phases define how.
import { assign, setup, fromPromise } from 'xstate';
import type { CodebaseContext } from '../model/context.ts';
import type { AfterVerdict, Critique, GivenPlan } from '../model/critique.ts';
import type { Clarification, Decision } from '../model/decision.ts';
import type { ExecuteAnswer } from '../model/execution.ts';
import type { ProofSet } from '../model/proof.ts';
import type { TakenPlan } from '../phases/critique/take-plan.ts';
import type { RoundOutput } from '../phases/discussion/round.ts';
import type { AppliedResult } from '../phases/execution/apply-result.ts';
import type { WrittenPlan } from '../phases/planning/generate-plan.ts';
import type { PlanToReview } from '../phases/planning/reading/read-by-others.ts';
import type { ReviewedExecution } from '../phases/reviewing/review-execution.ts';
import {
  type CarriedOut,
  type PlanReview,
  leaveEnd,
  hasNoChanges,
  planAfterReview,
  startingContext,
  withFeedback,
  type WorkflowContext,
} from './chart-context.ts';
import type { AnsweredResult } from './execute-question.ts';

/** Errors are bugs or temporary problems, e.g. a full disk; the session tells them apart. */
const onError = {
  target: 'failed',
  actions: {
    type: 'endWithError',
    params: ({ event }: { readonly event: { readonly error: unknown } }) => event.error,
  },
} as const;

/** A session begins with a task, and optionally with a plan to be examined. */
const startingInput: { readonly task: string; readonly given?: GivenPlan | undefined } = {
  task: '',
};

/** Can be drawn and tested without phases; the session provides the phases that run. */
export const workflow = setup({
  // Only the types of these values matter.
  types: {
    context: startingContext(''),
    events: { type: 'CANCEL' } as const,
    input: startingInput,
    output: startingContext(''),
  },
  actors: {
    gatherContext: phase<CodebaseContext>(),
    takePlan: phase<TakenPlan>(),
    discussRound: phase<RoundOutput>(),
    judgePlan: phase<{ readonly critique: Critique; readonly after: AfterVerdict }>(),
    clarify: phase<Clarification>(),
    presentOptions: phase<void>(),
    decide: phase<Decision>(),
    prove: phase<ProofSet | null>(),
    makePlan: phase<WrittenPlan>(),
    readPlan: phase<PlanToReview>(),
    reviewPlan: phase<PlanReview>(),
    answerFindings: phase<WrittenPlan>(),
    askToExecute: phase<{ readonly number: number; readonly answer: ExecuteAnswer }>(),
    executePlan: phase<CarriedOut>(),
    reviewExecution: phase<ReviewedExecution>(),
    askToApply: phase<AnsweredResult>(),
    applyResult: phase<AppliedResult>(),
  },
  // Guards read only what is recorded, never settings or the clock, so that a resumed session goes the same way.
  guards: {
    planIsGiven: ({ context }) => context.given !== null,
    planIsToBeJudged: ({ context }) => context.given !== null && context.critique === null,
    userWantsAPlan: ({ context }) => context.afterVerdict?.plan === true,
    nobodyAnswered: ({ context }) => context.outcome?.kind === 'nobody-answered',
    nobodyIsSeated: ({ context }) => context.outcome?.kind === 'nobody-seated',
    agentsConverged: ({ context }) => context.next === 'converged',
    anotherRoundIsDue: ({ context }) => context.next === 'another-round',
    agentsAskTheUser: ({ context }) => context.next === 'ask-user' || context.next === 'ask-at-end',
    // True also if another round could bring nothing new.
    roundsAreUsedUp: ({ context }) => context.next === 'best-options',
    requiredAgreementIsMissing: ({ context }) => context.next === 'not-converged',
    userSkipsTheQuestions: ({ context }) => context.clarification?.skipped === true,
    userEndsTheDispute: ({ context }) => context.clarification?.settles === true,
    // The answers then go into the plan.
    questionsCameAtTheEnd: ({ context }) => context.next === 'ask-at-end',
    userWantsMoreAnalysis: ({ context }) => context.decision?.kind === 'more-analysis',
    userChoosesAnOption: ({ context }) => context.decision?.kind === 'approve',
    userCancels: ({ context }) => context.decision?.kind === 'cancel',
    plannerSendsProofsBack: ({ context: { reviews, plan } }) =>
      reviews === 1 && (plan?.back ?? []).length > 0,
    // A person reads a new version anyway.
    personSentThePlanBack: ({ context }) => context.planReview !== null,
    findingsGoToTheAuthor: ({ context }) => context.planReview?.outcome === 'to-author',
    planIsSentBack: ({ context }) => context.planReview?.outcome === 'sent-back',
    planChangedMeanwhile: ({ context }) => context.planReview?.outcome === 'changed',
    planIsApproved: ({ context }) => context.planReview?.outcome === 'approved',
    planIsLeft: ({ context }) => context.planReview?.outcome === 'left',
    userWantsExecution: ({ context }) => context.execute?.kind === 'now',
    nothingWasChanged: ({ context }) => hasNoChanges(context),
    nothingWasLeftToDo: ({ context }) => {
      const isDone = context.result?.tasks.every(({ status }) => status === 'completed') ?? true;
      return isDone && hasNoChanges(context);
    },
    userSkipsTheReview: ({ context }) =>
      context.execute?.kind === 'now' && context.execute.code_review_tool === 'Skip',
    userWantsTheResult: ({ context }) => context.isApplyWanted && !hasNoChanges(context),
    userWantsTasksAgain: ({ context }) => context.retries.length > 0,
  },
  actions: {
    keepCodebase: assign((_, codebase: CodebaseContext) => ({ codebase })),
    // Replaces the first round.
    keepTaken: assign(({ context }, taken: TakenPlan) => ({
      taken,
      last: taken,
      round: context.round + 1,
    })),
    keepCritique: assign(
      (_, judged: { readonly critique: Critique; readonly after: AfterVerdict }) => ({
        critique: judged.critique,
        afterVerdict: judged.after,
      }),
    ),
    keepRound: assign((_, outcome: RoundOutput) => {
      if (outcome.kind !== 'synthesized') return { outcome };
      const { synthesis, settings, context: codebase, next } = outcome;
      return { outcome, last: { synthesis, settings }, codebase, next };
    }),
    countRound: assign(({ context }) => ({ round: context.round + 1 })),
    allowAnotherRound: assign(({ context }) => ({ atLeastRounds: context.round })),
    keepAnswers: assign(({ context }, clarification: Clarification) => ({
      clarification,
      ...(!clarification.skipped && {
        answers: [...context.answers, ...clarification.answers],
        feedback: withFeedback(context, clarification.feedback),
      }),
    })),
    countDecision: assign(({ context }) => ({ decisions: context.decisions + 1 })),
    keepDecision: assign(({ context }, decision: Decision) => {
      const feedback = decision.kind === 'cancel' ? '' : (decision.feedback ?? '');
      return { decision, feedback: withFeedback(context, feedback) };
    }),
    keepProofs: assign((_, proofs: ProofSet | null) => ({ proofs })),
    keepPlan: assign((_, plan: WrittenPlan) => ({ plan, reading: null, comments: null })),
    keepPlanToReview: assign((_, { plan, reading }: PlanToReview) => ({ plan, reading })),
    keepPlanReview: assign((_, planReview: PlanReview) => ({ planReview })),
    // The next review has its own step keys, whether the plan was replaced or changed. No reading continues with it.
    countReview: assign(({ context }) => ({ reviews: context.reviews + 1, reading: null })),
    keepComments: assign(({ context }) => {
      const { plan, planReview } = context;
      const verdict = planReview?.verdict;
      if (planReview === null) return { comments: plan?.back ?? null };
      return { comments: verdict?.kind === 'revise' ? verdict.comments : null };
    }),
    keepReviewedPlan: assign(({ context }) => ({ plan: planAfterReview(context) })),
    keepExecute: assign(
      (_, asked: { readonly number: number; readonly answer: ExecuteAnswer }) => ({
        executions: asked.number,
        execute: asked.answer,
      }),
    ),
    keepResult: assign((_, { result, retries }: CarriedOut) => ({ result, retries })),
    keepReview: assign((_, { result, review }: ReviewedExecution) => ({ result, review })),
    keepApplyAnswer: assign((_, { answer, result }: AnsweredResult) => ({
      isApplyWanted: typeof answer === 'boolean' ? answer : answer.apply,
      retries: typeof answer === 'boolean' ? [] : [answer.retry ?? []].flat(),
      resolver: typeof answer === 'boolean' ? null : (answer.resolve_with ?? null),
      result,
    })),
    keepApplied: assign((_, applied: AppliedResult) => ({ applied })),
    endDone: assign({ end: { kind: 'done' } }),
    endAgain: assign(({ context: { retries } }) => ({ end: { kind: 'again', retries } })),
    endJudged: assign({ end: { kind: 'judged' } }),
    endLeft: assign(({ context }) => ({ end: leaveEnd(context) })),
    endCancelled: assign({ end: { kind: 'cancelled' } }),
    endInterrupted: assign({ end: { kind: 'interrupted' } }),
    endUnanswered: assign(({ context: { outcome, end } }) => ({
      end: outcome?.kind === 'nobody-answered' ? outcome : end,
    })),
    endWithoutAgreement: assign({ end: { kind: 'not-converged' } }),
    endWithError: assign((_, error: unknown) => ({ end: { kind: 'error', error } })),
  },
}).createMachine({
  id: 'conclave',
  context: ({ input: { task, given = null } }) => startingContext(task, given),
  output: ({ context }) => context,
  initial: 'context',
  on: { CANCEL: '.interrupted' },
  states: {
    context: run({ phase: 'gatherContext', keep: 'keepCodebase', target: 'afterContext' }),
    afterContext: {
      always: [{ guard: 'planIsGiven', target: 'planTaking' }, { target: 'discussion' }],
    },
    planTaking: run({ phase: 'takePlan', keep: 'keepTaken', target: 'discussion' }),
    discussion: run({ phase: 'discussRound', keep: 'keepRound', target: 'afterRound' }),
    afterRound: {
      always: [
        { guard: 'nobodyAnswered', target: 'failed', actions: 'endUnanswered' },
        { guard: 'planIsToBeJudged', target: 'verdict' },
        { guard: 'nobodyIsSeated', target: 'options' },
        { guard: 'agentsConverged', target: 'options' },
        { guard: 'anotherRoundIsDue', target: 'discussion', actions: 'countRound' },
        { guard: 'agentsAskTheUser', target: 'userInputNeeded' },
        { guard: 'roundsAreUsedUp', target: 'options' },
        { guard: 'requiredAgreementIsMissing', target: 'failed', actions: 'endWithoutAgreement' },
        deadEnd('the round'),
      ],
    },
    verdict: run({ phase: 'judgePlan', keep: 'keepCritique', target: 'afterVerdict' }),
    afterVerdict: {
      always: [{ guard: 'userWantsAPlan', target: 'options' }, { target: 'judged' }],
    },
    userInputNeeded: run({ phase: 'clarify', keep: 'keepAnswers', target: 'afterUserInput' }),
    afterUserInput: {
      always: [
        { guard: 'userSkipsTheQuestions', target: 'options' },
        { guard: 'userEndsTheDispute', target: 'options' },
        { guard: 'questionsCameAtTheEnd', target: 'options' },
        { target: 'discussion', actions: 'countRound' },
      ],
    },
    options: run({ phase: 'presentOptions', keep: 'countDecision', target: 'decision' }),
    decision: run({ phase: 'decide', keep: 'keepDecision', target: 'afterDecision' }),
    afterDecision: {
      always: [
        {
          guard: 'userWantsMoreAnalysis',
          target: 'discussion',
          actions: ['countRound', 'allowAnotherRound'],
        },
        { guard: 'userChoosesAnOption', target: 'proof' },
        { guard: 'userCancels', target: 'cancelled' },
        deadEnd('the decision'),
      ],
    },
    // Planning begins when the tests have run at the base; where there are none to be, at once.
    proof: run({ phase: 'prove', keep: 'keepProofs', target: 'planning' }),
    planning: run({ phase: 'makePlan', keep: 'keepPlan', target: 'afterPlanning' }),
    afterPlanning: {
      always: [
        {
          guard: 'plannerSendsProofsBack',
          target: 'proof',
          actions: ['countReview', 'keepComments'],
        },
        { guard: 'personSentThePlanBack', target: 'planReview' },
        { target: 'planReading' },
      ],
    },
    // A person who reads along sees the plan at once, so only the readers are chosen here.
    planReading: run({ phase: 'readPlan', keep: 'keepPlanToReview', target: 'planReview' }),
    planReview: run({ phase: 'reviewPlan', keep: 'keepPlanReview', target: 'afterPlanReview' }),
    afterPlanReview: {
      always: [
        { guard: 'findingsGoToTheAuthor', target: 'planReply', actions: 'countReview' },
        { guard: 'planIsSentBack', target: 'proof', actions: ['countReview', 'keepComments'] },
        { guard: 'planChangedMeanwhile', target: 'planReview', actions: 'countReview' },
        { guard: 'planIsApproved', target: 'execution', actions: 'keepReviewedPlan' },
        { guard: 'planIsLeft', target: 'left', actions: 'keepReviewedPlan' },
        deadEnd('the review of the plan'),
      ],
    },
    planReply: run({ phase: 'answerFindings', keep: 'keepPlan', target: 'planReview' }),
    execution: run({ phase: 'askToExecute', keep: 'keepExecute', target: 'afterHandOff' }),
    afterHandOff: {
      always: [{ guard: 'userWantsExecution', target: 'carryingOut' }, { target: 'done' }],
    },
    carryingOut: run({ phase: 'executePlan', keep: 'keepResult', target: 'afterExecution' }),
    afterExecution: {
      always: [
        { guard: 'userWantsTasksAgain', target: 'again' },
        { guard: 'nothingWasLeftToDo', target: 'done' },
        { guard: 'nothingWasChanged', target: 'resultQuestion' },
        { guard: 'userSkipsTheReview', target: 'resultQuestion' },
        { target: 'codeReview' },
      ],
    },
    codeReview: run({ phase: 'reviewExecution', keep: 'keepReview', target: 'afterCodeReview' }),
    afterCodeReview: {
      always: [{ guard: 'nothingWasChanged', target: 'done' }, { target: 'resultQuestion' }],
    },
    resultQuestion: run({
      phase: 'askToApply',
      keep: 'keepApplyAnswer',
      target: 'afterResultQuestion',
    }),
    afterResultQuestion: {
      always: [
        { guard: 'userWantsTasksAgain', target: 'again' },
        { guard: 'userWantsTheResult', target: 'applying' },
        { target: 'done' },
      ],
    },
    applying: run({ phase: 'applyResult', keep: 'keepApplied', target: 'done' }),
    done: { type: 'final', entry: 'endDone' },
    again: { type: 'final', entry: 'endAgain' },
    judged: { type: 'final', entry: 'endJudged' },
    left: { type: 'final', entry: 'endLeft' },
    cancelled: { type: 'final', entry: 'endCancelled' },
    interrupted: { type: 'final', entry: 'endInterrupted' },
    failed: { type: 'final' },
  },
});

/** Declares a phase for the chart: from what is known about the session to its own output. */
function phase<T>() {
  return fromPromise<T, WorkflowContext>(() =>
    Promise.reject(new Error('nobody was given who runs the phases')),
  );
}

/** A state that runs a phase; without an error, its output goes to `keep` and the chart to `target`. */
function run<const P extends string, const K extends string, const T extends string>(state: {
  readonly phase: P;
  readonly keep: K;
  readonly target: T;
}) {
  return {
    invoke: {
      src: state.phase,
      input: ({ context }: { readonly context: WorkflowContext }) => context,
      onDone: {
        target: state.target,
        actions: {
          type: state.keep,
          params: <O>({ event }: { readonly event: { readonly output: O } }) => event.output,
        },
      },
      onError,
    },
  } as const;
}

/** Ends the run with an error at an output that no guard knows: that is a bug, which must not pass silently. */
function deadEnd(of: string) {
  const error = new Error(`the chart has no way on from what ${of} came to`);
  return { target: 'failed', actions: { type: 'endWithError', params: error } } as const;
}
