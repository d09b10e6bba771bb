import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { savedRig } from '../../helpers/saved-sessions.ts';
import { type Terminal, inTerminal } from '../../helpers/terminal.ts';

const remove = '\u001b[3~';
const down = '\u001b[B';
const clear = '\u0015';
const interrupt = '\u0003';
const pasted = (text: string) => `\u001b[200~${text}\u001b[201~`;

/** Writes them so many ms apart, as a slow line or a busy machine delivers keys. */
async function write(terminal: Terminal, gap: number, ...pieces: readonly string[]): Promise<void> {
  for (const piece of pieces) {
    terminal.pty.write(piece);
    if (gap > 0) await sleep(gap);
  }
}

async function picker(): Promise<Terminal> {
  const terminal = inTerminal(await savedRig(['Add a count command', 'Add a flag']), ['resume']);
  await terminal.shows('2 sessions');
  return terminal;
}

test('keys act in the order in which they came, however far apart they arrive', async () => {
  const terminal = await picker();
  for (const gap of [0, 1, 3, 5, 8, 12]) {
    // Each letter after `delete` answers its question, and only the last one is searched for.
    const asked = [remove, 'n', remove, '\r', remove, 'n'];
    await write(terminal, gap, clear, 'count', ...asked, 'x');
    await terminal.shows('search › countx');
    await terminal.shows('0 of 2');
    await write(terminal, gap, clear, 'fl', pasted('a g'), remove, pasted('y'), 'n', 'z');
    await terminal.shows('search › fla gz');
  }
  await write(terminal, 1, clear, 'count', remove, 'y');
  await terminal.shows('Removed MCP-add-a-count');
});

test('much that arrives at once is taken quickly, and Ctrl-C before all that waits', async () => {
  const terminal = await picker();
  await write(terminal, 0, 'many words '.repeat(2_000), 'end');
  await terminal.shows('words end');
  await write(terminal, 0, clear, down.repeat(3_000), interrupt);
  expect(await terminal.ended()).toBe(0);
});
