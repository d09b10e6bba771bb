import { describe, expect, test } from 'vitest';
import { createActor, fromPromise, toPromise } from 'xstate';
import type { Clarification, Decision, PlanVerdict } from '../../src/model/decision.ts';
import type { ExecuteAnswer, Retry } from '../../src/model/execution.ts';
import type { ProofSet } from '../../src/model/proof.ts';
import { NextMove, type RoundOutput } from '../../src/phases/discussion/round.ts';
import type { AppliedResult } from '../../src/phases/execution/apply-result.ts';
import type { PlanToReview } from '../../src/phases/planning/reading/read-by-others.ts';
import type { ReviewedExecution } from '../../src/phases/reviewing/review-execution.ts';
import {
  type CarriedOut,
  type PlanReview,
  type WorkflowContext,
  reviewSteps,
  startingContext,
} from '../../src/workflow/chart-context.ts';
import type { AnsweredResult } from '../../src/workflow/execute-question.ts';
import { workflow } from '../../src/workflow/machine.ts';
import {
  codebase,
  executionResult,
  reviewedPlan,
  settings,
  synthesisOf,
  writtenPlan,
} from './samples.ts';

interface Script {
  rounds: readonly (NextMove | 'nobody' | 'nobody-seated' | 'never')[];
  clarify?: 'answer' | 'skip' | 'settle';
  decisions?: readonly Decision['kind'][];
  /** What each review leads to; the last one counts for all that follow. */
  reviews?: readonly PlanReview['outcome'][];
  execute?: ExecuteAnswer;
  /** The commit that the execution ends with, from the commit `start`. */
  commit?: string;
  isApplyWanted?: boolean;
  /** Tasks that the user wants done again. */
  retry?: Retry;
}

/** Runs the chart with actors that follow a script; returns the phases it passed. */
async function follow(
  script: Script,
  { phase, guards = {} }: { phase?: string; guards?: object } = {},
) {
  const passed: string[] = [];
  const proofs: string[] = [];
  const rounds = [...script.rounds];
  const decisions = [...(script.decisions ?? ['approve'])];
  const reviews = [...(script.reviews ?? ['approved'])];
  const clarified = script.clarify === 'skip' ? '' : 'blue';
  const result = { ...executionResult, commit: script.commit ?? 'start' };
  const passes = <T>(state: string, run: (context: WorkflowContext) => T) =>
    fromPromise<T, WorkflowContext>(async ({ input }) => {
      passed.push(state);
      if (phase !== state) return run(input);
      queueMicrotask(() => actor.send({ type: 'CANCEL' }));
      return new Promise<never>(() => undefined);
    });
  const actors = {
    gatherContext: passes('context', () => codebase),
    discussRound: passes('discussion', ({ round }) =>
      roundOutput(rounds.shift() ?? 'best-options', round),
    ),
    clarify: passes<Clarification>('userInputNeeded', () => {
      const skipped = clarified === '';
      const settles = script.clarify === 'settle';
      return { answers: [], feedback: clarified, skipped, settles, by: 'user' };
    }),
    presentOptions: passes<void>('options', () => undefined),
    decide: passes('decision', () => decisionOf(decisions.shift() ?? 'approve')),
    // Recorded only where a test asks for it: most ways are told without it.
    prove: fromPromise<ProofSet | null, WorkflowContext>(async ({ input }) => {
      proofs.push(input.comments === null ? 'first' : 'again');
      return null;
    }),
    makePlan: passes('planning', ({ comments }) => {
      const version = writtenPlan.version + (comments === null ? 0 : 1);
      return { ...writtenPlan, version };
    }),
    readPlan: passes<PlanToReview>('planReading', ({ plan }) => ({
      plan: plan ?? writtenPlan,
      reading: null,
    })),
    answerFindings: passes('planReply', () => ({ ...writtenPlan, version: 2 })),
    reviewPlan: passes('planReview', () => reviewOf(reviews.shift() ?? 'approved')),
    askToExecute: passes('execution', () => ({
      number: 1,
      answer: script.execute ?? ({ kind: 'later' } as const),
    })),
    executePlan: passes<CarriedOut>('carryingOut', () => ({ result, retries: [] })),
    reviewExecution: passes<ReviewedExecution>('codeReview', ({ result: reviewed }) => ({
      result: reviewed ?? result,
      review: null,
    })),
    askToApply: passes<AnsweredResult>('resultQuestion', () => ({
      answer:
        script.retry === undefined
          ? (script.isApplyWanted ?? false)
          : { apply: false, accepted: {}, retry: script.retry },
      result,
    })),
    applyResult: passes<AppliedResult>('applying', () => ({
      how: 'merged',
      branch: 'main',
      files: [],
      backup: null,
    })),
  };
  const actor = createActor(workflow.provide({ actors, guards }), { input: { task: 'paint it' } });
  actor.start();
  const context = await toPromise(actor);
  return { passed, proofs, context };
}

