import { expect, test } from 'vitest';
import { approvedRig } from '../../helpers/executed-rig.ts';
import { planOf, task } from '../../helpers/small-plans.ts';

/** Every branch and HEAD of the repository at a commit without a past. */
const moving = `orphan=$(git -c user.name=x -c user.email=x commit-tree -m x "$(git mktree </dev/null)") && for ref in $(git for-each-ref --format='%(refname)' refs/heads); do git update-ref "$ref" "$orphan"; done`;

test('an agent that moves all branches ends neither the other tasks nor the execution', async () => {
  const plan = planOf([task(1, [], ['a.txt']), task(2, [], ['b.txt']), task(3, [], ['c.txt'])]);
  const rig = await approvedRig(
    {
      'TASK-001': { edits: { 'a.txt': 'a\n' } },
      'TASK-002': { edits: { 'b.txt': 'b\n' }, runs: [['sh', '-c', moving]] },
      'TASK-003': { edits: { 'c.txt': 'c\n' } },
    },
    { plan },
  );
  const { code, stdout, stderr } = await rig.conclave('execute', '-y', '--jobs', '1');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toContain('3 of 3 tasks completed');
  expect(stdout).toContain('changed in your own work tree or repository, while alpha worked');
  const apply = await rig.conclave('execute', '-y', '--apply');
  expect({ code: apply.code, stderr: apply.stderr }).toEqual({
    code: 7,
    stderr: expect.stringContaining('which has no commit in common with it'),
  });
  expect(`${stdout}${apply.stderr}`).not.toContain('fatal:');
});
