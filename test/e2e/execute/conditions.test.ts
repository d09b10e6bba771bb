import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { approvedRig, workBy } from '../../helpers/executed-rig.ts';
import { planOf, task } from '../../helpers/small-plans.ts';
import { witnessed } from '../../helpers/vendors.ts';

const plan = planOf([task(1, [], ['a.txt']), task(2, [], ['b.txt'])]);
const work = {
  'TASK-001': { edits: { 'a.txt': 'a\n' } },
  'TASK-002': { edits: { 'b.txt': 'b\n' } },
};

test('commits that carry another name than the user’s are said before the start', async () => {
  const rig = await approvedRig(work, { plan });
  rmSync(join(rig.home, '.gitconfig'));
  await rig.git('config', 'user.useConfigOnly', 'true');
  const said =
    'Git has no user.name and user.email set here, so the commits carry Conclave and conclave@localhost';
  expect((await rig.conclave('execute', '--dry-run')).stdout).toContain(said);
  const { code, stdout } = await rig.conclave('execute', '-y');
  expect(code).toBe(0);
  expect(stdout.indexOf(said)).toBeGreaterThan(-1);
  expect(stdout.indexOf(said)).toBeLessThan(stdout.indexOf('given to alpha'));
  await rig.git('config', 'user.name', 'A');
  await rig.git('config', 'user.email', 'a@example.invalid');
  expect((await rig.conclave('execute', '--dry-run')).stdout).not.toContain('Git has no');
});

test('is_destructive has one task done at a time, which is said before the start', async () => {
  const more = '[execution]\njobs = 4\n[phases.execution]\nis_destructive = true\n';
  const rig = await approvedRig(work, { plan });
  workBy(rig, work, { plan, more });
  const said = 'One task at a time, as is_destructive is set for this phase.';
  expect((await rig.conclave('execute', '--dry-run')).stdout).toContain(said);
  const { code, stdout } = await rig.conclave('execute', '-y');
  expect(code).toBe(0);
  expect(stdout.indexOf(said)).toBeLessThan(stdout.indexOf('given to alpha'));
  expect(stdout).toContain('2 tasks, 1 at a time');
});

test('a task whose only check has no command stops the execution before anybody is asked', async () => {
  const check = { kind: 'test', path: 'a.spec.txt', criterion: 0 } as const;
  const own = planOf([task(1, [], ['a.txt'], [check]), task(2, [], ['b.txt'])]);
  const rig = await approvedRig(work, { plan: own });
  writeFileSync(join(rig.repo, 'a.spec.txt'), 'spec\n');
  await rig.git('add', '--all');
  await rig.git('commit', '--quiet', '-m', 'A test');
  const { code, stderr } = await rig.conclave('execute', '-y');
  expect(code).toBe(7);
  expect(stderr).toContain(
    'no agent was asked: the check "the tests in a.spec.txt pass" cannot run before the work: the project states no command for its tests. Change it to a command that runs its tests.',
  );
  expect(witnessed(rig, 'alpha').filter((line) => line.includes('TASK-'))).toEqual([]);
});
