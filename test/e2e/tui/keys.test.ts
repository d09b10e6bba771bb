import { existsSync, writeSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { pictureEnd } from '../../helpers/open-terminal.ts';
import { approvedRig } from '../../helpers/executed-rig.ts';
import { plannedRig } from '../../helpers/planned-rig.ts';
import type { Rig } from '../../helpers/rig.ts';
import { savedRig } from '../../helpers/saved-sessions.ts';
import { inTerminal, type Terminal } from '../../helpers/terminal.ts';
import { todoTask } from '../../helpers/todo-project.ts';
import { twoVendors } from '../../helpers/todo-vendors.ts';

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

/**
 * The program stopped in the moment in which something is first on its screen. Where the machine
 * was too slow for that, because the key is offered already, it is tried again.
 */
async function stoppedAt(
  open: () => Terminal,
  shows: string,
  offers: string,
): Promise<{ readonly terminal: Terminal; readonly goOn: () => void }> {
  for (let tries = 0; tries < 5; tries += 1) {
    const terminal = open();
    const { pid } = terminal.pty;
    const watch = terminal.pty.onData(() => {
      const at = terminal.bytes().indexOf(shows);
      if (at === -1 || !terminal.bytes().includes(pictureEnd, at)) return;
      process.kill(pid, 'SIGSTOP');
      watch.dispose();
    });
    const screen = await terminal.shows(shows);
    if (!screen.includes(offers)) return { terminal, goOn: () => process.kill(pid, 'SIGCONT') };
    process.kill(pid, 'SIGCONT');
  }
  throw new Error(`${offers} was there as soon as ${shows}`);
}

/** At once: when this returns, the terminal has it. */
function pressNow({ pty }: Terminal, bytes: string): void {
  // Not among the types: the terminal's own end.
  if (!('fd' in pty) || typeof pty.fd !== 'number') throw new Error('no fd');
  writeSync(pty.fd, bytes);
}

const isApproved = (rig: Rig) => existsSync(join(rig.session(), 'approval.json'));

test('Enter before a person can have seen the plan does not approve it, and other keys act', async () => {
  const rig = await plannedRig();
  const open = () => inTerminal(rig, ['review', basename(rig.session())]);
  const { terminal, goOn } = await stoppedAt(open, 'Approval', 'enter approve');
  pressNow(terminal, '\r\rc');
  // Not even where all stands still for longer than the key is held back.
  await sleep(600);
  goOn();
  await terminal.shows('A comment on the whole plan');
  terminal.press('esc');
  await terminal.shows('enter approve');
  expect(isApproved(rig)).toBe(false);
  terminal.press('enter');
  await terminal.shows('The plan is approved.');
  expect(isApproved(rig)).toBe(true);
});

test('nor does Enter that is held down since the page before', async () => {
  const rig = await plannedRig();
  const terminal = inTerminal(rig, ['review', basename(rig.session())]);
  await terminal.shows('enter approve');
  terminal.press('c');
  await terminal.shows('enter save it');
  // The first one leaves the empty comment.
  pressNow(terminal, '\r'.repeat(10));
  await terminal.shows('enter approve');
  pressNow(terminal, 'c');
  await terminal.shows('A comment on the whole plan');
  terminal.press('esc');
  await terminal.shows('enter approve');
  expect(isApproved(rig)).toBe(false);
  terminal.press('enter');
  await terminal.shows('The plan is approved.');
});

test('nor does it skip a question of the agents, and what is typed is kept', async () => {
  const rig = await twoVendors(['Pretty or compact JSON?']);
  const asks = () => inTerminal(rig, [todoTask]);
  const { terminal, goOn } = await stoppedAt(asks, '▸ Pretty', 'enter send');
  pressNow(terminal, '\rCompact\r');
  goOn();
  await terminal.shows(/▸ Pretty[^]*Compact[^]*enter send/);
  terminal.press('enter');
  await terminal.shows('enter choose');
});

test('nor does it take an option', async () => {
  const rig = await twoVendors();
  const plans = () => inTerminal(rig, [todoTask]);
  const { terminal, goOn } = await stoppedAt(plans, '▸ 1.', 'enter choose');
  pressNow(terminal, '\r\rd');
  goOn();
  await terminal.shows('enter show the code');
  terminal.press('esc');
  await terminal.shows('enter choose');
});

test('nor does it carry a plan out', async () => {
  const rig = await approvedRig({});
  const open = () => inTerminal(rig, ['execute', basename(rig.session())]);
  const { terminal, goOn } = await stoppedAt(open, '▸ 1 Now', 'enter carry it out');
  pressNow(terminal, '\r\r2');
  goOn();
  await terminal.shows('enter leave it for later');
  terminal.press('1');
  await terminal.shows('enter carry it out');
});
