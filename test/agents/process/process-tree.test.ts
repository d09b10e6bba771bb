import { spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { endMarked, endTree } from '../../../src/agents/process/process-tree.ts';
import {
  readProcessTable,
  startOf,
  tableFromPs,
} from '../../../src/agents/process/process-table.ts';
import { fake, isAlive, until } from '../agent-room.ts';

const environment = { PATH: process.env['PATH'] };
const forever = ['-e', 'console.log(process.pid); setInterval(() => {}, 1e6);'];
// Of this test process only: another one may run at the same time.
const family = `tree-${randomUUID()}`;
let mark = '';
let started: ChildProcess[] = [];

beforeEach(() => {
  mark = `${family}-${randomUUID()}`;
  started = [];
});

afterEach(async () => {
  for (const child of started) child.kill('SIGKILL');
  await endMarked(family, 0);
});

/** Starts a program of ours. */
function begin(
  [command = '', ...argv]: readonly string[],
  { env = { CONCLAVE_RUN: mark }, detached = true }: Parameters<typeof start>[1] = {},
) {
  const stdio: ['ignore', 'pipe', 'ignore'] = ['ignore', 'pipe', 'ignore'];
  const child = spawn(command, argv, { env: { ...environment, ...env }, detached, stdio });
  started.push(child);
  return { child, pid: child.pid ?? 0 };
}

/** Starts a Node program and resolves to it and the pids that it prints. */
async function start(
  argv: readonly string[],
  { pids = 1, ...more }: { pids?: number; env?: NodeJS.ProcessEnv; detached?: boolean } = {},
): Promise<{ pid: number; start: number | null; told: number[] }> {
  const { child, pid } = begin([process.execPath, ...argv], more);
  const told: number[] = [];
  for await (const line of createInterface(child.stdout)) {
    told.push(Number(/\d+/.exec(line)?.[0]));
    if (told.length === pids) break;
  }
  return { pid, start: startOf(pid), told };
}

describe('endTree', () => {
  test.each(['plain', 'setsid', 'double', 'ignore-term'])(
    'ends a child of the kind "%s" with its root',
    async (kind) => {
      const tree = await start([fake('fork'), kind, 'stay']);
      expect(tree.told.map(isAlive)).toEqual([true]);
      const end = await endTree({ ...tree, mark, graceMs: 100 });
      expect(end.survivors).toEqual([]);
      expect(end.ended).toBeGreaterThanOrEqual(2);
      expect([tree.pid, ...tree.told].filter(isAlive)).toEqual([]);
    },
  );

  test('ends what a dead root left behind', async () => {
    const tree = await start([fake('fork'), 'plain', 'setsid', 'double'], { pids: 3 });
    await until('the root has ended', () => !isAlive(tree.pid));
    expect(tree.told.filter(isAlive)).toHaveLength(3);
    await endTree({ ...tree, mark, graceMs: 100 });
    expect(tree.told.filter(isAlive)).toEqual([]);
  });

  test('follows a descendant without mark and group, also when its parent has gone before it', async () => {
    const stubborn = `process.on('SIGTERM', () => {}); ${forever[1]}`;
    const code = `require('child_process').spawn(process.execPath, ['-e', ${JSON.stringify(stubborn)}],
      { detached: true, env: {}, stdio: 'inherit' });`;
    const tree = await start(['-e', code]);
    expect(tree.told).not.toContain(tree.pid);
    await endTree({ ...tree, mark, graceMs: 150 });
    expect(tree.told.filter(isAlive)).toEqual([]);
  });

  test('ends whoever keeps forking and takes no TERM', async () => {
    const script = 'trap "" TERM; while :; do sleep 30 & echo $!; sleep 0.005; done';
    const { child, pid } = begin(['/bin/sh', '-c', script]);
    const pids: number[] = [];
    createInterface(child.stdout).on('line', (line) => pids.push(Number(line)));
    await until('it has forked some', () => pids.length > 5);
    const end = await endTree({ pid, start: startOf(pid), mark, graceMs: 100 });
    expect(end.survivors).toEqual([]);
    expect(pids.filter(isAlive)).toEqual([]);
    const table = await readProcessTable();
    expect(table.entries.filter((entry) => table.markOf(entry.pid) === mark)).toEqual([]);
  });

  test('lets a program finish its work on TERM, which it hears once', async () => {
    const code =
      'let heard = 0; process.on("SIGTERM", () => { heard += 1; setTimeout(() => process.exit(heard), 40); });';
    const { child, pid } = begin([process.execPath, '-e', code + forever[1]]);
    const exit = new Promise((resolve) => child.once('exit', resolve));
    await new Promise((resolve) => child.stdout.once('data', resolve));
    await endTree({ pid, start: startOf(pid), mark, graceMs: 60_000 });
    expect(await exit).toBe(1);
  });

  test('spares programs with the same arguments, another mark or a mark that begins alike', async () => {
    const tree = await start(forever);
    const decoys = await Promise.all([
      start(forever, { env: {} }),
      start(forever, { env: { CONCLAVE_RUN: `${mark}0` } }),
      start(forever, { env: { XCONCLAVE_RUN: mark } }),
      start(forever, { env: {}, detached: false }),
    ]);
    await endTree({ ...tree, mark, graceMs: 100 });
    expect(isAlive(tree.pid)).toBe(false);
    expect(decoys.map(({ pid }) => isAlive(pid))).toEqual([true, true, true, true]);
  });

  test('spares a daemon that carries the mark but started before the run', async () => {
    const daemon = await start(forever);
    const tree = await start(forever);
    await endTree({ ...tree, mark, graceMs: 100 });
    expect([isAlive(daemon.pid), isAlive(tree.pid)]).toEqual([true, false]);
  });

  test('takes a pid that another process has got since for nobody of ours', async () => {
    const stranger = await start(forever, { env: {} });
    const start0 = (stranger.start ?? 0) - 1;
    const end = await endTree({ pid: stranger.pid, start: start0, mark, graceMs: 0 });
    expect(end).toEqual({ ended: 0, survivors: [] });
    expect(isAlive(stranger.pid)).toBe(true);
  });
});

describe('endMarked', () => {
  test('ends every process whose mark begins so, and what came from it', async () => {
    const first = await start(forever, { env: { CONCLAVE_RUN: `${mark}-1` } });
    const second = await start([fake('fork'), 'setsid', 'ignore-term', 'stay'], {
      pids: 2,
      env: { CONCLAVE_RUN: `${mark}-2` },
    });
    const other = await start(forever, { env: { CONCLAVE_RUN: `${family}-${randomUUID()}` } });
    expect(await endMarked(mark, 100)).toBe(4);
    expect([first.pid, second.pid, ...second.told].filter(isAlive)).toEqual([]);
    expect(isAlive(other.pid)).toBe(true);
  });

  test('finds nothing where nothing is left', async () => {
    expect(await endMarked(mark, 100)).toBe(0);
  });

  test('refuses an empty mark, which would mean everybody', async () => {
    await expect(endMarked('', 0)).rejects.toThrow(TypeError);
  });

  test('never ends ourselves or who started us', async () => {
    const code = `
      const { endMarked } = await import(${JSON.stringify(new URL('../../../src/agents/process/process-tree.ts', import.meta.url).href)});
      console.log(await endMarked('${mark}', 50));`;
    const asked = await start(['--input-type=module', '-e', code]);
    expect(asked.told).toEqual([0]);
  });
});

describe('the process table', () => {
  test('tells the same of us with /proc and with ps', async () => {
    const [own, other] = await Promise.all([readProcessTable(), tableFromPs()]);
    const [here, there] = [own, other].map(({ entries }) =>
      entries.find((entry) => entry.pid === process.pid),
    );
    expect(here?.parent).toBe(process.ppid);
    expect(there).toMatchObject({ parent: here?.parent, group: here?.group });
    expect(there?.start).toBeGreaterThan(0);
  });

  test('is read once for all who ask at the same moment', async () => {
    const [first, second] = await Promise.all([readProcessTable(), readProcessTable()]);
    expect(first).toBe(second);
    expect(await readProcessTable()).not.toBe(first);
  });
});
