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

  test('what is signed with another key is run by nobody, and that is told', async () => {
    const database = await startPostgres();
    const rig = await twoVendors();
    const [east] = await pooled(rig, database, ['east']);
    if (east === undefined) throw new Error('no machine');
    startWorker(east);
    await workersAt(rig, 1);
    rig.config(rig.configured().replace('shared key', 'key of somebody else'));
    const { stdout } = await rig.conclave('plan', '--auto-yes', todoTask);
    expect(stdout).toContain('what came by the queue was signed with another key');
    expect(witnessOf(east, 'alpha')).toEqual([]);
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

test.each([
  ['postgres://conclave:hidden-word-7@127.0.0.1:1/none', 'ECONNREFUSED'],
  ['no address at all', 'cannot be used'],
])('a queue at %j is not used, and its password is never told', async (url, why) => {
  const rig = await twoVendors();
  const tables = queueTables({ url, stop: async () => undefined });
  rig.config(`${rig.configured()}${tables}\n[machines.pool]\nagents = ["alpha"]\n`);
  const { stdout, stderr } = await rig.conclave('machines');
  expect(stdout).toContain('pool  the queue cannot be used:');
  expect(stdout).toContain(why);
  expect(`${stdout}${stderr}`).not.toContain('hidden-word-7');
});

test('a queue without a key or an address is refused with the setting that is missing', async () => {
  const rig = await twoVendors();
  const own = rig.configured();
  rig.config(`${own}\n[machines.pool]\nagents = ["alpha"]\n`);
  expect((await rig.conclave('machines')).stdout).toContain('set CONCLAVE_QUEUE');
  rig.config(`${own}\n[queue]\nurl_command = ["echo", "x"]\n[machines.pool]\nagents = ["alpha"]\n`);
  expect((await rig.conclave('machines')).stdout).toContain('set queue.key_command');
});
