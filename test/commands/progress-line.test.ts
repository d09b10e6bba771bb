import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { progressLine } from '../../src/commands/progress-line.ts';

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

test('long work has one line that fits the terminal, and it is gone at the end', () => {
  expect(written({ isTTY: true, patience: 0 })).toBe(
    '\rReading files: 1 of\x1b[K\rReading: all\x1b[K\r\x1b[K',
  );
});

test('short work has none, and no file or pipe gets one', () => {
  expect(written({ isTTY: true, patience: Infinity })).toBeNull();
  expect(written({ isTTY: false, patience: 0 })).toBeNull();
});
