import { expect, test } from 'vitest';
import { approvedRig } from '../../helpers/executed-rig.ts';

test('a plan whose files changed is refused, planned again on request, and carried out then', async () => {
  const rig = await approvedRig({
    'TASK-001': { edits: { 'src/new.js': 'export {};\n' } },
    'TASK-002': { edits: { 'src/new2.js': 'export {};\n' } },
    'TASK-003': { edits: { 'src/new3.js': 'export {};\n' } },
  });
  rig.write('src/commands/list.js', `// changed\n${rig.read('src/commands/list.js')}`);
  const refused = await rig.conclave('execute');
  expect(refused.code).toBe(6);
  expect(refused.stderr).toContain('src/commands/list.js');
  const again = await rig.conclave('execute', '--replan');
  expect({ code: again.code, stderr: again.stderr }).toEqual({ code: 0, stderr: '' });
  expect(again.stdout).toContain('version 2');
  expect((await rig.conclave('execute')).code).toBe(6);
  expect((await rig.conclave('review', '--approve')).code).toBe(0);
  const done = await rig.conclave('execute', '--apply');
  expect({ code: done.code, stderr: done.stderr }).toEqual({ code: 0, stderr: '' });
  expect(rig.read('src/new3.js')).toBe('export {};\n');
  expect(rig.read('src/commands/list.js')).toContain('// changed');
});
