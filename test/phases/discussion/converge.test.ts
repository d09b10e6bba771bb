import { expect, test } from 'vitest';
import { type ConvergenceInput, converge } from '../../../src/phases/discussion/converge.ts';
import type { JudgedSolution } from '../../../src/phases/discussion/votes.ts';
import { checkedClaim, heldStance } from './make.ts';

const supports = (who: string) =>
  heldStance({
    agent: who,
    stance: 'support',
    reasons: ['It reuses the existing limiter.'],
    evidence: [],
  });
const opposes = (who: string) => ({ ...supports(who), stance: 'oppose' as const });
const doubts = (who: string) => ({ ...supports(who), stance: 'unsure' as const });
const by = (who: string, { failed = 0, feasibility = 0.8 } = {}) => ({
  agent: who,
  kind: 'model' as const,
  feasibility,
  effort: 'low' as const,
  risk: 'low' as const,
  sound: 8,
  failed,
});
/** A solution of codex, which says that it would build it, until it is told otherwise. */
const bucket = (parts: Partial<JudgedSolution> = {}): JudgedSolution => ({
  name: 'Token bucket',
  estimates: [by('codex')],
  stances: [],
  preferred_by: ['codex'],
  ...parts,
});
const gateway = (parts: Partial<JudgedSolution> = {}): JudgedSolution =>
  bucket({ name: 'Gateway', estimates: [by('gemini')], preferred_by: ['gemini'], ...parts });
const vendors = { codex: 'openai', gemini: 'google', claude: 'anthropic' };
const asked = (
  who: readonly (keyof typeof vendors)[],
  solutions: readonly JudgedSolution[],
  parts: Partial<ConvergenceInput> = {},
) =>
  converge({
    round: 2,
    voices: who.map((one) => ({ agent: one, kind: 'model' as const, vendor: vendors[one] })),
    solutions,
    remarks: [],
    newInsights: true,
    isStuck: true,
    questions: [],
    ...parts,
  });
const first = (who: readonly (keyof typeof vendors)[], ...solutions: readonly JudgedSolution[]) =>
  asked(who, solutions, { round: 1 });
const both = [by('codex'), by('gemini')];

test('two vendors that recommend the same converge in round 1', () => {
  const shared = bucket({ estimates: both, preferred_by: ['codex', 'gemini'] });
  expect(first(['codex', 'gemini'], shared)).toMatchObject({
    score: 1,
    recommendation: 'converged',
    vendors: ['google', 'openai'],
    reasons: [
      'Score 1.00: 2 of 2 vendors recommend “Token bucket”; nobody opposes it.',
      'All models that answered recommend it, each without having seen the others’ answers, and the comparison found their solutions the same.',
    ],
  });
});

test('a recommendation that its author gives less than an even chance is no vote', () => {
  const doubted = [by('codex'), by('gemini', { feasibility: 0.3 })];
  const shared = bucket({ estimates: doubted, preferred_by: ['codex', 'gemini'] });
  expect(first(['codex', 'gemini'], shared).score).toBe(0.5);
});

test('in round 1 every model that answered must recommend it, however high the score', () => {
  const agents = ['a', 'b', 'c', 'd', 'e'];
  const voices = agents.map((agent) => ({ agent, kind: 'model' as const, vendor: agent }));
  const four = agents.slice(1);
  const shared = bucket({ estimates: four.map((who) => by(who)), preferred_by: four });
  expect(asked([], [shared], { voices, round: 1 })).toMatchObject({
    score: 0.8,
    recommendation: 'continue',
  });
  expect(asked([], [shared], { voices }).recommendation).toBe('converged');
});

test.each([
  [0, 1, 'converged'],
  [4, 0.8, 'converged'],
  [5, 0.762, 'continue'],
  [8, 0.333, 'continue'],
])('%i failed references beside 16 that hold: %d, %s', (failed, score, recommendation) => {
  const shared = bucket({
    estimates: [by('codex', { failed }), by('gemini')],
    stances: failed === 8 ? [doubts('codex'), supports('gemini')] : [supports('gemini')],
  });
  expect(asked(['codex', 'gemini'], [shared])).toMatchObject({ score, recommendation });
});

