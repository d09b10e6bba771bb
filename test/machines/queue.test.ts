// Tests agents that machines pull from a queue on a real Postgres.
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { describe, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { until } from '../agents/agent-room.ts';
import { approvedRig, checkedEdits, checkedPlan } from '../helpers/executed-rig.ts';
import type { Rig } from '../helpers/rig.ts';
import { short } from '../helpers/short-form.ts';
import { todoTask } from '../helpers/todo-project.ts';
import { twoVendors } from '../helpers/todo-vendors.ts';
import { editScript, type FakeMachine, makeMachine, placesOf, witnessOf } from './machine-rig.ts';
import { type Database, hasPostgres, startPostgres } from './postgres.ts';

const queueTables = (database: Database, key = 'shared key') => `
[queue]
url_command = ["echo", ${JSON.stringify(database.url)}]
key_command = ["echo", ${JSON.stringify(key)}]
`;

/** Starts a worker of the queue on a machine; it ends with the test. */
function startWorker(machine: FakeMachine): { kill(signal: NodeJS.Signals): void } {
  const [command = '', ...args] = machine.command;
  const child = spawn(command, [...args, '--queue'], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { PATH: process.env['PATH'] },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  return { kill: (signal) => void child.kill(signal) };
}

/** An owner whose agents are run by the workers of the queue on these machines. */
async function pooled(
  rig: Rig,
  database: Database,
  names: readonly string[],
): Promise<FakeMachine[]> {
  const own = `${rig.configured()}${queueTables(database)}`;
  const machines = names.map((name) => makeMachine(rig, name, own));
  rig.config(`${own}\n[machines.pool]\nagents = ["alpha", "beta"]\nslots = 8\n`);
  await rig.conclave('machines', 'allow', 'pool');
  return machines;
}

/** Waits until so many workers have announced themselves. */
async function workersAt(rig: Rig, count: number): Promise<void> {
  const shape = z.object({ machines: z.array(z.object({ repositories: z.number().nullable() })) });
  for (;;) {
    const { stdout } = await rig.conclave('machines', '--json');
    if (shape.parse(JSON.parse(stdout)).machines[0]?.repositories === count) return;
  }
}

describe.skipIf(!hasPostgres)('by the queue', () => {
  test('a plan and its tasks are done by workers that pull them', short, async () => {
    const database = await startPostgres();
    const rig = await approvedRig(checkedEdits, { plan: checkedPlan });
    const [east, west] = await pooled(rig, database, ['east', 'west']);
    if (east === undefined || west === undefined) throw new Error('no machines');
    startWorker(east);
    startWorker(west);
    await workersAt(rig, 2);
    const { code, stderr } = await rig.conclave('execute', '-y', '--apply');
    expect(stderr).toBe('');
    expect(code).toBe(0);
    expect(placesOf(rig)).toContain('alpha on pool');
    expect(rig.read('src/format.js')).toContain('export const formatJson');
  });

  test('a run whose worker is killed moves to another one', async () => {
    const database = await startPostgres();
    const rig = await twoVendors();
    const machines = await pooled(rig, database, ['east', 'west']);
    for (const { home } of machines)
      editScript(`${home}/beta.json`, (script) => ({
        ...script,
        propose: { ...script['propose'], waits_for: ['go', 'yes'] },
      }));
    const workers = machines.map(startWorker);
    await workersAt(rig, 2);
    const owner = rig.conclave('plan', '--auto-yes', todoTask);
    const at = () => machines.findIndex((one) => witnessOf(one, 'beta').length > 0);
    await until('beta was asked', () => at() !== -1);
    const first = at();
    workers[first]?.kill('SIGKILL');
    for (const { home } of machines) writeFileSync(`${home}/go`, 'yes');
    const { code, stderr } = await owner;
    expect(stderr).toBe('');
    expect(code).toBe(0);
    const other = machines[1 - first];
    expect(other === undefined ? [] : witnessOf(other, 'beta')).not.toEqual([]);
  });
});
