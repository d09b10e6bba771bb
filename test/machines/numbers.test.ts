// Measures runs on a machine beside those here, and how soon a lost worker is noticed; only with CONCLAVE_NUMBERS=1.
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Agent, AgentEnd, AgentRequest } from '../../src/agents/agent.ts';
import { poolToAsk } from '../../src/app/make-pool.ts';
import { openWorkplace } from '../../src/app/workplace.ts';
import { reachMachine } from '../../src/machines/reach-machine.ts';
import { type Machine, machineBy } from '../../src/machines/run-elsewhere.ts';
import { until } from '../agents/agent-room.ts';
import { twoVendors } from '../helpers/todo-vendors.ts';
import { editScript, isWorker, makeMachine, witnessOf } from './machine-rig.ts';
import { hasPostgres, startPostgres } from './postgres.ts';
import {
  bareRun,
  openToAll,
  poolOf,
  pooled,
  requestIn,
  startWorker,
  workersAt,
} from './queue-rig.ts';
import { hasSshd, startSshd } from './sshd.ts';

const isMeasured = process.env['CONCLAVE_NUMBERS'] === '1';
const neverAborted = new AbortController().signal;

/** Waits for the end of a run, which must be an answer, and returns the time that it took, in ms. */
async function timed(run: (signal: AbortSignal) => Promise<AgentEnd>): Promise<number> {
  const since = performance.now();
  const end = await run(neverAborted);
  expect(end.ok).toBe(true);
  return performance.now() - since;
}

const runHere = (agent: Agent, request: AgentRequest) => async (signal: AbortSignal) => {
  const events = agent.run(request, signal);
  let step = await events.next();
  while (step.done !== true) step = await events.next();
  return step.value;
};

const median = (times: readonly number[]) =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;

/** The turn of the agent in these measurements, in ms. */
const turnMs = 2_000;

async function start(repositoryBytes = 0) {
  const rig = await twoVendors();
  if (repositoryBytes > 0) writeFileSync(join(rig.repo, 'large.bin'), randomBytes(repositoryBytes));
  await rig.git('add', '--all');
  editScript(`${rig.home}/alpha.json`, (script) => ({
    ...script,
    else: { answer: 'Done.', delay_ms: turnMs },
  }));
  const machine = makeMachine(rig, 'east', rig.configured());
  const workplace = await openWorkplace({ cwd: rig.repo, environment: rig.environment, flags: [] });
  const agent = poolToAsk(workplace).get('alpha');
  if (agent === undefined) throw new Error('no agent');
  mkdirSync(join(rig.home, 'raw'));
  return { rig, machine, agent };
}

const runOn = (machine: Machine, request: AgentRequest) => (signal: AbortSignal) =>
  machine.run('alpha', { ...bareRun, request }, signal);

describe.skipIf(!isMeasured || !hasSshd)('by ssh', () => {
  test('a run on a prepared machine takes little more than one here, and the first its bundle more', async () => {
    const { rig, machine, agent } = await start(20_000_000);
    const through = await startSshd();
    const settings = {
      name: 'east',
      command: [...through, ...machine.command],
      ...openToAll,
    };
    const bundleFrom = performance.now();
    execFileSync('sh', [
      '-c',
      `git -C "$0" add -A && git -C "$0" stash create > "$0/../tip" && git -C "$0" tag -f t $(cat "$0/../tip") && git -C "$0" bundle create -q - t | base64 -w0 | "$@"`,
      rig.repo,
      ...through,
      'd=$(mktemp -d) && base64 -d > $d/b && git init -q --bare $d/r && git --git-dir=$d/r fetch -q $d/b t:refs/t && git --git-dir=$d/r worktree add -q $d/w refs/t && rm -rf $d',
    ]);
    const bundleMs = performance.now() - bundleFrom;
    const since = performance.now();
    const east = machineBy(
      await reachMachine(settings, rig.environment, 'numbers-east'),
      join(rig.home, 'sent'),
    );
    onTestFinished(async () => void (await east.close()));
    const connected = performance.now() - since;
    const first = await timed(runOn(east, requestIn(rig, 0)));
    const [here, there]: [number[], number[]] = [[], []];
    for (let number = 1; number <= 9; number += 1) {
      const request = requestIn(rig, number);
      here.push(await timed(runHere(agent, request)));
      there.push(await timed(runOn(east, requestIn(rig, number + 100))));
    }
    const [local, remote] = [median(here), median(there)];
    console.log(
      `local ${local.toFixed(0)} ms, on a prepared machine ${remote.toFixed(0)} ms, ${(remote / local).toFixed(3)} times`,
    );
    console.log(
      `connection ${connected.toFixed(0)} ms, first run ${first.toFixed(0)} ms, bundle alone ${bundleMs.toFixed(0)} ms`,
    );
    expect(remote / local).toBeLessThanOrEqual(1.15);
    expect(connected + first - local).toBeLessThanOrEqual(bundleMs + 2_000);
  });

  test.each(['SIGKILL', 'SIGSTOP'] as const)(
    'a worker that is lost by %s is noticed within 5 seconds',
    async (how) => {
      const { rig, machine } = await start();
      editScript(`${machine.home}/alpha.json`, (script) => ({
        ...script,
        else: { answer: 'Done.', delay_ms: 60_000 },
      }));
      const command = [...(await startSshd()), ...machine.command];
      const settings = { name: 'east', command, ...openToAll };
      const east = machineBy(
        await reachMachine(settings, rig.environment, 'numbers-east'),
        join(rig.home, 'sent'),
      );
      const running = timed(runOn(east, requestIn(rig, 1))).catch(() => performance.now());
      await until('it runs', () => witnessOf(machine, 'alpha').length > 0);
      const pids = machine.processes().filter(isWorker);
      for (const pid of pids) process.kill(pid, how);
      const since = performance.now();
      const noticed = (await running) - since;
      console.log(`${how} noticed after ${noticed.toFixed(0)} ms`);
      if (how === 'SIGSTOP') for (const pid of pids) process.kill(pid, 'SIGKILL');
      expect(noticed).toBeLessThanOrEqual(5_000);
    },
  );
});

test.skipIf(!isMeasured || !hasPostgres)(
  'a worker of the queue that is lost is noticed within 25 seconds',
  async () => {
    const database = await startPostgres();
    const rig = await twoVendors();
    const machines = await pooled(rig, database, ['east', 'west']);
    for (const { home } of machines)
      editScript(`${home}/alpha.json`, (script) => ({
        ...script,
        else: { answer: 'Done.', delay_ms: 3_000 },
      }));
    const workers = machines.map((one) => startWorker(one));
    await workersAt(rig, 2);
    const pool = await poolOf(rig, database);
    const running = timed(runOn(pool, requestIn(rig, 1)));
    const at = () => machines.findIndex((one) => witnessOf(one, 'alpha').length > 0);
    await until('it runs', () => at() !== -1);
    workers[at()]?.kill('SIGKILL');
    const since = performance.now();
    const other = machines[1 - at()];
    await until(
      'it runs elsewhere',
      () => other !== undefined && witnessOf(other, 'alpha').length > 0,
    );
    const noticed = performance.now() - since;
    console.log(`moved to the other worker after ${noticed.toFixed(0)} ms`);
    expect(noticed).toBeLessThanOrEqual(25_000);
    await running;
  },
);
