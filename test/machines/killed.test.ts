// Kills the worker, the ssh client or the owner at random moments of a session on a machine.
import { globSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { until } from '../agents/agent-room.ts';
import { having } from '../contract/processes.ts';
import { short } from '../helpers/short-form.ts';
import { ended, type Rig } from '../helpers/rig.ts';
import { todoTask } from '../helpers/todo-project.ts';
import { twoVendors } from '../helpers/todo-vendors.ts';
import {
  type FakeMachine,
  isClient,
  isWorker,
  withMachines,
  witnessOf,
  wordsOf,
} from './machine-rig.ts';
import { hasSshd, startSshd } from './sshd.ts';

const seed = Number(process.env['CONCLAVE_SEED'] ?? Math.floor(Math.random() * 2 ** 31));
const isShort = process.env['CONCLAVE_MACHINES'] === 'short';
const kills = isShort ? 1 : 20;

/** A number from 0 to 1 that follows from the seed. */
function chance(number: number): number {
  const mixed = Math.imul(seed ^ (number * 0x9e3779b9), 0x85ebca6b);
  return ((mixed ^ (mixed >>> 13)) >>> 0) / 2 ** 32;
}

function kill(who: 'worker' | 'ssh client' | 'owner', rig: Rig, machine: FakeMachine): void {
  const isMeant = { worker: isWorker, 'ssh client': isClient, owner: isOwner }[who];
  for (const pid of [...machine.processes(), ...having(`HOME=${rig.home}`)]) {
    try {
      if (isMeant(pid)) process.kill(pid, 'SIGKILL');
    } catch {
      // It has ended meanwhile.
    }
  }
}

const isOwner = (pid: number) => / plan /.test(commandOf(pid));
const commandOf = (pid: number) => wordsOf(pid).replaceAll('\0', ' ');

/** The questions that agents there answered more than once. */
function repeatedAt(machine: FakeMachine): readonly string[] {
  return ['alpha', 'beta'].flatMap((agent) => {
    const ends = witnessOf(machine, agent).filter((line) => line.startsWith('end '));
    const questions = ends.map((line) => line.split(' ')[1] ?? '');
    return questions
      .filter((one, at) => questions.indexOf(one) !== at)
      .map((one) => `${agent} ${one}`);
  });
}

describe.skipIf(!hasSshd)('a session on a machine', () => {
  test(
    'that is killed anywhere ends as an undisturbed one, and leaves nothing behind',
    { ...short, timeout: 1_800_000 },
    async () => {
      console.log(`${kills} kills, CONCLAVE_SEED=${seed}`);
      const through = await startSshd();
      const start = async () => {
        const rig = await twoVendors();
        const { east } = await withMachines(rig, { east: ['alpha', 'beta'] }, { through });
        if (east === undefined) throw new Error('no machine');
        return { rig, east };
      };
      const whole = await start();
      const before = performance.now();
      expect((await whole.rig.conclave('plan', '--auto-yes', todoTask)).code).toBe(0);
      const wholeMs = performance.now() - before;
      for (let number = 0; number < kills; number += 1) {
        const { rig, east } = await start();
        const who = (['worker', 'ssh client', 'owner'] as const)[number % 3] ?? 'worker';
        const owner = rig.start('plan', '--auto-yes', todoTask);
        const end = ended(owner);
        await sleep(chance(number) * wholeMs);
        kill(who, rig, east);
        const first = await end;
        const isSaved =
          globSync('.workflow/.multi-cli-plan/*/journal.jsonl', { cwd: rig.repo }).length > 0;
        const told = `kill ${number}, of the ${who}`;
        const isLeft = isSaved && first.code !== 0;
        const last = isLeft
          ? await rig.conclave('resume', '--auto-yes')
          : { ...first, code: 0, stderr: '' };
        // Killed after its end, a session has nothing to go on with.
        const isOver = last.stderr.includes('No session here is unfinished');
        expect(isOver ? '0 ' : `${last.code} ${last.stderr}`, told).toBe('0 ');
        const state = isSaved ? rig.json('session-state.json') : { status: 'done' };
        expect(state, told).toMatchObject({ status: 'done' });
        const validated = isSaved ? await rig.conclave('validate') : last;
        expect(validated.code, told).toBe(0);
        // Only what was on its way at that moment may be asked again: one question of each agent.
        const repeated = repeatedAt(east);
        expect(new Set(repeated.map((one) => one.split(' ')[0])).size, told).toBe(repeated.length);
        await until('the machine is empty', () => east.processes().length === 0);
        await until('its trees are gone', () => east.kept('trees').length === 0);
      }
    },
  );
});
