import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { expectGivenBack, inShell, inTerminal } from '../helpers/terminal.ts';
import { type Rig, program } from '../helpers/rig.ts';
import { todoRig } from '../helpers/test-rig.ts';
import { todoTask } from '../helpers/todo-project.ts';
import { busyVendors, statusOf, twoVendors } from '../helpers/todo-vendors.ts';
import { survivors } from './three-rounds.ts';

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
    ['while agents run', busyVendors, 'beta'],
    ['while a question waits', twoVendors, 'enter choose'],
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

test('an agent that is killed is replaced or named, and the screen goes on', async () => {
  const rig = await busyVendors();
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
  await first.shows('enter choose');
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
