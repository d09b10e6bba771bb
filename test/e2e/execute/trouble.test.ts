import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { approvedRig, type Work } from '../../helpers/executed-rig.ts';
import type { Rig } from '../../helpers/rig.ts';
import { short } from '../../helpers/short-form.ts';
import { has, planOf, runs, task } from '../../helpers/small-plans.ts';
import { configureVendors, witnessed } from '../../helpers/vendors.ts';

const three = planOf([
  task(1, [], ['a.txt'], [has('a.txt', 'right')]),
  task(2, [1], ['b.txt']),
  task(3, [], ['c.txt'], [has('c.txt', 'right')]),
]);

const calls = (rig: Rig, key: string) =>
  witnessed(rig, 'alpha').filter((line) => line.startsWith(`start ${key} `)).length;

const right = {
  'TASK-003': { edits: { 'c.txt': 'right\n' } },
  'TASK-002': { edits: { 'b.txt': 'x\n' } },
};

describe('a check that fails', () => {
  test('goes back to the agent, and passes then', short, async () => {
    const work = {
      ...right,
      'TASK-001-work': { edits: { 'a.txt': 'wrong\n' } },
      'TASK-001-fix': { edits: { 'a.txt': 'right\n' } },
    };
    const rig = await approvedRig(work, { plan: three });
    const { code } = await rig.conclave('execute', '-y');
    expect(code).toBe(0);
    expect(calls(rig, 'TASK-001-fix')).toBe(1);
    expect(rig.json('execution-result.json')).toMatchObject({
      tasks: [{ status: 'completed', fix_rounds: 1 }, {}, {}],
    });
  });

  test('twice more fails its task, blocks what waits for it and nothing else; nobody is asked again for it', async () => {
    const rig = await approvedRig(
      { ...right, 'TASK-001': { edits: { 'a.txt': 'wrong\n' } } },
      { plan: three },
    );
    const { code, stdout, stderr } = await rig.conclave('execute', '-y', '--apply');
    expect(code).toBe(7);
    expect(stdout).toContain('blocked: it needs TASK-001');
    expect(stderr).toContain('1 of 3 tasks completed, 1 failed, 1 blocked');
    expect(calls(rig, 'TASK-001-fix')).toBe(2);
    expect(await rig.git('status', '--short')).toBe('');
    const done = calls(rig, 'TASK-003-work');
    const again = await rig.conclave('execute', '-y');
    expect(again.code).toBe(7);
    expect(again.stderr).toMatch(/have it done again: conclave execute \S+ --retry TASK-001/);
    expect(calls(rig, 'TASK-001-work')).toBe(1);
    expect(calls(rig, 'TASK-003-work')).toBe(done);
  });
});

test('an agent that fails again and again is not asked for every further task', async () => {
  const rig = await approvedRig(right, { plan: three });
  const done = { ...right, 'TASK-001': { edits: { 'a.txt': 'right\n' } } };
  const beta = Object.fromEntries(
    Object.entries(done).map(([id, act]) => [id, { answer: 'Done.', ...act }]),
  );
  configureVendors(rig, { alpha: { else: { exit: 1, stderr: 'no such model server' } }, beta });
  const { code, stdout } = await rig.conclave('execute', '-y', '--jobs', '1');
  expect(code).toBe(0);
  expect(['TASK-001-work', 'TASK-002-work', 'TASK-003-work'].map((key) => calls(rig, key))).toEqual(
    [2, 0, 0],
  );
  expect(stdout).toContain('it failed 2 times in a row');
});

/** Passes where the file is there, and writes others. */
const writing = (own: string) => {
  const script = `for (const p of ['junk.txt', '../beside.txt']) require('fs').writeFileSync(p, 'x'); require('fs').readFileSync('${own}')`;
  return runs('node', '-e', script);
};

test('what a check writes is not in the result, nor left beside its work tree', async () => {
  const plan = planOf([
    task(1, [], ['a.txt'], [writing('a.txt')]),
    task(2, [], ['b.txt'], [writing('b.txt')]),
  ]);
  const work = { 'TASK-001': { edits: { 'a.txt': 'x' } }, 'TASK-002': { edits: { 'b.txt': 'x' } } };
  const rig = await approvedRig(work, { plan, more: '[execution]\nconfine = false' });
  const { code, stderr } = await rig.conclave('execute', '-y');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(rig.json('execution-result.json')).toMatchObject({ keyOutputs: ['a.txt', 'b.txt'] });
  const { stdout } = await rig.conclave('execute', '--dry-run');
  const [, folder = ''] = /Work trees: (.*)/.exec(stdout) ?? [];
  expect(folder).toContain(rig.home);
  expect(existsSync(`${folder}/trees`)).toBe(false);
  expect(await rig.git('status', '--short')).toBe('');
});

