// Tests agents that machines pull from a queue on a real Postgres.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { writeFileSync } from 'node:fs';
import { describe, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { type Agent, type AgentRequest, bareTraits } from '../../src/agents/agent.ts';
import { reachPool } from '../../src/machines/queue-machine.ts';
import { machineBy } from '../../src/machines/run-elsewhere.ts';
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

const agentNamed = (name: string): Agent => ({
  name,
  traits: bareTraits(name),
  kind: 'model',
  ready: async () => ({ state: 'ready', path: null, version: null }),
  vendorOf: () => null,
  run: () => {
    throw new Error('it runs elsewhere');
  },
});

function requestIn(rig: Rig, number: number): AgentRequest {
  const limits = { firstOutputMs: Infinity, idleMs: Infinity, totalMs: Infinity, graceMs: 1_000 };
  return {
    prompt: 'Go.',
    about: null,
    role: null,
    schema: null,
    model: null,
    resume: null,
    permission: 'edit',
    cwd: rig.repo,
    extraDirs: [],
    hidden: [],
    mark: `run-${number}`,
    rawOutput: join(rig.home, `raw/${number}.jsonl`),
    limits,
  };
}

/** The most runs that were under way at one moment, of those that ended. */
function mostAtOnce(machines: readonly FakeMachine[]): number {
  const lines = machines.flatMap((one) => witnessOf(one, 'alpha')).map((line) => line.split(' '));
  const ends = new Map(
    lines.flatMap(([word, , pid, at]) => (word === 'end' ? [[pid, Number(at)]] : [])),
  );
  const runs = lines.flatMap(([word, , pid, at]) => {
    const end = ends.get(pid);
    return word === 'start' && end !== undefined ? [{ from: Number(at), to: end }] : [];
  });
  return Math.max(
    ...runs.map(({ from }) => runs.filter((one) => one.from <= from && from < one.to).length),
  );
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
    const { code, stderr, stdout } = await rig.conclave('execute', '-y', '--apply');
    expect(stderr, stdout).toBe('');
    expect(code).toBe(0);
    expect(placesOf(rig)).toContain('alpha on pool');
    expect(rig.read('src/format.js')).toContain('export const formatJson');
  });

  test(
    '200 runs end once each although a worker is killed, and an account has no more at once than it may',
    { timeout: 900_000 },
    async () => {
      const database = await startPostgres();
      const rig = await twoVendors();
      const machines = await pooled(rig, database, ['east', 'west']);
      for (const { home } of machines)
        editScript(`${home}/alpha.json`, (script) => ({
          ...script,
          else: { answer: 'Done.', delay_ms: 100 },
        }));
      const workers = machines.map(startWorker);
      await workersAt(rig, 2);
      const pool = machineBy(
        await reachPool('pool', {
          folder: join(rig.home, 'sent'),
          environment: rig.environment,
          graceMs: 1_000,
          url: database.url,
          key: 'shared key',
        }),
      );
      onTestFinished(async () => void (await pool.close()));
      const agent = agentNamed('alpha');
      const signal = new AbortController().signal;
      const runs = Array.from({ length: 200 }, async (_, number) => {
        const asked = { request: requestIn(rig, number), setUp: null, atOnce: 3 };
        const events = pool.run(agent, asked, signal);
        let step = await events.next();
        while (step.done !== true) step = await events.next();
        return step.value.ok;
      });
      const begun = () =>
        machines
          .flatMap((one) => witnessOf(one, 'alpha'))
          .filter((line) => line.startsWith('start')).length;
      await until('a quarter has begun', () => begun() > 50);
      workers[0]?.kill('SIGKILL');
      expect((await Promise.all(runs)).filter(Boolean)).toHaveLength(200);
      // Only what was under way is done again: on a busy machine, a heartbeat of the other worker may be late.
      expect(begun()).toBeLessThanOrEqual(200 + 4);
      expect(mostAtOnce(machines)).toBeLessThanOrEqual(3);
    },
  );

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
