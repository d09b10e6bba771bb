import { expect, test } from 'vitest';
import { ExecutionResult } from '../../../src/model/execution.ts';
import { approvedRig } from '../../helpers/executed-rig.ts';
import type { Rig } from '../../helpers/rig.ts';
import { planOf, task } from '../../helpers/small-plans.ts';

const plan = planOf([
  { ...task(1, [], ['a.txt']), title: 'Add the first file' },
  { ...task(2, [], ['notes.md']), title: 'Say what it is for' },
]);
const work = {
  'TASK-001': { edits: { 'a.txt': 'a\n' } },
  'TASK-002': { edits: { 'notes.md': 'b\n' } },
};
const project = {
  name: 'conventional history',
  async make(rig: Rig) {
    for (const type of ['feat', 'fix', 'docs', 'feat(list)', 'chore']) {
      await rig.git('commit', '--quiet', '--allow-empty', '-m', `${type}: change something`);
    }
  },
};
const subjects = async (rig: Rig, ...range: readonly string[]) =>
  (await rig.git('log', '--no-merges', '--format=%s', '-n', '2', ...range)).trim().split('\n');

test('conventional commits that the history has are offered, and used where a setting says so', async () => {
  const rig = await approvedRig(work, { plan, project });
  const offered = await rig.conclave('execute', '-y', '--dry-run');
  expect(offered.stdout).toMatch(/Commits: +plain; 5 of the last 7 commits are conventional/);
  expect(offered.stdout).toContain('execution.commit_style');
  rig.config(`${rig.configured()}\n[execution]\ncommit_style = "project"\n`);
  const { code, stderr } = await rig.conclave('execute', '-y');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const { branch } = ExecutionResult.parse(rig.json('execution-result.json'));
  expect((await subjects(rig, branch ?? '')).toSorted()).toEqual([
    'docs: say what it is for',
    'feat: add the first file',
  ]);
  expect(await rig.git('log', '--merges', '--format=%s', '-n', '1', branch ?? '')).toMatch(
    /^Merge branch 'TASK-002'/,
  );
  expect((await rig.conclave('execute', '-y', '--apply', 'squash')).code).toBe(0);
  expect((await subjects(rig))[0]).toMatch(/^feat: add a --json flag to the list command/);
});

test('without a word commits stay plain, whatever the history has', async () => {
  const rig = await approvedRig(work, { plan, project });
  expect((await rig.conclave('execute', '-y', '--apply', 'linear')).code).toBe(0);
  expect((await subjects(rig)).toSorted()).toEqual(['Add the first file', 'Say what it is for']);
});
