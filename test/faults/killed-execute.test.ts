import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { approvedRig } from '../helpers/executed-rig.ts';
import type { Rig } from '../helpers/rig.ts';
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