function roundOutput(move: Script['rounds'][number], round: number): RoundOutput {
  if (move === 'nobody-seated') return { kind: move };
  if (move === 'nobody') {
    return {
      kind: 'nobody-answered',
      failures: [{ agent: 'a', reason: 'crashed' }],
      nothingFound: false,
    };
  }
  if (move === 'never') throw new Error('the disk is gone');
  return {
    kind: 'synthesized',
    synthesis: synthesisOf(round),
    settings,
    context: codebase,
    next: move,
  };
}

function decisionOf(kind: Decision['kind']): Decision {
  switch (kind) {
    case 'approve':
      return {
        kind,
        solution: 1,
        execution_method: 'Agent',
        code_review_tool: 'Skip',
        constraints: [],
        by: 'auto',
      };
    case 'more-analysis':
      return { kind, feedback: 'look at the cache', by: 'user' };
    case 'cancel':
      return { kind, by: 'user' };
  }
}

function reviewOf(outcome: PlanReview['outcome']): PlanReview {
  return { verdict: verdictOf(outcome), reviewed: reviewedPlan, outcome, blocking: 0, found: null };
}

function verdictOf(outcome: PlanReview['outcome']): PlanVerdict {
  if (outcome === 'left') return { kind: 'leave', why: 'later' };
  if (outcome === 'to-author') return { kind: 'reply', by: 'user' };
  return outcome === 'sent-back'
    ? { kind: 'revise', comments: [{ task: null, text: 'smaller' }], by: 'user' }
    : { kind: 'approve', by: 'auto', hash: null };
}

function executeNow(review: 'Skip' | 'Agent Review'): ExecuteAnswer {
  return { kind: 'now', execution_method: 'Agent', code_review_tool: review, by: 'user' };
}

const twoDecisions = ['more-analysis', 'approve'] as const;
const before = ['context', 'discussion', 'options', 'decision'];
const whole = [...before, 'planning', 'planReading', 'planReview', 'execution'];

const never = () => false;

