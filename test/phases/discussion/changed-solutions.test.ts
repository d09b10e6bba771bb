import { expect, test } from 'vitest';
import { changedSolutions } from '../../../src/phases/discussion/round-changes.ts';
import { synthesize } from '../../../src/phases/discussion/synthesize.ts';
import { answer, inputOf, solution } from './make.ts';

const { solutions } = synthesize(
  inputOf([
    answer('codex', { checked: [solution('codex', 'bucket'), solution('codex', 'quota')] }),
  ]),
);
const [first, second] = solutions;
if (first === undefined || second === undefined) throw new Error('two solutions were expected');

test('in a first round nothing is new', () => {
  expect(changedSolutions(null, { solutions })).toEqual({
    new_solutions: [],
    revised_solutions: [],
    dropped_solutions: [],
  });
});

test('later a solution is new, revised or dropped by its id', () => {
  const plan = { ...first.implementation_plan, approach: 'Refill by a timer.' };
  const later = [
    { ...first, rank_score: 0.1, implementation_plan: plan },
    { ...second, id: 'S9', name: 'A third way' },
  ];
  expect(changedSolutions({ solutions }, { solutions: later })).toEqual({
    new_solutions: ['A third way'],
    revised_solutions: [first.name],
    dropped_solutions: [second.name],
  });
});

test('another rank or stance alone is no revision', () => {
  const later = solutions.map((one) => ({ ...one, rank_score: 0, label: 'Z', stances: [] }));
  expect(changedSolutions({ solutions }, { solutions: later }).revised_solutions).toEqual([]);
});
