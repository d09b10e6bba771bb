import { createHash } from 'node:crypto';
import { globSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { approvedRig } from '../helpers/executed-rig.ts';
import type { Rig } from '../helpers/rig.ts';
import { witnessed } from '../helpers/vendors.ts';
import { killed, killings, leftOvers, pieces, survivors, timeOf, trials } from './three-rounds.ts';

const tasks = [1, 2, 3, 4].map((number) => ({
  id: `TASK-00${number}`,
  ...(number <= 2 ? { source: { original_id: `T${number}` } } : {}),
  title: `Write file ${number}`,
  description: 'Write it.',
  depends_on: number === 3 ? ['TASK-001', 'TASK-002'] : [],
  files: [{ path: `f${number}.txt`, action: 'create', change: 'Write it.' }],
  implementation: ['Write it.', 'Look at it.'],
  convergence: { criteria: ['It is there'] },
  checks: [{ kind: 'text', path: `f${number}.txt`, contains: 'x', criterion: 0 }],
}));
const plan = { phase: 'planning', plan: { summary: 'Files.', approach: 'Write them.' }, tasks };
const work = Object.fromEntries(
  tasks.map(({ id, files }) => [
    id,
    { edits: Object.fromEntries(files.map(({ path }) => [path, 'x\n'])), delay_ms: 60 },
  ]),
);

test.each(pieces(100, 20))(
  'an execution that is killed at any moment is done once, and leaves nothing of the user’s changed ($piece/$of)',
  async (share) => {
    const rig = await approvedRig(work, { plan });
    const before = await own(rig);
    const within = await timeOf(rig, ['execute', '-y']);
    const faults = await killings({ ...share, within }, async (at) => {
      expect((await rig.conclave('execute', '-y', '--discard')).code).toBe(0);
      await killed(rig, ['execute', '-y'], at);
      const after = await faultsAfterKill(rig);
      expect(await own(rig)).toEqual(before);
      return after;
    });
    expect(faults).toEqual([]);
  },
);

test.each(pieces(60, 10))(
  'an execution with its apply that is killed at any moment is applied once, and asks nobody again who had answered ($piece/$of)',
  async (share) => {
    const rig = await approvedRig(work, { plan });
    const head = (await rig.git('rev-parse', 'HEAD')).trim();
    const args = ['execute', '-y', '--apply'];
    const within = await timeOf(rig, args);
    const faults = await killings({ ...share, within }, async (at) => {
      await rig.git('reset', '--quiet', '--hard', head);
      expect((await rig.conclave('execute', '-y', '--discard')).code).toBe(0);
      rmSync(join(rig.home, 'alpha.witness'), { force: true });
      const began = Date.now();
      await killed(rig, args, at);
      const answered = answeredTasks(rig, began);
      const { code, stderr } = await rig.conclave(...args);
      if (code !== 0) return [`going on ended with ${code}: ${stderr}`];
      const log = await rig.git(
        'log',
        `${head}..HEAD`,
        '--format=%(trailers:key=Conclave-Task,valueonly)',
      );
      const again = answered.filter((id) => startsOf(rig, id) !== 1);
      return [
        ...again.map((id) => `${id} had answered and was asked again`),
        ...tasks.flatMap(({ id }) =>
          log.split(id).length === 2 ? [] : [`${id} is not applied once`],
        ),
        ...((await rig.git('worktree', 'list')).trim().split('\n').length === 1
          ? []
          : ['work trees']),
        ...((await rig.git('branch', '--list', '*._apply')) === ''
          ? []
          : ['the branch of the apply']),
        ...leftOvers(rig),
        ...survivors(rig).map((pid) => `still alive: ${pid}`),
      ];
    });
    expect(faults).toEqual([]);
  },
);

/** Tasks whose agent had said its last word to the program, be it recorded or not. */
function answeredTasks(rig: Rig, since: number): readonly string[] {
  const outputs = globSync('**/*TASK-*/**/events*.jsonl', { cwd: rig.session() });
  return outputs.flatMap((path) => {
    const file = join(rig.session(), path);
    const isComplete = readFileSync(file, 'utf8').includes('"completed"');
    return isComplete && statSync(file).mtimeMs >= since ? (/TASK-\d+/.exec(path)?.[0] ?? []) : [];
  });
}

function startsOf(rig: Rig, id: string): number {
  return witnessed(rig, 'alpha').filter((line) => line.startsWith(`start ${id}-work `)).length;
}

test('an execution goes on from each of its records, two tasks at a time', async () => {
  const rig = await approvedRig(work, { plan });
  expect((await rig.conclave('execute', '-y')).code).toBe(0);
  const file = join(rig.session(), 'journal.jsonl');
  const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1);
  const first = lines.findIndex((line) => line.includes('"key":"execution-1/open"'));
  const last = lines.findIndex((line) => /"finished".*"key":"execution-1\/result"/.test(line));
  const ref = `refs/heads/conclave/${basename(rig.session())}`;
  const step = Math.ceil((lines.length - first) / trials(60));
  for (let end = first + 1; end <= lines.length; end += step) {
    // From its last record on the branch is there.
    if (end <= last) await rig.git('update-ref', '-d', ref);
    writeFileSync(file, `${lines.slice(0, end).join('\n')}\n`);
    const record = lines[end - 1]?.slice(0, 120);
    expect({ record, faults: await faultsAfterKill(rig) }).toEqual({ record, faults: [] });
  }
});

async function faultsAfterKill(rig: Rig): Promise<readonly string[]> {
  const { code, stderr } = await rig.conclave('execute', '-y');
  if (code !== 0) return [`going on ended with ${code}: ${stderr}`];
  const branches = (await rig.git('branch', '--list', 'conclave/*')).trim().split(/\s+/);
  const [branch = ''] = branches;
  const log = await rig.git('log', branch, '--format=%(trailers:key=Conclave-Task,valueonly)');
  const trees = (await rig.git('worktree', 'list')).trim().split('\n');
  return [
    ...tasks.flatMap(({ id }) =>
      log.split(id).length === 2 ? [] : [`${id} is not there once: ${log}`],
    ),
    ...(branches.length === 1 ? [] : [`branches: ${branches.join(' ')}`]),
    ...(trees.length === 1 ? [] : [`work trees: ${trees.join(' ')}`]),
    ...leftOvers(rig),
    ...survivors(rig).map((pid) => `still alive: ${pid}`),
  ];
}

/** What is the user’s: HEAD, the branch, the index and the files. */
async function own(rig: Rig): Promise<readonly string[]> {
  const index = readFileSync(join(rig.repo, '.git/index'));
  return [
    await rig.git('rev-parse', 'HEAD', '--abbrev-ref', 'HEAD'),
    await rig.git('--no-optional-locks', 'status', '--short'),
    createHash('sha256').update(index).digest('hex'),
  ];
}
