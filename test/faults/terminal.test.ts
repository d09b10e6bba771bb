import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { type Rig, program } from '../helpers/rig.ts';
import { expectGivenBack, inShell } from '../helpers/terminal.ts';
import { todoTask } from '../helpers/todo-project.ts';
import { busyVendors, statusOf, twoVendors } from '../helpers/todo-vendors.ts';
import { survivors } from './three-rounds.ts';

test('SIGTERM before anything was begun gives the terminal back', async () => {
  const rig = await twoVendors();
  const terminal = inShell(rig, []);
  await terminal.shows('✓ history');
  kill(rig, program, 'SIGTERM');
  await terminal.shows(/ended with 1\d\d/);
  expect(await terminal.ended()).toBe(0);
  expectGivenBack(rig, terminal);
});

test.each([
  ['SIGHUP', 'while agents run', busyVendors, 'beta'],
  ['SIGTERM', 'while a question waits', twoVendors, 'enter choose'],
] as const)('%s %s saves, and nobody is left', async (signal, _, rigFor, shows) => {
  const rig = await rigFor();
  const terminal = inShell(rig, [todoTask]);
  await terminal.shows(shows);
  kill(rig, program, signal);
  await terminal.shows('ended with 130');
  expect(await terminal.ended()).toBe(0);
  expectGivenBack(rig, terminal);
  expect(terminal.screen().replaceAll('\n', '')).toContain(basename(rig.session()));
  expect(statusOf(rig)).toBe('interrupted');
  await expect.poll(() => survivors(rig)).toEqual([]);
  writeFileSync(join(rig.session(), 'journal.jsonl'), 'none\nno\n');
  const again = inShell(rig, ['resume', basename(rig.session())]);
  await again.shows('ended with 9');
  await again.ended();
  expectGivenBack(rig, again);
  expect(again.screen().replaceAll('\n', '')).toMatch(/conclave: .*damaged/);
});

test('an agent that is killed is replaced or named, and the screen goes on', async () => {
  const rig = await busyVendors();
  const terminal = inShell(rig, [todoTask]);
  await terminal.shows('beta');
  await expect.poll(() => kill(rig, 'vendor.mjs', 0)).toBe(2);
  kill(rig, 'vendor.mjs', 'SIGKILL');
  await terminal.shows(/killed|SIGKILL|crashed/);
  terminal.press('ctrl+c', 'enter');
  await terminal.shows('conclave resume');
  terminal.press('enter');
  await terminal.shows('ended with 130');
  await terminal.ended();
  expectGivenBack(rig, terminal);
  await expect.poll(() => survivors(rig)).toEqual([]);
});

/** Signals the node processes of this rig with such a command line; returns how many there are. */
function kill(rig: Rig, command: string, signal: NodeJS.Signals | 0): number {
  const found = survivors(rig).filter((pid) => {
    const line = commandOf(pid);
    // The arguments of the shell around a program contain node, too.
    return line.startsWith(`${process.execPath}\0`) && line.includes(command);
  });
  for (const pid of found) process.kill(pid, signal);
  return found.length;
}

function commandOf(pid: number): string {
  return readdirSync('/proc').includes(String(pid))
    ? readFileSync(`/proc/${pid}/cmdline`, 'utf8')
    : '';
}