describe('a conflict', () => {
  const plan = planOf([task(1, [], ['a.txt']), task(2, [], ['b.txt'])]);
  const both: Work = {
    'TASK-001': { edits: { 'a.txt': 'x\n', 'shared.txt': 'one\n' } },
    'TASK-002': { edits: { 'b.txt': 'x\n', 'shared.txt': 'two\n' } },
  };

  test('that stays keeps both sides, and is told', async () => {
    const rig = await approvedRig(
      { ...both, 'TASK-002-work': both['TASK-002'] ?? {}, 'TASK-002-conflict': {} },
      { plan },
    );
    const { code, stderr } = await rig.conclave('execute', '-y');
    expect(code).toBe(7);
    expect(stderr).toContain('it conflicts with earlier tasks in shared.txt');
    expect((await rig.git('branch', '--list', 'conclave/*')).trim().split('\n')).toEqual([
      expect.stringMatching(/^conclave\/MCP-[\w-]+$/),
      expect.stringMatching(/^[\s+]*conclave\/MCP-[\w-]+\.TASK-002$/),
    ]);
    expect((await rig.conclave('execute', '-y', '--discard')).code).toBe(0);
    expect(await rig.git('branch', '--list', 'conclave/*')).toBe('');
  });
});

test('an approval that does not hold, and files that changed, stop it with 6; only --force goes on', async () => {
  const rig = await approvedRig(
    { ...right, 'TASK-001': { edits: { 'a.txt': 'right\n' } } },
    { plan: three },
  );
  const isForced = () =>
    readFileSync(join(rig.session(), 'journal.jsonl'), 'utf8').includes('"forced":true');
  rig.write('a.txt', '\0 somebody was faster');
  for (const flags of [[], ['--auto-yes', '--apply']]) {
    const { code, stderr } = await rig.conclave('execute', '-y', ...flags);
    expect({ flags, code, stderr }).toEqual({
      flags,
      code: 6,
      stderr: expect.stringContaining('a.txt'),
    });
  }
  const dry = await rig.conclave('execute', '--dry-run');
  expect({ code: dry.code, stderr: dry.stderr }).toEqual({ code: 0, stderr: '' });
  expect(dry.stdout).toMatch(/TASK-001 [^]*cannot be carried out like this:\n.*a\.txt.*--replan/);
  expect(isForced()).toBe(false);
  expect((await rig.conclave('execute', '-y', '--force')).code).toBe(0);
  expect(isForced()).toBe(true);
  rig.write('a.txt', '\0 somebody was faster again');
  const refused = await rig.conclave('execute', '-y', '--apply');
  expect({ code: refused.code, stderr: refused.stderr }).toEqual({
    code: 7,
    stderr: expect.stringContaining('a.txt'),
  });
  expect(rig.read('a.txt')).toBe('\0 somebody was faster again');
  expect((await rig.conclave('review', '--set', 'TASK-001.title=Another')).code).toBe(0);
  const changed = await rig.conclave('execute', '-y');
  expect(changed.code).toBe(6);
  expect(changed.stderr).toContain('is not the one that was approved');
});

test('uncommitted changes of tracked files are carried in', async () => {
  const work = { ...right, 'TASK-001': { edits: { 'a.txt': 'right\n' } } };
  const rig = await approvedRig(work, { plan: three, dirty: { 'README.md': 'mine\n' } });
  const done = await rig.conclave('execute', '-y', '--apply');
  expect(done.code).toBe(0);
  expect(done.stdout).toContain('The work begins with your uncommitted changes of README.md');
  expect(await rig.git('ls-tree', '--name-only', 'HEAD')).toContain('a.txt');
  expect(await rig.git('log', '--branches', '--format=%s')).not.toContain('uncommitted files');
  expect(await rig.git('status', '--short')).toBe(' M README.md\n');
  expect(rig.read('README.md')).toBe('mine\n');
});