test('one opposition keeps a solution from convergence', () => {
  const shared = bucket({ stances: [supports('gemini'), opposes('claude')] });
  expect(asked(['codex', 'gemini', 'claude'], [shared])).toMatchObject({
    score: 0.333,
    recommendation: 'continue',
  });
});

test('to have proposed a solution is no vote from round 2 on, to prefer one’s own is one', () => {
  const shared = bucket({ estimates: both, preferred_by: [] });
  expect(asked(['codex', 'gemini'], [shared]).score).toBe(0);
  const preferred = bucket({ estimates: both, preferred_by: ['codex', 'gemini'] });
  expect(asked(['codex', 'gemini'], [preferred])).toMatchObject({
    score: 1,
    recommendation: 'converged',
  });
  const wordless = bucket({ preferred_by: ['codex', 'gemini'] });
  expect(asked(['codex', 'gemini'], [wordless]).score).toBe(0.5);
  const doubted = bucket({ preferred_by: ['codex', 'gemini'], stances: [doubts('gemini')] });
  expect(asked(['codex', 'gemini'], [doubted]).score).toBe(0.5);
});

test('what everybody would approve and nobody would build is no agreement', () => {
  const stances = [supports('codex'), supports('gemini')];
  const shared = bucket({ stances, preferred_by: [] });
  expect(asked(['codex', 'gemini'], [shared])).toMatchObject({
    score: 0.5,
    recommendation: 'continue',
    reasons: [
      'Score 0.50: 2 of 2 vendors support “Token bucket”; nobody opposes it.',
      'Nobody would build it.',
    ],
  });
});

test('a model of unknown vendor can object, but not add to the agreement', () => {
  const unknown = { agent: 'house', kind: 'model' as const, vendor: null };
  const voices = [{ agent: 'codex', kind: 'model' as const, vendor: 'openai' }, unknown];
  const shared = bucket({ preferred_by: ['codex', 'house'] });
  expect(asked([], [shared], { voices })).toMatchObject({
    score: 0.5,
    recommendation: 'continue',
    vendors: ['openai'],
  });
  const opposed = bucket({ stances: [opposes('house')] });
  expect(asked([], [opposed], { voices }).score).toBe(0.25);
});

test('a new question of an agent asks for the user, unless the agents have converged', () => {
  const questions = ['Is Redis allowed?'];
  expect(asked(['codex', 'gemini'], [bucket()], { questions }).recommendation).toBe(
    'user_input_needed',
  );
  const shared = bucket({ stances: [supports('gemini')] });
  expect(asked(['codex', 'gemini'], [shared], { questions }).recommendation).toBe('converged');
});

test('two vendors that oppose each other’s solution need the user once neither moves', () => {
  const mine = bucket({ stances: [opposes('gemini')] });
  const yours = gateway({ stances: [opposes('codex')] });
  const apart = (parts: Partial<ConvergenceInput>) =>
    asked(['codex', 'gemini'], [mine, yours], parts).recommendation;
  expect(apart({})).toBe('user_input_needed');
  expect(asked(['codex', 'gemini'], [mine, yours]).reasons[1]).toBe(
    'Supporters of “Token bucket” and of “Gateway” oppose each other’s solution, and neither side has moved.',
  );
  expect(apart({ isStuck: false })).toBe('continue');
  expect(apart({ round: 1 })).toBe('continue');
});

test('failed evidence carries no support, also for what is preferred', () => {
  const evidence = [checkedClaim('gemini', { status: 'failed' })];
  const claimed = heldStance({ ...supports('gemini'), evidence });
  expect(asked(['codex', 'gemini'], [bucket({ stances: [claimed] })]).score).toBe(0.5);
  const preferred = bucket({ stances: [claimed], preferred_by: ['codex', 'gemini'] });
  expect(asked(['codex', 'gemini'], [preferred]).score).toBe(0.5);
});

test('the reasons name the share, the opposition and what is missing', () => {
  const alone = bucket({
    estimates: [by('codex', { failed: 2 })],
    stances: [opposes('gemini')],
  });
  expect(asked(['codex', 'gemini'], [alone]).reasons).toEqual([
    'Score 0.20: 1 of 2 vendors supports “Token bucket”; google opposes it; 2 references in it failed the check.',
    'Fewer than two vendors support it.',
  ]);
});
