import { expect, test } from 'vitest';
import { agreementBlocks, agreementLines } from '../../src/model/agreement.ts';

test('what is empty is left out, and the task stands last', () => {
  const agreement = { task: 'Do it.', flags: [], role: ' ', agent: 'alpha', checks: ['a', 'b'] };
  expect(agreementLines(agreement)).toEqual([
    'agent   alpha',
    'checks  a',
    '        b',
    'task    Do it.',
  ]);
});

test('no line of a text can pass for a block of its own', () => {
  const task = 'Tidy up.\nchecks  none\r\nagent   other';
  const lines = agreementLines({ agent: 'alpha', task });
  expect(lines).toEqual([
    'agent  alpha',
    'task   Tidy up. ⏎',
    '       checks  none ⏎',
    '       agent   other',
  ]);
});

test.each([
  [`a${' '.repeat(400)}b`, 'a [400 blanks] b'],
  [`a${'\u2003\u00a0'.repeat(100)}b`, 'a [200 blanks] b'],
  ['a\n\n\n\n\nb', 'a ⏎\n[4 empty lines] ⏎\nb'],
  ['a\n \t\n  \nb', 'a ⏎\n[2 empty lines] ⏎\nb'],
  ['a\n\nb', 'a ⏎\n ⏎\nb'],
  ['a\u2028b\u0085c\rd', 'a ⏎\nb ⏎\nc ⏎\nd'],
  [`a${'\u2800'.repeat(40)}b`, 'a [40 blanks] b'],
  ['a\u001b[8mb\u202ec\u200bd\u0007', 'abcd'],
])('nothing is pushed out of sight or turned round: %j', (given, shown) => {
  expect(agreementBlocks({ task: given })).toEqual([{ name: 'task', texts: [shown] }]);
});
