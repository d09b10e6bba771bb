import { rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { approvedRig, type Work } from '../../helpers/executed-rig.ts';
import type { Rig } from '../../helpers/rig.ts';
import { short } from '../../helpers/short-form.ts';
import { has, planOf, task } from '../../helpers/small-plans.ts';
import { witnessed } from '../../helpers/vendors.ts';

const plan = planOf([task(1, [], ['a.txt'], [has('shared.txt', 'task')]), task(2, [], ['b.txt'])]);
const work: Work = {
  'TASK-001': { edits: { 'a.txt': 'x\n', 'shared.txt': 'task\n' } },
  'TASK-002': { edits: { 'b.txt': 'x\n' } },
};
const both = { 'apply-conflict': { edits: { 'shared.txt': 'task and mine\n' } } };
const idle = { 'apply-conflict': { answer: 'Trust me.' } };

/** A result whose branch conflicts with what the user committed meanwhile. */
async function conflicting(more: Work): Promise<Rig> {
  const rig = await approvedRig({ ...work, ...more }, { plan });
  expect((await rig.conclave('execute', '-y')).code).toBe(0);
  rig.write('shared.txt', 'mine\n');
  await rig.git('add', '-A');
  await rig.git('commit', '-qm', 'Write it myself');
  return rig;
}

const paid = (rig: Rig, agent: 'alpha' | 'beta') =>
  witnessed(rig, agent).filter((line) => line.startsWith('start apply-conflict ')).length;

test('a result that conflicts with what is checked out stays, with a command for an agent and one by hand', async () => {
  const rig = await conflicting(both);
  const id = basename(rig.session());
  const { code, stderr } = await rig.conclave('execute', '-y', '--apply');
  expect(code).toBe(7);
  expect(stderr).toContain(
    'Nothing was applied: these files conflict with what is checked out: shared.txt.',
  );
  expect(stderr).toContain(`conclave execute ${id} --apply --resolve-with NAME`);
  expect(stderr).toMatch(new RegExp(`merge it by hand: git merge conclave/${id}$`, 'm'));
  expect(paid(rig, 'alpha') + paid(rig, 'beta')).toBe(0);
  expect(rig.read('shared.txt')).toBe('mine\n');
  expect(await rig.git('status', '--short')).toBe('');

  const byHand = await rig.git('merge', '--quiet', `conclave/${id}`).catch(() => 'conflict');
  expect(byHand).toBe('conflict');
  rig.write('shared.txt', 'task and mine\n');
  await rig.git('add', '-A');
  await rig.git('commit', '-qm', 'Merge it');
  const after = await rig.conclave('execute', '-y', '--apply');
  expect({ code: after.code, stderr: after.stderr }).toEqual({ code: 0, stderr: '' });
  expect(await rig.git('branch', '--list', 'conclave/*')).toBe('');
});

for (const how of ['merge', 'squash', 'linear']) {
  test(
    `the agent that is named resolves it, and it comes home as ${how}`,
    how === 'merge' ? short : {},
    async () => {
      const rig = await conflicting(both);
      const args = ['execute', '-y', '--apply', how, '--resolve-with', 'beta'];
      const { code, stdout, stderr } = await rig.conclave(...args);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(stdout).toContain('beta resolved the conflict in shared.txt');
      expect([paid(rig, 'alpha'), paid(rig, 'beta')]).toEqual([0, 1]);
      expect(rig.read('shared.txt')).toBe('task and mine\n');
      expect(rig.read('b.txt')).toBe('x\n');
      expect(await rig.git('status', '--short')).toBe('');
      expect(await rig.git('branch', '--list', 'conclave/*')).toBe('');
      expect(await rig.git('log', '--format=%s')).toContain('Write it myself');
      expect(rig.json('execution-result.json')).toMatchObject({
        applied: expect.stringContaining('beta resolved the conflict in shared.txt'),
      });
    },
  );
}

test('it counts only where it was resolved and the checks pass, and the same conflict is paid once', async () => {
  const unresolved = await conflicting(idle);
  const args = ['execute', '-y', '--apply', '--resolve-with', 'alpha'];
  const left = await unresolved.conclave(...args);
  expect(left.code).toBe(7);
  expect(left.stderr).toContain('alpha did not resolve the conflict in shared.txt');
  expect(unresolved.read('shared.txt')).toBe('mine\n');

  const lost = await conflicting({
    'apply-conflict': { edits: { 'shared.txt': 'mine alone\n' } },
  });
  for (let times = 0; times < 2; times += 1) {
    const failed = await lost.conclave(...args);
    expect(failed.code).toBe(7);
    expect(failed.stderr).toContain('on the merge with what is checked out now');
    expect(paid(lost, 'alpha')).toBe(1);
  }
  expect(lost.read('shared.txt')).toBe('mine\n');

  const blocked = await conflicting(both);
  blocked.write('b.txt', 'mine, and in no commit\n');
  expect((await blocked.conclave(...args)).stderr).toContain('would be overwritten: b.txt');
  rmSync(join(blocked.repo, 'b.txt'));
  expect((await blocked.conclave(...args)).code).toBe(0);
  expect(paid(blocked, 'alpha')).toBe(1);
});

test.each([
  [['--resolve-with', 'alpha'], '--resolve-with needs --apply'],
  [['--apply', '--resolve-with', 'gamma'], '--resolve-with: there is no agent "gamma"'],
])('%j is refused', async (flags, sentence) => {
  const rig = await conflicting(both);
  const { code, stderr } = await rig.conclave('execute', '-y', ...flags);
  expect(code).toBe(2);
  expect(stderr).toContain(sentence);
});
