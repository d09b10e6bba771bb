import { expect, test } from 'vitest';
import { type ConvergenceInput, converge } from '../../../src/phases/discussion/converge.ts';
import type { Judged } from '../../../src/phases/discussion/support.ts';
import { checkedClaim } from './make.ts';

const supports = (who: string) => ({
  agent: who,
  stance: 'support' as const,
  reasons: ['It reuses the existing limiter.'],
  evidence: [],
});
const opposes = (who: string) => ({ ...supports(who), stance: 'oppose' as const });
const by = (who: string, failed = 0) => ({
  agent: who,
  kind: 'model' as const,
  feasibility: 0.3,
  effort: 'low' as const,
  risk: 'low' as const,
  sound: 8,
  failed,
});
const vendors = { codex: 'openai', gemini: 'google', claude: 'anthropic' };
const asked = (
  who: readonly (keyof typeof vendors)[],
  solutions: readonly Judged[],
  parts: Partial<ConvergenceInput> = {},
) =>
  converge({
    round: 2,
    voices: who.map((one) => ({ agent: one, kind: 'model' as const, vendor: vendors[one] })),
    solutions,
    newInsights: true,
    revised: false,
    questions: [],
    ...parts,
  });

test('perfect agreement of two vendors converges in round 1, whatever the feasibility', () => {
  const shared = { name: 'Token bucket', estimates: [by('codex'), by('gemini')], stances: [] };
  expect(asked(['codex', 'gemini'], [shared], { round: 1 })).toMatchObject({
    score: 1,
    recommendation: 'converged',
    vendors: ['google', 'openai'],
  });
});

test.each([
  [0, 1, 'converged'],
  [4, 0.8, 'converged'],
  [5, 0.762, 'continue'],
  [8, 0.333, 'continue'],
])('%i failed references beside 16 that hold: %d, %s', (failed, score, recommendation) => {
  const shared = {
    name: 'Token bucket',
    estimates: [by('codex', failed), by('gemini')],
    stances: [],
  };
  expect(asked(['codex', 'gemini'], [shared])).toMatchObject({ score, recommendation });
});

test('two of three vendors are not enough while the third is silent', () => {
  const shared = {
    name: 'Token bucket',
    estimates: [by('codex')],
    stances: [supports('gemini')],
  };
  expect(asked(['codex', 'gemini', 'claude'], [shared])).toMatchObject({
    score: 0.667,
    recommendation: 'continue',
  });
});

test('one opposition keeps a solution from convergence', () => {
  const stances = [supports('gemini'), opposes('claude')];
  const shared = { name: 'Token bucket', estimates: [by('codex')], stances };
  expect(asked(['codex', 'gemini', 'claude'], [shared])).toMatchObject({
    score: 0.333,
    recommendation: 'continue',
  });
});

test('opposition to another solution does not disturb the agreement', () => {
  const shared = {
    name: 'Token bucket',
    estimates: [by('codex')],
    stances: [supports('gemini')],
  };
  const other = { name: 'Gateway', estimates: [by('gemini')], stances: [opposes('codex')] };
  expect(asked(['codex', 'gemini'], [other, shared]).recommendation).toBe('converged');
});

test('a model of unknown vendor can object, but not add to the agreement', () => {
  const unknown = { agent: 'house', kind: 'model' as const, vendor: null };
  const voices = [{ agent: 'codex', kind: 'model' as const, vendor: 'openai' }, unknown];
  const shared = { name: 'Token bucket', estimates: [by('codex'), by('house')], stances: [] };
  expect(asked([], [shared], { voices })).toMatchObject({
    score: 0.5,
    recommendation: 'continue',
    vendors: ['openai'],
  });
  const opposed = { ...shared, estimates: [by('codex')], stances: [opposes('house')] };
  expect(asked([], [opposed], { voices }).score).toBe(0.25);
});

test('a new question of an agent asks for the user, unless the agents have converged', () => {
  const alone = { name: 'Token bucket', estimates: [by('codex')], stances: [] };
  const questions = ['Is Redis allowed?'];
  expect(asked(['codex', 'gemini'], [alone], { questions }).recommendation).toBe(
    'user_input_needed',
  );
  const shared = { ...alone, stances: [supports('gemini')] };
  expect(asked(['codex', 'gemini'], [shared], { questions }).recommendation).toBe('converged');
});

test('two vendors that oppose each other’s solution need the user once neither moves', () => {
  const mine = { name: 'Token bucket', estimates: [by('codex')], stances: [opposes('gemini')] };
  const yours = { name: 'Gateway', estimates: [by('gemini')], stances: [opposes('codex')] };
  const both = (parts: Partial<ConvergenceInput>) =>
    asked(['codex', 'gemini'], [mine, yours], parts).recommendation;
  expect(both({})).toBe('user_input_needed');
  expect(both({ revised: true })).toBe('continue');
  expect(both({ round: 1 })).toBe('continue');
});

test('failed evidence carries no support', () => {
  const evidence = [checkedClaim('gemini', { status: 'failed' })];
  const claimed = { ...supports('gemini'), evidence };
  const shared = { name: 'Token bucket', estimates: [by('codex')], stances: [claimed] };
  expect(asked(['codex', 'gemini'], [shared]).score).toBe(0.5);
});

test('the reasons name the share, the opposition and what is missing', () => {
  const alone = {
    name: 'Token bucket',
    estimates: [by('codex', 2)],
    stances: [opposes('gemini')],
  };
  expect(asked(['codex', 'gemini'], [alone]).reasons).toEqual([
    'Score 0.20: 1 of 2 vendors supports “Token bucket”, google opposes it, and its citations are 80 % sound.',
    'No solution has the support of two vendors.',
  ]);
});
