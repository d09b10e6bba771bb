import { expect, test } from 'vitest';
import { namer, stancesText } from '../../../src/phases/discussion/label-names.ts';

const solutions = [
  { label: 'A', name: 'Branch in listTodos' },
  { label: 'C', name: 'A formatter module that is chosen in the command line' },
];

test.each([
  ['Smaller than Solution A.', 'Smaller than “Branch in listTodos”.'],
  ['Like option "C", but “A” is shorter', /^Like “A formatter .*”, but “Branch in listTodos” is/],
  ['Solution A’s flag', '“Branch in listTodos”’s flag'],
  ['C handles both, in the order of A', /^“A formatter .*” handles both, in the order of “Branch/],
  ['A branch, as I think, of C++, A.c and C.a', 'A branch, as I think, of C++, A.c and C.a'],
  ['A solution a user wants', 'A solution a user wants'],
  ['Solution B and option C++ and Solution A1', 'Solution B and option C++ and Solution A1'],
])('in “%s” names stand for labels only', (text, expected) => {
  expect(namer(solutions)(text)).toMatch(expected);
});

test('what an agent answered is told by the names of the solutions', () => {
  const stance = { reasons: [], evidence: [] };
  const stances = [
    { solution: 'A', stance: 'support' as const, ...stance },
    { solution: 'C', stance: 'oppose' as const, ...stance },
    { solution: 'D', stance: 'oppose' as const, ...stance },
  ];
  expect(stancesText({ stances, revision: null }, solutions)).toBe(
    'supports “Branch in listTodos”; opposes “A formatter module that is chosen in the co…”',
  );
});
