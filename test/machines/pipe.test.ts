// Tests agents on other machines over a pipe: what travels, what comes back, what is left.
import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { Receipt } from '../../src/model/receipt.ts';
import { approvedRig, todoEdits } from '../helpers/executed-rig.ts';
import type { Rig } from '../helpers/rig.ts';
import { short } from '../helpers/short-form.ts';
import { todoTask } from '../helpers/todo-project.ts';
import { twoVendors } from '../helpers/todo-vendors.ts';
import { withMachines } from './machine-rig.ts';

/** Where the agents of the newest session ran, as `alpha on east`. */
function places(rig: Rig): readonly string[] {
  const receipts = globSync('**/receipt*.json', { cwd: rig.session() }).map((path) =>
    Receipt.parse(JSON.parse(readFileSync(`${rig.session()}/${path}`, 'utf8'))),
  );
  return [...new Set(receipts.map(({ agent, machine }) => `${agent} on ${machine}`))].toSorted();
}

test('a plan is made by agents on two machines, to each of which the base goes once', short, async () => {
  const rig = await twoVendors();
  rig.write('src/new.js', 'export const fresh = 1;\n');
  rig.write('.env', 'API_KEY=abcdefgh12345678abcdefgh\n');
  const { east, west } = await withMachines(rig, { east: ['alpha'], west: ['beta'] });
  const { code, stderr } = await rig.conclave('plan', '--auto-yes', todoTask);
  expect(stderr).toBe('');
  expect(code).toBe(0);
  expect(places(rig)).toEqual(['alpha on east', 'beta on west']);
  for (const machine of [east, west]) {
    expect(machine?.kept('repositories')).toHaveLength(1);
    expect(machine?.kept('trees')).toEqual([]);
    expect(machine?.kept('answers')).toEqual([]);
    expect(machine?.processes()).toEqual([]);
  }
});

test('tasks are done on a machine, and come home as work done here does', short, async () => {
  const rig = await approvedRig(todoEdits);
  const { east } = await withMachines(rig, { east: ['alpha', 'beta'] });
  const { code, stderr } = await rig.conclave('execute', '-y', '--apply');
  expect(stderr).toBe('');
  expect(code).toBe(0);
  expect(places(rig)).toContain('alpha on east');
  expect(rig.read('src/commands/list.js')).toContain('--json');
  expect(rig.read('src/format.js')).toContain('export const a');
  expect(east?.processes()).toEqual([]);
  const shape = z.object({ tasks: z.array(z.object({ state: z.string() })) });
  void shape;
});
