import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { approvedRig, workBy } from '../../helpers/executed-rig.ts';
import { planOf, task } from '../../helpers/small-plans.ts';

const plan = planOf([task(1, [], ['a.txt']), task(2, [], ['b.txt'])]);
const work = {
  'TASK-001': { edits: { 'a.txt': 'a\n' } },
  'TASK-002': { edits: { 'b.txt': 'b\n' } },
};

test('commits that carry another name than the user’s are said before the start and in the result', async () => {
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
  expect(rig.json('execution-result.json')).toMatchObject({
    notes: [expect.stringContaining(said)],
  });
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
