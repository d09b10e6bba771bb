import { describe, expect, test } from 'vitest';
import { createActor, fromPromise, toPromise } from 'xstate';
import type { Decision, PlanVerdict } from '../../src/model/decision.ts';
import type { NextMove, RoundOutput } from '../../src/phases/discussion/round.ts';
import {
  type Move,
  type PhaseState,
  type Reviewed,
  type WorkflowContext,
  afterAnswers,
  afterDecision,
  afterReview,
  afterRound,
  reviewSteps,
  startingContext,
} from '../../src/workflow/chart-context.ts';
import { type PhaseInput, workflow } from '../../src/workflow/machine.ts';
import { codebase, reviewedPlan, settings, synthesisOf, writtenPlan } from './samples.ts';

interface Script {
  rounds: readonly (NextMove | 'nobody' | 'nobody-seated' | 'never')[];
  clarify?: 'answer' | 'skip';
  decisions?: readonly Decision['kind'][];
  /** What each review leads to; the last one counts for all that follow. */
  reviews?: readonly Reviewed['next'][];
}

/** Runs the chart with actors that follow a script; returns the phases it passed. */
async function follow(script: Script, during?: { phase: string }) {
  const passed: string[] = [];
  const rounds = [...script.rounds];
  const decisions = [...(script.decisions ?? ['approve'])];
  const reviews = [...(script.reviews ?? ['execution'])];
  const clarified = script.clarify === 'skip' ? '' : 'blue';
  const phases: Partial<Record<PhaseState, (context: WorkflowContext) => Move>> = {
    context: () => ({ to: 'discussion', change: { codebase } }),
    discussion: (context) =>
      afterRound(context, roundOutput(rounds.shift() ?? 'best-options', context.round)),
    userInputNeeded: (context) =>
      afterAnswers(context, {
        answers: [],
        feedback: clarified,
        skipped: clarified === '',
        by: 'user',
      }),
    options: ({ decisions: made }) => ({ to: 'decision', change: { decisions: made + 1 } }),
    decision: (context) => afterDecision(context, decisionOf(decisions.shift() ?? 'approve')),
    planning: ({ comments }) => {
      const version = writtenPlan.version + (comments === null ? 0 : 1);
      return { to: 'planReview', change: { plan: { ...writtenPlan, version }, comments: null } };
    },
    planReview: (context) => afterReview(context, reviewOf(reviews.shift() ?? 'execution')),
    execution: () => ({ to: 'done', change: { end: { kind: 'done' } } }),
  };
  const runPhase = fromPromise<Move, PhaseInput>(async ({ input: { state, context } }) => {
    passed.push(state);
    const run = phases[state];
    if (run === undefined) throw new Error(`the script does not reach ${state}`);
    if (during?.phase === state) {
      queueMicrotask(() => actor.send({ type: 'CANCEL' }));
      return new Promise<never>(() => undefined);
    }
    return run(context);
  });
  const chart = workflow.provide({ actors: { runPhase } });
  const actor = createActor(chart, { input: { task: 'paint it' } });
  actor.start();
  const context = await toPromise(actor);
  return { passed, context };
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

function reviewOf(next: Reviewed['next']): Reviewed {
  return { verdict: verdictOf(next), reviewed: reviewedPlan, next, blocking: 0 };
}

function verdictOf(next: Reviewed['next']): PlanVerdict {
  if (next === 'left') return { kind: 'leave', why: 'later' };
  return next === 'planning'
    ? { kind: 'revise', comments: [{ task: null, text: 'smaller' }], by: 'user' }
    : { kind: 'approve', by: 'auto', hash: null };
}

const twoDecisions = ['more-analysis', 'approve'] as const;
const before = ['context', 'discussion', 'options', 'decision'];
const whole = [...before, 'planning', 'planReview', 'execution'];

describe('the chart', () => {
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
      { rounds: ['converged'], reviews: ['planning', 'execution'] },
      [...before, 'planning', 'planReview', 'planning', 'planReview', 'execution'],
      { reviews: 2, comments: null, plan: { version: 2 } },
    ],
    [
      'asks again for a plan that changed meanwhile, without planning again',
      { rounds: ['converged'], reviews: ['planReview', 'planReview', 'execution'] },
      [...before, 'planning', 'planReview', 'planReview', 'planReview', 'execution'],
      { reviews: 3, plan: { version: 1 } },
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
    'planReview',
    'execution',
  ])('can be interrupted during %s', async (phase) => {
    const rounds = phase === 'userInputNeeded' ? (['ask-user'] as const) : (['converged'] as const);
    const { passed, context } = await follow({ rounds }, { phase });
    expect(passed.at(-1)).toBe(phase);
    expect(context.end).toEqual({ kind: 'interrupted' });
  });
});
