import {
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { approvedRig, type Work } from '../helpers/executed-rig.ts';
import { type Rig, ended } from '../helpers/rig.ts';
import { has, planOf, runs, task } from '../helpers/small-plans.ts';
import { witnessed } from '../helpers/vendors.ts';
import { isShort, killed, killings, leftOvers, pieces, survivors, timeOf } from './three-rounds.ts';

/** A check that takes a while, and needs what the set-up made. */
const slowly = (file: string) =>
  runs(
    'node',
    '-e',
    `fs.readFileSync('deps/x'); fs.readFileSync('${file}'); setTimeout(() => {}, 150)`,
  );

const setUp = `fs.mkdirSync('deps'); setTimeout(() => fs.writeFileSync('deps/x', ''), 300)`;
const more = `[execution]\nsetup = ${JSON.stringify(['node', '-e', setUp])}`;

const plan = planOf([
  task(1, [], ['a.txt'], [has('shared.txt', 'one'), slowly('a.txt')]),
  task(2, [], ['b.txt'], [has('shared.txt', 'two'), slowly('b.txt')]),
  task(3, [1, 2], ['c.txt'], [slowly('c.txt')]),
]);

/** Two tasks that write the same file, so that their work has to be merged by an agent. */
const work: Work = {
  'TASK-001': { edits: { 'a.txt': 'x\n', 'shared.txt': 'one\n' }, delay_ms: 200 },
  'TASK-002': { edits: { 'b.txt': 'x\n', 'shared.txt': 'two\n' }, delay_ms: 200 },
  'TASK-003': { edits: { 'c.txt': 'x\n' }, delay_ms: 200 },
  'TASK-002-conflict': { edits: { 'shared.txt': 'one and two\n' }, delay_ms: 200 },
};
const calls = ['TASK-001-work', 'TASK-002-work', 'TASK-002-conflict', 'TASK-003-work'];

const project = {
  name: 'ignores-deps',
  async make(rig: Rig) {
    rig.write('.gitignore', 'deps/\n');
    await rig.git('add', '-A');
    await rig.git('commit', '-qm', 'Ignore what is set up');
  },
};

test.each(pieces(60, 6))(
  'an execution that is killed in its set-up, work, merge, final check or apply is applied once, asks nobody again who had answered, and leaves nothing ($piece/$of)',
  async (share) => {
    const rig = await approvedRig(work, { plan, project, more });
    const temporary = join(rig.home, 'tmp');
    mkdirSync(temporary);
    rig.environment['TMPDIR'] = temporary;
    const head = (await rig.git('rev-parse', 'HEAD')).trim();
    const args = ['execute', '-y', '--apply'];
    const within = await timeOf(rig, args);
    const faults = await killings({ ...share, within }, async (at) => {
      await rig.git('reset', '--quiet', '--hard', head);
      expect((await rig.conclave('execute', '-y', '--discard')).code).toBe(0);
      rmSync(join(rig.home, '.alpha/witness'), { force: true });
      const began = Date.now();
      await killed(rig, args, at);
      const answered = answeredCalls(rig, began);
      const { code, stderr } = await rig.conclave(...args);
      if (code !== 0) return [`going on ended with ${code}: ${stderr}`];
      return [
        ...answered.flatMap((call) =>
          startsOf(rig, call) === 1 ? [] : `${call} had answered and was asked again`,
        ),
        ...calls.filter((call) => startsOf(rig, call) === 0).map((call) => `${call} was not asked`),
        ...(await lost(rig, head)),
        ...(await left(rig)),
      ];
    });
    expect(faults).toEqual([]);
  },
);

test('a conflict that an agent had resolved when the program was killed is not paid again', async () => {
  const lingering = { ...work['TASK-002-conflict'], lingers_ms: 20_000 };
  const rig = await approvedRig(
    { ...work, 'TASK-002-conflict': lingering },
    { plan, project, more },
  );
  const child = rig.start('execute', '-y');
  const end = ended(child);
  const began = Date.now();
  while (!answeredCalls(rig, began).includes('TASK-002-conflict')) await wait(20);
  child.kill('SIGKILL');
  await end;
  expect((await rig.conclave('execute', '-y', '--apply')).code).toBe(0);
  expect(calls.map((call) => startsOf(rig, call))).toEqual([1, 1, 1, 1]);
  expect(rig.read('shared.txt')).toBe('one and two\n');
});

test.skipIf(isShort)('nor is one on the way home, which comes home then', async () => {
  const resolves = { edits: { 'shared.txt': 'mine, one and two\n' }, lingers_ms: 20_000 };
  const rig = await approvedRig({ ...work, 'apply-conflict': resolves }, { plan, project, more });
  expect((await rig.conclave('execute', '-y')).code).toBe(0);
  rig.write('shared.txt', 'mine\n');
  await rig.git('add', '-A');
  await rig.git('commit', '-qm', 'Write it myself');
  const args = ['execute', '-y', '--apply', '--resolve-with', 'alpha'];
  const child = rig.start(...args);
  const end = ended(child);
  const began = Date.now();
  while (!answeredCalls(rig, began).includes('apply-conflict')) await wait(20);
  child.kill('SIGKILL');
  await end;
  expect(await rig.conclave(...args)).toMatchObject({ code: 0, stderr: '' });
  expect(startsOf(rig, 'apply-conflict')).toBe(1);
  expect(rig.read('shared.txt')).toBe('mine, one and two\n');
  expect(await rig.git('status', '--short')).toBe('');
});

/** Calls whose agent had said its last word to the program, be it recorded or not. */
function answeredCalls(rig: Rig, since: number): readonly string[] {
  const outputs = globSync('execution*/**/events*.jsonl', { cwd: rig.session() });
  return outputs.flatMap((path) => {
    const file = join(rig.session(), path);
    const isComplete = readFileSync(file, 'utf8').includes('"completed"');
    const [, id, part] = /(TASK-\d+|apply)[/-]([a-z]+)/.exec(path) ?? [];
    return isComplete && statSync(file).mtimeMs >= since ? `${id}-${part}` : [];
  });
}

function startsOf(rig: Rig, call: string): number {
  return witnessed(rig, 'alpha').filter((line) => line.startsWith(`start ${call} `)).length;
}

async function lost(rig: Rig, head: string): Promise<readonly string[]> {
  const format = '--format=%(trailers:key=Conclave-Task,valueonly)';
  const log = await rig.git('log', `${head}..HEAD`, format);
  const ids = ['TASK-001', 'TASK-002', 'TASK-003'];
  return [
    ...ids.flatMap((id) => (log.split(id).length === 2 ? [] : `${id} is not applied once`)),
    ...['a.txt', 'b.txt', 'c.txt'].filter((file) => !existsSync(join(rig.repo, file))),
    ...(rig.read('shared.txt') === 'one and two\n' ? [] : ['the resolved conflict']),
  ];
}

/** Whatever is there that was not there before, by its name. */
async function left(rig: Rig): Promise<readonly string[]> {
  const trees = (await rig.git('worktree', 'list')).trim().split('\n').slice(1);
  const branches = (await rig.git('for-each-ref', '--format=%(refname)')).trim().split('\n');
  return [
    ...trees.map((tree) => `the work tree ${tree}`),
    ...branches.filter((branch) => branch !== 'refs/heads/main'),
    ...globSync('data/conclave/**/trees/*', { cwd: rig.home }),
    ...globSync('.git/**/*.lock', { cwd: rig.repo }),
    ...readdirSync(join(rig.home, 'tmp')),
    ...(await rig.git('status', '--short')).split('\n').filter((line) => line !== ''),
    ...leftOvers(rig),
    ...survivors(rig).map((pid) => `the process ${pid}`),
  ];
}
