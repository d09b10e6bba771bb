import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import xterm from '@xterm/headless';
import { array, assert, property, string, tuple } from 'fast-check';
import { expect, test } from 'vitest';
import { progressLine, tableText } from '../../src/commands/output.ts';
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

test('cells wrap at words, and columns that find no room go on below', () => {
  const head = ['SESSION', 'AGE', 'TASK'];
  const task = 'Add a flag that prints the list as JSON';
  const rows = [
    [`MCP-${'x'.repeat(20)}`, '2 d', task],
    ['MCP-b', '3 d', ''],
  ];
  expect(tableText({ head, rows, width: 56 })).toBe(`SESSION                   AGE  TASK
MCP-xxxxxxxxxxxxxxxxxxxx  2 d  Add a flag that prints
                               the list as JSON
MCP-b                     3 d
`);
  expect(tableText({ head, rows, width: 40 })).toBe(`SESSION                   AGE
    TASK
MCP-xxxxxxxxxxxxxxxxxxxx  2 d
    Add a flag that prints the list as
    JSON
MCP-b                     3 d
`);
});

test('no row is wider than it may be, and none ends in blanks', () => {
  const cell = string({ unit: 'grapheme', maxLength: 60 });
  assert(
    property(array(tuple(cell, cell), { maxLength: 5 }), (rows) => {
      const lines = tableText({ head: ['A', 'B'], rows, width: 90 })
        .split('\n')
        .slice(0, -1);
      for (const line of lines) {
        expect(stringWidth(line)).toBeLessThanOrEqual(90);
        expect(line).toBe(line.trimEnd());
      }
    }),
  );
});

/** What a terminal of 20 columns gets of two words and the end. */
function written({ isTTY, patience }: { readonly isTTY: boolean; readonly patience: number }) {
  const terminal = Object.assign(new PassThrough({ encoding: 'utf8' }), { isTTY, columns: 20 });
  const line = progressLine(terminal, patience);
  line.say('Reading files: 1 of 9');
  line.say('Reading: all');
  line.end();
  line.end();
  return terminal.read();
}

test('its end leaves nothing behind where the terminal has echoed Ctrl-C', async () => {
  const emulator = new xterm.Terminal({ cols: 20, rows: 4, allowProposedApi: true });
  const terminal = Object.assign(new PassThrough({ encoding: 'utf8' }), {
    isTTY: true,
    columns: 20,
  });
  const line = progressLine(terminal, 0);
  line.say('Reading files: 10000 of 10000');
  terminal.write('^C^C');
  line.end();
  await new Promise<void>((resolve) => emulator.write(terminal.read(), resolve));
  const { active } = emulator.buffer;
  const rows = [0, 1, 2, 3].map((row) => active.getLine(row)?.translateToString(true));
  expect(rows).toEqual(['', '', '', '']);
});

test('long work has one line that fits the terminal, and it is gone at the end', () => {
  expect(written({ isTTY: true, patience: 0 })).toBe(
    '\rReading files: \x1b[K\rReading: all\x1b[K\r\x1b[K',
  );
});

test('what was said too early is shown once the time has come', async () => {
  const terminal = Object.assign(new PassThrough({ encoding: 'utf8' }), { isTTY: true });
  const line = progressLine(terminal, process.uptime() * 1000 + 30);
  line.say('Listing');
  line.say('Searching');
  await once(terminal, 'readable');
  line.end();
  expect(terminal.read()).toBe('\rSearching\x1b[K\r\x1b[K');
});

test('short work has none, and no file or pipe gets one', () => {
  expect(written({ isTTY: true, patience: Infinity })).toBeNull();
  expect(written({ isTTY: false, patience: 0 })).toBeNull();
});
