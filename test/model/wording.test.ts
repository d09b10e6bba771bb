import { expect, test } from 'vitest';
import { counted, listed, oneLine, sentence } from '../../src/model/wording.ts';

test('a text becomes one line without runs of white space', () => {
  expect(oneLine('  a\n\tb  c\u00a0d ')).toBe('a b c d');
});

test.each([
  ['Keep it small', 'Keep it small.'],
  ['Is it small?', 'Is it small?'],
  ['小さくする。', '小さくする。'],
])('%s ends like a sentence', (text, expected) => {
  expect(sentence(text)).toBe(expected);
});

test('one thing is counted in the singular, none and several in the plural', () => {
  expect([0, 1, 2].map((count) => counted(count, 'task'))).toEqual([
    '0 tasks',
    '1 task',
    '2 tasks',
  ]);
  expect(counted(2, 'process', 'processes')).toBe('2 processes');
});

test('names are joined by commas and an "and" before the last', () => {
  const lists = [[], ['a'], ['a', 'b'], ['a', 'b', 'c']];
  expect(lists.map(listed)).toEqual(['', 'a', 'a and b', 'a, b and c']);
});
