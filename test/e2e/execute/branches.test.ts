import { existsSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { expect, test } from 'vitest';
import { approvedRig, workBy } from '../../helpers/executed-rig.ts';
import type { Rig } from '../../helpers/rig.ts';
import { short } from '../../helpers/short-form.ts';
import { todoRig } from '../../helpers/test-rig.ts';
import { configureVendors, witnessed } from '../../helpers/vendors.ts';
import { planOf, task } from '../../helpers/small-plans.ts';

const plan = planOf([task(1, [], ['a.txt']), task(2, [], ['b.txt'])]);
const doing = {
  'TASK-001': { edits: { 'a.txt': 'a\n' } },
  'TASK-002': { edits: { 'b.txt': 'b\n' } },
};
const oldGit = new URL('../../fixtures/old-git', import.meta.url).pathname;

const refs = async (rig: Rig) =>
  (await rig.git('for-each-ref', '--format=%(refname)', 'refs/heads', 'refs/conclave'))
    .split('\n')
    .filter((ref) => ref !== '' && ref !== 'refs/heads/main');

test(
  'a branch in the place of those of executions is told before anybody is asked',
  short,
  async () => {
    const rig = await todoRig();
    await rig.git('branch', 'conclave');
    const { code, stderr } = await rig.conclave('plan', '-y', '--tools', 'local', 'Add a flag');
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringContaining(
        'The branch conclave blocks conclave/SESSION, the branch for the result; rename it, or set execution.branch_prefix',
      ),
    });
    configureVendors(rig, { alpha: {} }, '[execution]\nbranch_prefix = "no..name"\n');
    const refused = await rig.conclave('plan', '-y', '--tools', 'local', 'Add a flag');
    expect(refused.stderr).toContain('git takes no branch no..name/SESSION');
  },
);

test('branches are named as the settings prescribe, and gone once the result is applied', async () => {
  const more = '[execution]\nbranch_prefix = "team/plans"\n';
  const rig = await approvedRig(doing, { plan, more });
  expect((await rig.conclave('execute', '-y')).code).toBe(0);
  const [branch = '', ...others] = await refs(rig);
  expect([branch, others]).toEqual([expect.stringMatching(/^refs\/heads\/team\/plans\/MCP-/), []]);
  expect(rig.json('execution-result.json')).not.toHaveProperty('home_changes');
  expect((await rig.conclave('execute', '-y', '--apply')).code).toBe(0);
  expect(await refs(rig)).toEqual([]);
  expect(rig.read('a.txt')).toBe('a\n');
  const again = await rig.conclave('pr', '--dry-run');
  expect({ code: again.code, stderr: again.stderr }).toEqual({
    code: 2,
    stderr: expect.stringContaining('was applied, so its branch'),
  });
});

test('a branch with more than the result, or that is checked out, stays, and that is said', async () => {
  const rig = await approvedRig(doing, { plan });
  expect((await rig.conclave('execute', '-y')).code).toBe(0);
  const [ref = ''] = await refs(rig);
  const branch = ref.slice('refs/heads/'.length);
  await rig.git('worktree', 'add', '--quiet', '../beside', branch);
  const { code, stdout } = await rig.conclave('execute', '-y', '--apply');
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout: expect.stringContaining(`the branch ${branch} stays, as it is checked out in `),
  });
  expect(await refs(rig)).toEqual([ref]);
});

test('sessions rm leaves no branch; a result that was not applied stays, and is named', async () => {
  const dirty = { 'README.md': 'Mine.\n' };
  const edits = { 'b.txt': 'b\n', 'README.md': 'Yours.\n', '.toolrc': 'x\n' };
  const rig = await approvedRig({ ...doing, 'TASK-002': { edits } }, { plan, dirty });
  expect((await rig.conclave('execute', '-y')).code).toBe(0);
  rig.write('README.md', 'Mine again.\n');
  const refused = await rig.conclave('execute', '-y', '--apply');
  const [, versions = ''] = /versions of the tasks are in (.+?)\)/.exec(refused.stderr) ?? [];
  const { stdout } = await rig.conclave('sessions', 'rm', '-y', 'MCP-');
  expect(existsSync(versions)).toBe(true);
  expect(stdout).toContain(`kept in ${dirname(versions)}`);
  const [held, work, branch = '', ...others] = await refs(rig);
  expect([held, work, others]).toEqual([
    expect.stringContaining('refs/conclave/held/'),
    expect.stringContaining('refs/conclave/work/'),
    [],
  ]);
  expect(stdout).toContain(`stays on the branch ${branch.slice('refs/heads/'.length)}`);
  const [, commands = ''] = /too: (.+)/.exec(stdout) ?? [];
  for (const one of commands.split(' && ')) {
    await rig.git(...one.split(' ').slice(1));
  }
  expect(await refs(rig)).toEqual([]);
});

test(
  'a git that cannot tell carried files apart from the work is told before anybody is paid',
  short,
  async () => {
    const rig = await approvedRig(doing, { plan, dirty: { 'README.md': 'Mine.\n' } });
    rig.environment['PATH'] = `${oldGit}:${rig.environment['PATH'] ?? ''}`;
    const { code, stderr } = await rig.conclave('execute', '-y');
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringMatching(
        /README\.md, which needs git 2\.38 or later, and this is git version 2\.34/,
      ),
    });
    expect(witnessed(rig, 'alpha').join()).not.toContain('TASK-001');
  },
);

test('tasks that were done stay done after a squash, although git throws away what has no name', async () => {
  const rig = await approvedRig({ 'TASK-001': doing['TASK-001'] }, { plan });
  expect((await rig.conclave('execute', '-y')).code).toBe(7);
  expect((await rig.conclave('execute', '-y', '--apply', 'squash')).stderr).toContain(
    'merged into main',
  );
  expect((await refs(rig)).filter((ref) => ref.startsWith('refs/heads/'))).toEqual([]);
  await rig.git('reflog', 'expire', '--expire=now', '--all');
  await rig.git('gc', '--quiet', '--prune=now');

  workBy(rig, { 'TASK-002': doing['TASK-002'] }, { plan });
  const id = basename(rig.session());
  const { code, stderr } = await rig.conclave('execute', id, '-y', '--retry', 'TASK-002');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect((await rig.conclave('execute', id, '-y', '--apply')).code).toBe(0);
  expect([rig.read('a.txt'), rig.read('b.txt')]).toEqual(['a\n', 'b\n']);
  await rig.conclave('sessions', 'rm', id, '-y');
  expect(await refs(rig)).toEqual([]);
});

test('a result that is only written to files keeps its branch, and names it', async () => {
  const project = {
    name: 'before the first commit',
    make: async (rig: Rig) => void (await rig.git('update-ref', '-d', 'HEAD')),
  };
  const rig = await approvedRig(doing, { plan, project });
  expect((await rig.conclave('execute', '-y')).code).toBe(0);
  const ref = (await refs(rig)).find((one) => one.startsWith('refs/heads/')) ?? '';
  const { code, stdout } = await rig.conclave('execute', '-y', '--apply');
  const branch = ref.slice('refs/heads/'.length);
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout: expect.stringContaining(
      `the branch ${branch} stays, because its result is not committed`,
    ),
  });
  expect(await refs(rig)).toContain(ref);
});
