import { cpSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { survivors } from '../../faults/three-rounds.ts';
import {
  expectGivenBack,
  inShell,
  type TerminalOptions,
  inTerminal,
} from '../../helpers/terminal.ts';
import type { Rig } from '../../helpers/rig.ts';
import { todoTask } from '../../helpers/todo-project.ts';
import { busyVendors, statusOf, twoVendors } from '../../helpers/todo-vendors.ts';

const paper = { columns: 120, rows: 200, environment: { CONCLAVE_SCREEN_READER: '1' } };

test.each<readonly [string, () => Promise<Rig>, RegExp, TerminalOptions]>([
  ['busy agents at 80 × 24', busyVendors, /beta/, { columns: 80, rows: 24 }],
  ['a question at 120 × 40', twoVendors, /enter choose/, { columns: 120, rows: 40 }],
  ['busy agents in plain lines', busyVendors, /beta/, paper],
  ['a question in plain lines', twoVendors, /Option \[1\]/, paper],
])('a terminal that is closed over %s interrupts and saves', async (...given) => {
  const [, rigFor, shows, size] = given;
  const rig = await rigFor();
  const terminal = inTerminal(rig, [todoTask], size);
  await terminal.shows(shows);
  terminal.hangUp();
  await expect.poll(() => survivors(rig)).toEqual([]);
  expect(statusOf(rig)).toBe('interrupted');
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
  expect(terminal.bytes()).toContain('This is a bug in conclave');
  expect(statusOf(rig)).toBe('running');
  await expect.poll(() => survivors(rig)).toEqual([]);
  const again = inTerminal(rig, ['resume', basename(rig.session())]);
  await again.shows('enter choose');
});
