import { expect, test } from 'vitest';
import { approvedRig } from '../../helpers/executed-rig.ts';

const list = `export function listTodos(args) {
  if (args.includes('--json')) console.log('[]');
}

export function formatTodo(todo) {
  return \`\${todo.done ? 'x' : ' '} \${todo.text}\`;
}
`;

test('an approved plan is carried out apart, and brought home by --apply', async () => {
  const rig = await approvedRig({
    'TASK-001': { edits: { 'src/commands/list.js': list } },
    'TASK-002': { edits: { 'test/more.test.js': 'import "node:test";\n' } },
    'TASK-003': { edits: { 'src/format.js': 'export const a = 1;\n' } },
  });
  const { code, stdout, stderr } = await rig.conclave('execute');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toContain('--apply');
  expect(await rig.git('status', '--short')).toBe('');
  const applied = await rig.conclave('execute', '--apply');
  expect({ code: applied.code, stderr: applied.stderr }).toEqual({ code: 0, stderr: '' });
  expect(rig.read('src/commands/list.js')).toBe(list);
  expect(await rig.git('worktree', 'list')).not.toContain('trees');
});
