import { cpSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { survivors } from '../../faults/three-rounds.ts';
import { type Rig, program } from '../../helpers/rig.ts';
import { type Terminal, inTerminal } from '../../helpers/terminal.ts';
import { todoRig } from '../../helpers/test-rig.ts';
import { todoTask } from '../../helpers/todo-project.ts';
import { twoVendors } from '../../helpers/todo-vendors.ts';
import { configureVendors, listSolution } from '../../helpers/vendors.ts';

const statusOf = (rig: Rig) => {
  const { status }: { status: string } = JSON.parse(
    readFileSync(join(rig.session(), 'session-state.json'), 'utf8'),
  );
  return status;
};

/** Agents that never answer, in a session that runs. */
async function busyRig(): Promise<Rig> {
  const rig = await todoRig();
  const solutions = [listSolution()];
  const busy = { propose: { delay_ms: 600_000, answer: { solutions, questions: [] } } };
  configureVendors(rig, { alpha: busy, beta: busy });
  return rig;
}

/** The program in a shell that says afterwards how the terminal is set. */
function inShell(rig: Rig, args: readonly string[], entry = program): Terminal {
  const script = 'stty -a > "$HOME/before"; "$@"; echo "ended with $?"; stty -a > "$HOME/after"';
  const shell = ['-c', script, 'sh', process.execPath, entry, ...args];
  return inTerminal(rig, shell, { file: '/bin/sh' });
}

/** On the alternate screen no more, the cursor there again, and the line settings as before. */
function expectGivenBack(rig: Rig, terminal: Terminal): void {
  const bytes = terminal.bytes();
  expect(bytes.lastIndexOf('\u001b[?1049l')).toBeGreaterThan(bytes.lastIndexOf('\u001b[?1049h'));
  expect(bytes.lastIndexOf('\u001b[?25h')).toBeGreaterThan(bytes.lastIndexOf('\u001b[?25l'));
  // Pasting is only asked for where text is typed.
  const paste = bytes.lastIndexOf('\u001b[?2004h');
  expect(bytes.lastIndexOf('\u001b[?2004l')).toBeGreaterThanOrEqual(paste);
  const [before, after] = ['before', 'after'].map((name) =>
    readFileSync(join(rig.home, name), 'utf8'),
  );
  expect(after).toBe(before);
}

describe.each(['SIGHUP', 'SIGTERM'] as const)('%s', (signal) => {
  test('before anything was begun gives the terminal back', async () => {
    const rig = await todoRig();
    const terminal = inShell(rig, []);
    await terminal.shows('✓ history');
    const [pid = 0] = programsOf(rig);
    process.kill(pid, signal);
    await terminal.shows(/ended with 1\d\d/);
    expect(await terminal.ended()).toBe(0);
    expectGivenBack(rig, terminal);
  });

  test.each([
    ['while agents run', busyRig, 'beta'],
    ['while a question waits', twoVendors, 'take it'],
  ] as const)('%s saves, and nobody is left', async (_, rigFor, shows) => {
    const rig = await rigFor();
    const terminal = inShell(rig, [todoTask]);
    await terminal.shows(shows);
    const [pid = 0] = programsOf(rig);
    process.kill(pid, signal);
    await terminal.shows('ended with 130');
    expect(await terminal.ended()).toBe(0);
    expectGivenBack(rig, terminal);
    expect(terminal.screen().replaceAll('\n', '')).toContain(basename(rig.session()));
    expect(statusOf(rig)).toBe('interrupted');
    await expect.poll(() => survivors(rig), { timeout: 5_000 }).toEqual([]);
  });
});

test.each([
  ['the terminal UI at 80 × 24', [], { columns: 80, rows: 24 }],
  ['the terminal UI at 120 × 40', [], { columns: 120, rows: 40 }],
  ['plain lines', ['--screen-reader'], { columns: 120, rows: 200 }],
])('a terminal that is closed over %s interrupts and saves', async (_, flags, size) => {
  for (const [rigFor, shows] of [
    [busyRig, /beta/],
    [twoVendors, /take it|Option \[1\]/],
  ] as const) {
    const rig = await rigFor();
    const terminal = inTerminal(rig, [...flags, todoTask], size);
    await terminal.shows(shows);
    terminal.hangUp();
    await expect.poll(() => survivors(rig), { timeout: 10_000 }).toEqual([]);
    expect(statusOf(rig)).toBe('interrupted');
  }
});

test('an agent that is killed is replaced or named, and the screen goes on', async () => {
  const rig = await busyRig();
  const terminal = inShell(rig, [todoTask]);
  await terminal.shows('beta');
  await expect.poll(() => agentsOf(rig).length).toBe(2);
  for (const pid of agentsOf(rig)) process.kill(pid, 'SIGKILL');
  await terminal.shows(/killed|SIGKILL|crashed/);
  terminal.press('ctrl+c', 'enter');
  await terminal.shows('conclave resume');
  terminal.press('enter');
  await terminal.shows('ended with 130');
  await terminal.ended();
  expectGivenBack(rig, terminal);
  await expect.poll(() => survivors(rig), { timeout: 5_000 }).toEqual([]);
});

test('a session that is damaged meanwhile ends with one sentence on a terminal as it was', async () => {
  const rig = await twoVendors();
  const first = inTerminal(rig, [todoTask]);
  await first.shows('take it');
  first.press('ctrl+c', 'enter');
  await first.shows('conclave resume');
  first.press('enter');
  await first.ended();
  writeFileSync(join(rig.session(), 'journal.jsonl'), 'none\nno\n');
  const terminal = inShell(rig, ['resume', basename(rig.session())]);
  await terminal.shows('ended with 9');
  await terminal.ended();
  expectGivenBack(rig, terminal);
  expect(terminal.screen().replaceAll('\n', '')).toMatch(/conclave: .*damaged/);
});

test('an exception is told as a bug on a terminal as it was', async () => {
  const rig = await twoVendors();
  // An installation of which a part is missing: no question can be made without the templates.
  const root = new URL('../../../', import.meta.url).pathname;
  for (const part of ['dist', 'schemas', 'package.json']) {
    cpSync(join(root, part), join(rig.home, 'broken', part), { recursive: true });
  }
  const terminal = inShell(rig, [todoTask], join(rig.home, 'broken/dist/cli.js'));
  await terminal.shows('ended with 1');
  await terminal.ended();
  expectGivenBack(rig, terminal);
  expect(terminal.screen()).toContain('This is a bug in conclave');
  expect(statusOf(rig)).toBe('running');
  await expect.poll(() => survivors(rig), { timeout: 5_000 }).toEqual([]);
  const again = inTerminal(rig, ['resume', basename(rig.session())]);
  await again.shows('take it');
});

function programsOf(rig: Rig): readonly number[] {
  const own = `${process.execPath}\0${program}`;
  return survivors(rig).filter((pid) => commandOf(pid).startsWith(own));
}

function agentsOf(rig: Rig): readonly number[] {
  return survivors(rig).filter((pid) => commandOf(pid).includes('vendor.mjs'));
}

function commandOf(pid: number): string {
  return readdirSync('/proc').includes(String(pid))
    ? readFileSync(`/proc/${pid}/cmdline`, 'utf8')
    : '';
}
