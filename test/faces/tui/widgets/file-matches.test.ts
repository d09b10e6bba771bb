import { expect, test } from 'vitest';
import { fileMatches } from '../../../../src/faces/tui/screens/start/state.ts';

const paths = [
  'README.md',
  'src/cli.ts',
  'src/client/list.ts',
  'src/commands/list.ts',
  'src/commands/long-list.ts',
  'test/list.test.ts',
];

test.each([
  [
    'the beginning of a name goes first, the shorter path before',
    'list',
    [
      'test/list.test.ts',
      'src/client/list.ts',
      'src/commands/list.ts',
      'src/commands/long-list.ts',
    ],
  ],
  [
    'letters with others between them fit',
    'srcli',
    ['src/cli.ts', 'src/client/list.ts', 'src/commands/list.ts', 'src/commands/long-list.ts'],
  ],
  ['large letters are small ones', 'readme', ['README.md']],
  ['a folder fits', 'client/', ['src/client/list.ts']],
  ['nothing fits', 'xyz', []],
])('%s', (_, typed, expected) => {
  expect(fileMatches(paths, typed, 8)).toEqual(expected);
});

test('nothing typed lists some files, and never more than asked for', () => {
  expect(fileMatches(paths, '', 2)).toHaveLength(2);
});
