import { expect, test } from 'vitest';
import { approvedRig, todoEdits } from '../../helpers/executed-rig.ts';

test('an approved plan is carried out apart, and brought home by --apply', async () => {
  const rig = await approvedRig(todoEdits);
  const { code, stdout, stderr } = await rig.conclave('execute');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toContain('--apply');
  expect(await rig.git('status', '--short')).toBe('');
  const applied = await rig.conclave('execute', '--apply');
  expect({ code: applied.code, stderr: applied.stderr }).toEqual({ code: 0, stderr: '' });
  expect(rig.read('src/commands/list.js')).toBe(
    todoEdits['TASK-001'].edits['src/commands/list.js'],
  );
  expect(await rig.git('worktree', 'list')).not.toContain('trees');
});
