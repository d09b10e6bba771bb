import { array, assert, property, string, tuple } from 'fast-check';
import { expect, test } from 'vitest';
import { tableText } from '../../src/commands/output.ts';
import stringWidth from 'string-width';

test('columns start below each other, whatever is in them', () => {
  const text = tableText({
    head: ['A', 'B'],
    rows: [
      ['日本', 'x'],
      ['🚀', 'y'],
      ['abc', 'z'],
    ],
  });
  expect(text).toBe('A     B\n日本  x\n🚀    y\nabc   z\n');
});

test('what a terminal would act on is taken out, and a cell stays one line', () => {
  const text = tableText({ head: ['A'], rows: [['a\u001b[31mb\nc\td\u202e']] });
  expect(text).toBe('A\nab c d\n');
});

test('only the last column is cut, between whole characters', () => {
  const row = ['first', '日本語の長い文'];
  expect(tableText({ head: ['A', 'B'], rows: [row], width: 16 })).toBe(
    'A      B\nfirst  日本語の…\n',
  );
});

test('no row is wider than it may be, and none ends in blanks', () => {
  const cell = string({ unit: 'grapheme', maxLength: 30 });
  assert(
    property(array(tuple(cell, cell), { maxLength: 5 }), (rows) => {
      const lines = tableText({ head: ['A', 'B'], rows, width: 90 })
        .split('\n')
        .slice(0, -1);
      expect(lines).toHaveLength(rows.length + 1);
      for (const line of lines) {
        expect(stringWidth(line)).toBeLessThanOrEqual(90);
        expect(line).toBe(line.trimEnd());
      }
    }),
  );
});
