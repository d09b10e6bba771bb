// Tests agents that machines pull from a queue on a real Postgres.
import { hostname } from 'node:os';
import { join } from 'node:path';
import { writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { Undone } from '../../src/machines/run-facts.ts';
import { ExecutionResult } from '../../src/model/execution.ts';
import { neverAborted } from '../../src/model/signal.ts';
import { sha256Of } from '../../src/store/digest.ts';
import { until } from '../agents/agent-room.ts';
import { approvedRig, checkedEdits, checkedPlan } from '../helpers/executed-rig.ts';
import { short } from '../helpers/short-form.ts';
import { todoTask } from '../helpers/todo-project.ts';
import { twoVendors } from '../helpers/todo-vendors.ts';
import { editScript, type FakeMachine, placesOf, setUpRig, witnessOf } from './machine-rig.ts';
import { hasPostgres, startPostgres } from './postgres.ts';
import {
  bareRun,
  pooled,
  poolOf,
  queueTables,
  requestIn,
  startWorker,
  workersAt,
} from './queue-rig.ts';

const fail = (): never => {
  throw new Error('no machine');
};

/** The most runs that were under way at one moment; one without an end ended with its worker. */
function mostAtOnce(machines: readonly FakeMachine[], killedAt: number): number {
  const lines = machines.flatMap((one) => witnessOf(one, 'alpha')).map((line) => line.split(' '));
  const ends = new Map(
    lines.flatMap(([word, , pid, at]) => (word === 'end' ? [[pid, Number(at)]] : [])),
  );
  const runs = lines.flatMap(([word, , pid, at]) => {
    return word === 'start' ? [{ from: Number(at), to: ends.get(pid) ?? killedAt }] : [];
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
      const workers = machines.map((one) => startWorker(one));
      await workersAt(rig, 2);
      const pool = await poolOf(rig, database);
      const runs = Array.from({ length: 200 }, async (_, number) => {
        const asked = { ...bareRun, request: requestIn(rig, number), atOnce: 3 };
        return (await pool.run('alpha', asked, neverAborted)).ok;
      });
      const begun = () =>
        machines
          .flatMap((one) => witnessOf(one, 'alpha'))
          .filter((line) => line.startsWith('start')).length;
      await until('a quarter has begun', () => begun() > 50);
      workers[0]?.kill('SIGKILL');
      const killedAt = Date.now();
      expect((await Promise.all(runs)).filter(Boolean)).toHaveLength(200);
      // Only what was under way is done again: on a busy machine, a heartbeat of the other worker may be late.
      expect(begun()).toBeLessThanOrEqual(200 + 4);
      expect(mostAtOnce(machines, killedAt)).toBeLessThanOrEqual(3);
      const ended = "SELECT count(*) FROM conclave.kept WHERE id LIKE 'answer-%'";
      expect(database.say(ended).trim()).toBe('200');
    },
  );

  test('the set-up and the checks of a task run by the queue, on one worker', async () => {
    const database = await startPostgres();
    const rig = await setUpRig();
    const machines = await pooled(rig, database, ['east', 'west']);
    machines.forEach((one) => startWorker(one));
    await workersAt(rig, 2);
    const { code, stderr } = await rig.conclave('execute', '-y');
    expect(stderr).toBe('');
    expect(code).toBe(0);
    const { tasks } = ExecutionResult.parse(rig.json('execution-result.json'));
    const runs = tasks
      .flatMap(({ checks }) => checks)
      .filter(({ check, moment }) => check.includes('made/home') && moment !== 'joined');
    expect(new Set(runs.map(({ moment }) => moment))).toEqual(
      new Set(['before', 'after', 'again']),
    );
    for (const { machine } of runs) expect(machine).toMatch(/^pool \(.+\)$/);
    const homes = new Set(runs.map(({ output }) => /made in (\S+)/.exec(output)?.[1]));
    expect(homes.size).toBe(1);
    const worker = machines.find(({ home }) => homes.has(home));
    expect(witnessOf(worker ?? fail(), 'alpha').join(' ')).toContain('start TASK-001');
  });

  test('a session of an agent goes on with the worker that has it, and is lost with that', async () => {
    const database = await startPostgres();
    const rig = await twoVendors();
    const machines = await pooled(rig, database, ['east', 'west']);
    for (const { home } of machines)
      editScript(`${home}/alpha.json`, (script) => ({ ...script, else: { answer: 'Done.' } }));
    const workers = machines.map((one) => startWorker(one));
    await workersAt(rig, 2);
    const pool = await poolOf(rig, database);
    const goOn = async (number: number, { home }: FakeMachine) => {
      const worker = sha256Of(`${hostname()}\0${home}/data/conclave/worker`).slice(0, 16);
      const resume = { agentSession: `pool/${worker}/own`, cwd: rig.repo };
      const request = { ...requestIn(rig, number), resume };
      return await pool.run('alpha', { ...bareRun, request }, neverAborted);
    };
    for (const [number, machine] of [...machines, ...machines].entries())
      expect((await goOn(number, machine)).ok).toBe(true);
    for (const machine of machines)
      expect(witnessOf(machine, 'alpha').filter((line) => line.startsWith('start'))).toHaveLength(
        2,
      );
    const [east = fail()] = machines;
    workers[0]?.kill('SIGKILL');
    // Until its absence is noticed, what is sent to it is lost.
    let category = null;
    while (category !== 'session-lost')
      category = await goOn(4, east).then(
        () => null,
        (error: unknown) => (error instanceof Undone ? error.category : null),
      );
  });

  test('commits travel by a git remote, on which nothing is left', async () => {
    const database = await startPostgres();
    const rig = await approvedRig(checkedEdits, { plan: checkedPlan });
    const remote = join(rig.home, '../remote.git');
    await rig.git('init', '--quiet', '--bare', remote);
    const machines = await pooled(rig, database, ['east', 'west'], `remote = "${remote}"\n`);
    machines.forEach((one) => startWorker(one));
    await workersAt(rig, 2);
    const { code, stderr } = await rig.conclave('execute', '-y', '--apply');
    expect(stderr).toBe('');
    expect(code).toBe(0);
    expect(placesOf(rig)).toContain('alpha on pool');
    expect(rig.read('src/format.js')).toContain('export const formatJson');
    expect(await rig.git('ls-remote', remote)).toBe('');
    const objects = await rig.git('--git-dir', remote, 'count-objects');
    expect(objects).not.toContain('0 objects');
    const rows =
      "SELECT count(*) FROM conclave.kept WHERE id LIKE '%/%' AND id NOT LIKE 'worker-%'";
    expect(database.say(rows).trim()).toBe('0');
  });

  test('a run that no worker can do is lost, and waits for nobody', async () => {
    const database = await startPostgres();
    const rig = await twoVendors();
    await pooled(rig, database, []);
    const pool = await poolOf(rig, database);
    const asked = { ...bareRun, request: requestIn(rig, 1) };
    await expect(pool.run('alpha', asked, neverAborted)).rejects.toThrow(
      'no worker of the queue is left that could do it',
    );
  });

  test('a worker that speaks another version of the protocol is none', async () => {
    const database = await startPostgres();
    const rig = await twoVendors();
    const [east = fail()] = await pooled(rig, database, ['east']);
    startWorker(east);
    await workersAt(rig, 1);
    const other = "replace(convert_from(data, 'UTF8'), '\"protocol\":', '\"protocol\":9')";
    database.say(
      `INSERT INTO conclave.kept (id, data, at) SELECT 'worker-other/1', convert_to(${other}, 'UTF8'), now() + interval '1 hour' FROM conclave.kept WHERE id LIKE 'worker-%'`,
    );
    await workersAt(rig, 1);
    const pool = await poolOf(rig, database);
    expect(pool.holds).toBe('1 worker');
    expect(database.say("SELECT count(*) FROM conclave.kept WHERE id LIKE 'worker-%'").trim()).toBe(
      '2',
    );
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
        propose: { ...script['propose'], waits_for: ['told', 'yes'] },
      }));
    const workers = machines.map((one) => startWorker(one));
    await workersAt(rig, 2);
    const owner = rig.conclave('plan', '--auto-yes', todoTask);
    const at = () => machines.findIndex((one) => witnessOf(one, 'beta').length > 0);
    await until('beta was asked', () => at() !== -1);
    const first = at();
    workers[first]?.kill('SIGKILL');
    for (const { home } of machines) writeFileSync(`${home}/told`, 'yes');
    const { code, stderr } = await owner;
    expect(stderr).toBe('');
    expect(code).toBe(0);
    const other = machines[1 - first];
    expect(other === undefined ? [] : witnessOf(other, 'beta')).not.toEqual([]);
  });
});

test.each([
  ['postgres://conclave:hidden-word-7@127.0.0.1:1/none', 'ECONNREFUSED'],
  ['postgres://conclave:hidden-word-7%@127.0.0.1:1/none', 'ECONNREFUSED'],
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