test('what a task changed in a carried file comes home to that file, uncommitted, and elsewhere as a merge', async () => {
  const plan = planOf([task(1, [], ['a.txt', 'README.md'])]);
  const edits = { 'a.txt': 'right\n', 'README.md': 'mine\nand of the task\n' };
  const rig = await approvedRig(
    { 'TASK-001': { edits } },
    { plan, dirty: { 'README.md': 'mine\n' } },
  );
  const head = (await rig.git('rev-parse', 'HEAD')).trim();
  const { code, stdout } = await rig.conclave('execute', '-y');
  expect(code).toBe(0);
  const said = 'changes in README.md build on your uncommitted lines';
  expect(stdout).toContain(said);
  expect(rig.json('execution-result.json')).toMatchObject({
    carried: ['README.md'],
    not_on_branch: ['README.md'],
    notes: [expect.stringContaining(said)],
  });
  const branch = (
    await rig.git('branch', '--list', 'conclave/*', '--format=%(refname:short)')
  ).trim();
  expect(await rig.git('diff', '--name-only', head, branch)).toBe('a.txt\n');
  const request = await rig.conclave('pr', '--dry-run');
  expect(request.stderr).not.toContain('holds uncommitted files');
  rig.write('README.md', 'other\n');
  const refused = await rig.conclave('execute', '-y', '--apply');
  expect(refused.code).toBe(7);
  expect(refused.stderr).toContain('your uncommitted files changed where tasks changed them too');
  expect(rig.read('README.md')).toBe('other\n');
  rig.write('README.md', 'mine\n');
  const applied = await rig.conclave('execute', '-y', '--apply');
  expect(applied.code).toBe(0);
  expect(rig.read('README.md')).toBe(edits['README.md']);
  expect(await rig.git('status', '--short')).toBe(' M README.md\n');
  expect(await rig.git('show', 'HEAD:a.txt')).toBe('right\n');
});

test('files that neither git nor the plan knows stay at home, which is said, and the result is merged', async () => {
  const work = { ...right, 'TASK-001': { edits: { 'a.txt': 'right\n' } } };
  const dirty = { 'deploy-token.txt': 'TOKEN\n' };
  const rig = await approvedRig(work, { plan: three, dirty });
  const { code, stdout } = await rig.conclave('execute', '-y', '--apply');
  expect(code).toBe(0);
  expect(stdout).toContain(
    'Not carried over, as neither git nor the plan knows it: deploy-token.txt.',
  );
  expect(await rig.git('log', '--all', '--format=%H', '--', 'deploy-token.txt')).toBe('');
  expect(await rig.git('status', '--short')).toBe('?? deploy-token.txt\n');
  expect(rig.json('execution-result.json')).toMatchObject({ carried: [] });
});

describe('a work tree that git cannot take in as it was left', () => {
  const plan = planOf([task(1, [], ['a.txt']), task(2, [1], ['b.txt']), task(3, [], ['c.txt'])]);
  test.each([
    { kind: 'a file with a name of git’s own', left: { edits: { '.GIT/config': '[core]\n' } } },
    {
      kind: 'a pipe in place of a file',
      left: {
        runs: [
          ['rm', 'README.md'],
          ['mkfifo', 'README.md'],
        ],
      },
    },
    { kind: 'no folder any more', left: { runs: [['sh', '-c', 'rm -rf "$PWD"']] } },
    {
      kind: 'no git folder any more',
      left: { runs: [['sh', '-c', 'rm -rf "$(git rev-parse --absolute-git-dir)"']] },
    },
    {
      kind: 'a lock that a killed git left',
      left: { runs: [['sh', '-c', 'touch "$(git rev-parse --absolute-git-dir)/HEAD.lock"']] },
    },
  ])('$kind: only its task fails, and what waits for it', async ({ left }) => {
    const done = { 'TASK-003': { edits: { 'c.txt': 'right\n' } } };
    const rig = await approvedRig({ ...done, 'TASK-001': { ...left, answer: 'Done.' } }, { plan });
    const { code, stderr } = await rig.conclave('execute', '-y');
    expect({ code, stderr }).toMatchObject({ code: 7 });
    expect(stderr).toContain('1 of 3 tasks completed, 1 failed, 1 blocked');
    expect(rig.json('execution-result.json')).toMatchObject({
      tasks: [{ status: 'failed' }, { status: 'blocked' }, { status: 'completed' }],
    });
    expect(await rig.git('status', '--short')).toBe('');
    expect((await rig.git('worktree', 'list')).trim().split('\n')).toHaveLength(1);
  });
});

test('work that was discarded is asked for again, also where git has cleaned up since', async () => {
  const work = { ...right, 'TASK-001': { edits: { 'a.txt': 'right\n' } } };
  const rig = await approvedRig(work, { plan: three });
  expect((await rig.conclave('execute', '-y')).code).toBe(0);
  const asked = calls(rig, 'TASK-003-work');
  expect((await rig.conclave('execute', '-y', '--discard')).code).toBe(0);
  await rig.git('gc', '--quiet', '--prune=now');
  const { code, stderr } = await rig.conclave('execute', '-y', '--apply');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(calls(rig, 'TASK-003-work')).toBe(asked + 1);
  expect(rig.read('c.txt')).toBe('right\n');
});
