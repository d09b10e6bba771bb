import { expect, test } from 'vitest';
import type { RecordedExamination } from '../../../src/model/proposal.ts';
import { saysSomething } from '../../../src/phases/discussion/reasons.ts';
import { findPreferred, findRecommended } from '../../../src/phases/discussion/support.ts';
import { proposed } from './make.ts';

const solutions = [
  proposed({ name: 'Token bucket middleware' }),
  proposed({ name: 'Limit at the gateway' }),
];
const recommending = (recommended?: string | null, all = solutions) => {
  const given = recommended === undefined ? { solutions: all } : { recommended, solutions: all };
  const { choice, note } = findRecommended(given);
  return [choice?.name ?? null, note !== null];
};

test('a recommendation is found by its name; null recommends none; else the first counts', () => {
  expect(recommending('Limit at the gateway')).toEqual(['Limit at the gateway', false]);
  expect(recommending(' limit at the “gateway”.')).toEqual(['Limit at the gateway', false]);
  expect(recommending(null)).toEqual([null, false]);
  expect(recommending(undefined, solutions.slice(1))).toEqual(['Limit at the gateway', false]);
  expect(recommending()).toEqual(['Token bucket middleware', true]);
  expect(recommending('the third')).toEqual(['Token bucket middleware', true]);
});

test('a decorated or shortened name is understood where it fits one solution only', () => {
  const gateway = ['Limit at the gateway', false];
  expect(recommending('Solution 2: Limit at the gateway')).toEqual(gateway);
  expect(recommending('the gateway')).toEqual(gateway);
  const both = 'Limit at the gateway, not the token bucket middleware';
  expect(recommending(both)).toEqual(['Token bucket middleware', true]);
});

test('a first solution that its author doubts is not taken for recommended', () => {
  const doubted = proposed({ name: 'Rewrite it', feasibility: 0.4 });
  expect(recommending(undefined, [doubted])).toEqual([null, true]);
  expect(recommending('the third', [doubted, ...solutions])).toEqual([null, true]);
  expect(recommending('Rewrite it', [doubted])).toEqual(['Rewrite it', false]);
});

const examined = (
  stances: Readonly<Record<string, 'support' | 'oppose' | 'unsure'>>,
  preferred?: string | null,
) => {
  const examination: RecordedExamination = {
    session: 'MCP-x',
    round: 2,
    stances: Object.entries(stances).map(([solution, stance]) => {
      return { solution, stance, reasons: [], evidence: [] };
    }),
    revision: null,
    search_terms: [],
    questions: [],
  };
  return findPreferred(preferred === undefined ? examination : { ...examination, preferred });
};

test('without a preference the only supported solution counts as preferred', () => {
  expect(examined({ A: 'support', B: 'support' }, 'B')).toBe('B');
  expect(examined({ A: 'support' }, null)).toBeNull();
  expect(examined({ A: 'oppose', B: 'support' })).toBe('B');
  expect(examined({ A: 'support', B: 'support' })).toBeNull();
  expect(examined({ A: 'unsure' })).toBeNull();
});

test.each([
  ['It reuses the existing limiter.', true],
  ['令牌桶会丢失计数', true],
  ['', false],
  ['LGTM', false],
  ['I agree, this looks like the best approach!', false],
])('the reason "%s" says something: %s', (reason, expected) => {
  expect(saysSomething(reason)).toBe(expected);
});