describe('the chart', () => {
  test('has a decision proved before it is planned, and comments on its proofs answered before a new plan', async () => {
    const reviews = ['sent-back', 'approved'] as const;
    expect((await follow({ rounds: ['converged'], reviews })).proofs).toEqual(['first', 'again']);
    const rounds = ['converged', 'converged'] as const;
    const later = await follow({ rounds, decisions: ['more-analysis', 'approve'] });
    expect(later.proofs).toEqual(['first']);
  });

  test.each<[string, Script, readonly string[], object]>([
    [
      'goes from the task to the hand-off when the agents converge at once',
      { rounds: ['converged'] },
      whole,
      { end: { kind: 'done' } },
    ],
    [
      'discusses again while a round says so, and counts the rounds',
      { rounds: ['another-round', 'another-round', 'converged'] },
      ['context', 'discussion', 'discussion', ...whole.slice(1)],
      { round: 3 },
    ],
    [
      'asks the user and takes the answer into the next round',
      { rounds: ['ask-user', 'converged'] },
      ['context', 'discussion', 'userInputNeeded', ...whole.slice(1)],
      { feedback: ['blue'], round: 2 },
    ],
    [
      'asks a question of the last round, too, and the answer leads to the options',
      { rounds: ['ask-at-end'], clarify: 'answer' },
      ['context', 'discussion', 'userInputNeeded', ...whole.slice(2)],
      { feedback: ['blue'], round: 1 },
    ],
    [
      'goes on with the best options when nobody answers a question',
      { rounds: ['ask-user'], clarify: 'skip' },
      ['context', 'discussion', 'userInputNeeded', ...whole.slice(2)],
      { next: 'ask-user', feedback: [] },
    ],
    [
      'leads to the options when the user ends the dispute that was asked about',
      { rounds: ['ask-user'], clarify: 'settle' },
      ['context', 'discussion', 'userInputNeeded', ...whole.slice(2)],
      { feedback: ['blue'], round: 1 },
    ],
    [
      'returns to the discussion with the feedback when more analysis is needed',
      { rounds: ['converged', 'converged'], decisions: twoDecisions },
      [...before, ...whole.slice(1)],
      { feedback: ['look at the cache'], decisions: 2, atLeastRounds: 2 },
    ],
    [
      'returns to the options of the last round when no agent can take part in another one',
      { rounds: ['converged', 'nobody-seated'], decisions: twoDecisions },
      [...before, ...whole.slice(1)],
      { feedback: ['look at the cache'], decisions: 2, last: { synthesis: { round: 1 } } },
    ],
    [
      'goes back to planning with the comments, and reviews the new version',
      { rounds: ['converged'], reviews: ['sent-back', 'approved'] },
      [...before, 'planning', 'planReading', 'planReview', 'planning', 'planReview', 'execution'],
      { reviews: 2, comments: null, plan: { version: 2 } },
    ],
    [
      'has the author answer what was found during the review, and reviews the plan again',
      { rounds: ['converged'], reviews: ['to-author', 'approved'] },
      [...before, 'planning', 'planReading', 'planReview', 'planReply', 'planReview', 'execution'],
      { reviews: 2, reading: null, plan: { version: 2 } },
    ],
    [
      'asks again for a plan that changed meanwhile, without planning again',
      { rounds: ['converged'], reviews: ['changed', 'changed', 'approved'] },
      [...before, 'planning', 'planReading', 'planReview', 'planReview', 'planReview', 'execution'],
      { reviews: 3, plan: { version: 1 } },
    ],
    [
      'carries the plan out, has it reviewed and brings it home as the user wants it',
      {
        rounds: ['converged'],
        execute: executeNow('Agent Review'),
        commit: 'end',
        isApplyWanted: true,
      },
      [...whole, 'carryingOut', 'codeReview', 'resultQuestion', 'applying'],
      { result: { commit: 'end' }, applied: { how: 'merged' }, end: { kind: 'done' } },
    ],
    [
      'asks for the result without a review where the user skips it, and leaves it there',
      { rounds: ['converged'], execute: executeNow('Skip'), commit: 'end' },
      [...whole, 'carryingOut', 'resultQuestion'],
      { applied: null, end: { kind: 'done' } },
    ],
    [
      'ends, to go on at once, where the user wants tasks done again',
      {
        rounds: ['converged'],
        execute: executeNow('Skip'),
        commit: 'end',
        retry: { tasks: ['TASK-001'], note: 'Say why.' },
      },
      [...whole, 'carryingOut', 'resultQuestion'],
      {
        applied: null,
        end: { kind: 'again', retries: [{ tasks: ['TASK-001'], note: 'Say why.' }] },
      },
    ],
    [
      'reviews nothing and asks for nothing where nothing was changed',
      { rounds: ['converged'], execute: executeNow('Agent Review'), commit: 'start' },
      [...whole, 'carryingOut'],
      { result: { commit: 'start' }, end: { kind: 'done' } },
    ],
  ])('%s', async (_, script, phases, expected) => {
    const { passed, context } = await follow(script);
    expect(passed).toEqual(phases);
    expect(context).toMatchObject(expected);
  });

  test('gives each review of a decision step keys of its own', () => {
    const decided = { ...startingContext(''), decisions: 1 };
    expect(reviewSteps(decided).verdict.key).toBe('approval-1');
    expect(reviewSteps({ ...decided, reviews: 2 }).verdict.key).toBe('approval-1.2');
  });

  test.each([
    [{ rounds: ['converged'], decisions: ['cancel'] } as const, 'cancelled'],
    [{ rounds: ['converged'], reviews: ['left'] } as const, 'left'],
    [{ rounds: ['nobody'] } as const, 'nobody-answered'],
    [{ rounds: ['not-converged'] } as const, 'not-converged'],
    [{ rounds: ['never'] } as const, 'error'],
  ])('%j ends as %s', async (script, end) => {
    expect((await follow(script)).context.end?.kind).toBe(end);
  });

  test.each([
    'context',
    'discussion',
    'userInputNeeded',
    'options',
    'decision',
    'planning',
    'planReading',
    'planReview',
    'execution',
  ])('can be interrupted during %s', async (phase) => {
    const rounds = phase === 'userInputNeeded' ? (['ask-user'] as const) : (['converged'] as const);
    const { passed, context } = await follow({ rounds }, { phase });
    expect(passed.at(-1)).toBe(phase);
    expect(context.end).toEqual({ kind: 'interrupted' });
  });

  test.each(NextMove.options)('knows the way on from a round that ends with %s', async (next) => {
    const { context } = await follow({ rounds: [next, 'best-options'] });
    expect(context.end?.kind).toBe(next === 'not-converged' ? 'not-converged' : 'done');
  });

  test.each<[string, object]>([
    ['the round', { agentsConverged: never }],
    ['the decision', { userChoosesAnOption: never }],
    ['the review of the plan', { planIsApproved: never }],
  ])('ends as a bug where no guard knows what %s came to', async (of, guards) => {
    const { context } = await follow({ rounds: ['converged'] }, { guards });
    expect(context.end).toEqual({
      kind: 'error',
      error: new Error(`the chart has no way on from what ${of} came to`),
    });
  });

  test('ends as a bug where nobody gave it the phases', async () => {
    const actor = createActor(workflow, { input: { task: 'paint it' } });
    actor.start();
    expect((await toPromise(actor)).end).toMatchObject({ kind: 'error', error: expect.any(Error) });
  });
});
