import { PassThrough } from 'node:stream';
import xterm from '@xterm/headless';
import { expect, test } from 'vitest';
import { tableText } from '../../src/commands/columns.ts';
import { progressLine } from '../../src/commands/output.ts';

test.each([
  ['wide characters', ['日本', '🚀', 'abc'], 'A     B\n日本  1\n🚀    2\nabc   3\n'],
  ['control characters', ['a\u001b[31mb\nc\td\u202e'], 'A       B\nab c d  1\n'],
])('columns start below each other: %s', (_, cells, expected) => {
  const rows = cells.map((cell, at) => [cell, String(at + 1)]);
  expect(tableText({ head: ['A', 'B'], rows })).toBe(expected);
});

test('the last column wraps at words, and where it finds no room each row becomes a block of what it says', () => {
  const head = ['SESSION', 'AGE', 'TASK'];
  const rows = [
    [`MCP-${'x'.repeat(20)}`, '2 d', 'Add a flag that prints the list as JSON'],
    ['MCP-b', '3 d', '-'],
  ];
  expect(tableText({ head, rows, width: 56 })).toBe(`SESSION                   AGE  TASK
MCP-xxxxxxxxxxxxxxxxxxxx  2 d  Add a flag that prints
                               the list as JSON
MCP-b                     3 d  -
`);
  expect(tableText({ head, rows, width: 40 })).toBe(`MCP-xxxxxxxxxxxxxxxxxxxx
  AGE   2 d
  TASK  Add a flag that prints the list
        as JSON
MCP-b
  AGE  3 d
`);
});

test('a line of progress fits the terminal, and is gone at the end, even after Ctrl-C', async () => {
  const emulator = new xterm.Terminal({ cols: 20, rows: 4, allowProposedApi: true });
  const written = new PassThrough({ encoding: 'utf8' });
  const line = progressLine(Object.assign(written, { isTTY: true, columns: 20 }));
  line.say('Reading files: 10000 of 10000');
  written.write('^C^C');
  line.end();
  await new Promise<void>((resolve) => emulator.write(written.read(), resolve));
  const { active } = emulator.buffer;
  const rows = [0, 1, 2, 3].map((row) => active.getLine(row)?.translateToString(true));
  expect(rows).toEqual(['', '', '', '']);
});

test('a file or pipe gets no line of progress', () => {
  const written = Object.assign(new PassThrough(), { isTTY: false, columns: 80 });
  progressLine(written).say('Reading');
  expect(written.read()).toBeNull();
});
