import { expect, test } from 'vitest';
import { likelyTargets } from '../../../src/agents/analysts/targets.ts';

test('what was found for the task much less surely than the best file is not planned', () => {
  const found = [1, 0.9, 0.61, 0.59, 0.3].map((score, index) => ({
    path: `src/${index}.ts`,
    start: 1,
    end: 1,
    symbols: [],
    score,
    reasons: [],
  }));
  expect(likelyTargets(found).map(({ path }) => path)).toEqual([
    'src/0.ts',
    'src/1.ts',
    'src/2.ts',
  ]);
});
