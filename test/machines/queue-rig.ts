import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { z } from 'zod';
import type { AgentRequest } from '../../src/agents/agent.ts';
import { reachPool } from '../../src/machines/queue-runs.ts';
import { type Machine, machineBy } from '../../src/machines/run-elsewhere.ts';
import type { Rig } from '../helpers/rig.ts';
import { type FakeMachine, makeMachine } from './machine-rig.ts';
import type { Database } from './postgres.ts';

/** Starts a worker of the queue on a machine; it ends with the test. */
export function startWorker(
  machine: FakeMachine,
  variables: readonly string[] = [],
): { kill(signal: NodeJS.Signals): void } {
  const [command = '', ...args] = machine.command;
  const child = spawn(command, [...variables, ...args, '--queue'], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { PATH: process.env['PATH'] },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  return { kill: (signal) => void child.kill(signal) };
}

/** Waits until so many workers have announced themselves. */
export async function workersAt(rig: Rig, count: number): Promise<void> {
  const shape = z.object({ machines: z.array(z.object({ holds: z.string().nullable() })) });
  for (;;) {
    const { stdout } = await rig.conclave('machines', '--json');
    if (shape.parse(JSON.parse(stdout)).machines[0]?.holds?.startsWith(`${count} worker`) === true)
      return;
  }
}

export const queueTables = (database: Database, key = 'shared key') => `
[queue]
url_command = ["echo", ${JSON.stringify(database.url)}]
key_command = ["echo", ${JSON.stringify(key)}]
`;

/** An owner whose agents are run by the workers of the queue on these machines. */
export async function pooled(
  rig: Rig,
  database: Database,
  names: readonly string[],
  more = '',
): Promise<FakeMachine[]> {
  const own = `${rig.configured()}${queueTables(database)}${more}`;
  const machines = names.map((name) => makeMachine(rig, name, own));
  rig.config(`${own}\n[machines.pool]\nagents = ["alpha", "beta"]\nslots = 8\n`);
  await rig.conclave('machines', 'allow', 'pool');
  return machines;
}

/** How a machine is set up that takes all of any size. */
export const openToAll = { mostMb: Infinity, agents: [], slots: 64, isAllowed: true };

/** A run without a set-up, a limit and anybody who hears of it. */
export const bareRun = { setUp: null, atOnce: Infinity, tell: () => undefined };

export function requestIn(rig: Rig, number: number): AgentRequest {
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

/** The workers of the queue, as one machine of this owner. */
export async function poolOf(rig: Rig, { url }: Database): Promise<Machine> {
  const queue = { url, key: 'shared key', remote: null };
  const pool = machineBy(
    await reachPool({ name: 'pool', mostMb: Infinity }, queue),
    join(rig.home, 'sent'),
  );
  onTestFinished(async () => void (await pool.close()));
  return pool;
}
