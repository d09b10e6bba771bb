import { expect, test } from 'vitest';
import type { Examination } from '../../../src/model/proposal.ts';
import { preferredIn, recommendedIn } from '../../../src/phases/discussion/support.ts';
import { proposed } from './make.ts';

const solutions = [
  proposed({ name: 'Token bucket middleware' }),
  proposed({ name: 'Limit at the gateway' }),
];
const recommending = (recommended?: string | null, all = solutions) => {
  const proposal = recommended === undefined ? { solutions: all } : { recommended, solutions: all };
  const { choice, notes } = recommendedIn({ agent: 'codex', proposal });
  return [choice?.name ?? null, ...notes];
};

test.each(['Limit at the gateway', ' limit at the “gateway”.', 'gateway'])(
  'a recommendation is found by its name: %s',
  (name) => {
    expect(recommending(name)).toEqual(['Limit at the gateway']);
  },
);

test('null recommends none', () => {
  expect(recommending(null)).toEqual([null]);
});

test('where none is named the first counts, with a note if there are others', () => {
  expect(recommending(undefined, solutions.slice(1))).toEqual(['Limit at the gateway']);
  expect(recommending()).toEqual([
    'Token bucket middleware',
    'codex did not say which solution it would build; its first one, “Token bucket middleware”, counts as recommended.',
  ]);
  expect(recommending('the third')).toEqual([
    'Token bucket middleware',
    'codex recommended “the third”, which is none of its solutions; its first one, “Token bucket middleware”, counts as recommended.',
  ]);
});

test('a first solution that its author doubts is not taken for its recommendation', () => {
  const doubted = [proposed({ feasibility: 0.3 }), ...solutions];
  expect(recommending(undefined, doubted)).toEqual([
    null,
    'codex did not say which solution it would build, and doubts its first one: it recommends none.',
  ]);
});

const examined = (
  stances: Readonly<Record<string, 'support' | 'oppose' | 'unsure'>>,
  preferred?: string | null,
) => {
  const examination: Examination = {
    session: 'MCP-x',
    round: 2,
    stances: Object.entries(stances).map(([solution, stance]) => {
      return { solution, stance, reasons: [], evidence: [] };
    }),
    revision: null,
    search_terms: [],
    questions: [],
  };
  return preferredIn(preferred === undefined ? examination : { ...examination, preferred });
};

test('without a preference the only supported solution counts as preferred', () => {
  expect(examined({ A: 'support', B: 'support' }, 'B')).toBe('B');
  expect(examined({ A: 'support' }, null)).toBeNull();
  expect(examined({ A: 'oppose', B: 'support' })).toBe('B');
  expect(examined({ A: 'support', B: 'support' })).toBeNull();
  expect(examined({ A: 'unsure' })).toBeNull();
});
