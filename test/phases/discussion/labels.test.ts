import { expect, test } from 'vitest';
import { namer, stancesText } from '../../../src/phases/discussion/labels.ts';

const solutions = [
  { label: 'A', name: 'Branch in listTodos' },
  { label: 'C', name: 'A formatter module that is chosen in the command line' },
];

test.each([
  ['Smaller than [A].', 'Smaller than “Branch in listTodos”.'],
  [
    '[C] handles both, in the order of [A]',
    /^“A formatter .*” handles both, in the order of “Branch/,
  ],
  [
    'By tree.go:848, as A does, C++ and Solution C',
    'By tree.go:848, as A does, C++ and Solution C',
  ],
  ['List[A] and [A](a.md) and [B] and a[0][C]', 'List[A] and [A](a.md) and [B] and a[0][C]'],
])('in “%s” names stand for labels in brackets only', (text, expected) => {
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
