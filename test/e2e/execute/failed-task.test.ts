import { readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { approvedRig, workBy } from '../../helpers/executed-rig.ts';
import { connect } from '../../helpers/mcp-host.ts';
import type { Rig } from '../../helpers/rig.ts';
import { has, planOf, runs, task } from '../../helpers/small-plans.ts';
import { configureVendors, witnessed } from '../../helpers/vendors.ts';

/** Passes after the work, and leaves a file. */
const leaves = runs('sh', '-c', 'echo x > left.txt; test -f a.txt');
const plan = planOf([
  task(1, [], ['a.txt'], [leaves, has('a.txt', 'right')]),
  task(2, [1], ['b.txt']),
  task(3, [], ['c.txt']),
]);
const others = {
  'TASK-002': { edits: { 'b.txt': 'b\n' } },
  'TASK-003': { edits: { 'c.txt': 'c\n' } },
};
const wrong = { ...others, 'TASK-001': { edits: { 'a.txt': 'wrong\n' } } };
const right = { ...others, 'TASK-001': { edits: { 'a.txt': 'right\n' } } };

const calls = (rig: Rig, name: string, key: string) =>
  witnessed(rig, name).filter((line) => line.startsWith(`start ${key} `)).length;

test('a task that has failed can be put right by hand in its work tree, and no agent is asked for that', async () => {
  const rig = await approvedRig(wrong, { plan });
  const { stderr } = await rig.conclave('execute', '-y');
  const [, tree = ''] = /by hand in (\S+), then with --execution hand/.exec(stderr) ?? [];
  expect(readFileSync(join(tree, 'a.txt'), 'utf8')).toBe('wrong\n');
  const alone = await rig.conclave('execute', '-y', '--execution', 'hand');
  expect({ code: alone.code, stderr: alone.stderr }).toEqual({
    code: 2,
    stderr: expect.stringContaining('--execution hand needs --retry TASK'),
  });
  writeFileSync(join(tree, 'a.txt'), 'right\n');
  const hand = ['execute', '-y', '--retry', 'TASK-001', '--execution', 'hand', '--apply'];
  const { code, stderr: said } = await rig.conclave(...hand);
  expect({ code, said }).toEqual({ code: 0, said: '' });
  expect([calls(rig, 'alpha', 'TASK-001-work'), calls(rig, 'alpha', 'TASK-001-fix')]).toEqual([
    1, 2,
  ]);
  expect([rig.read('a.txt'), rig.read('b.txt')]).toEqual(['right\n', 'b\n']);
  expect(await rig.git('ls-files', 'left.txt')).toBe('');
  expect((await rig.git('worktree', 'list')).trim().split('\n')).toHaveLength(1);
});

test('what a person left by hand is judged like any work, and fails again without a call', async () => {
  const rig = await approvedRig(wrong, { plan });
  await rig.conclave('execute', '-y');
  const again = ['execute', '-y', '--retry', 'TASK-001', '--execution', 'hand'];
  const { code, stderr } = await rig.conclave(...again);
  expect({ code, stderr }).toEqual({ code: 7, stderr: expect.stringContaining('TASK-001 failed') });
  expect(calls(rig, 'alpha', 'TASK-001-fix')).toBe(2);
});

test('in a job of a host, a failed task is a question with what failed, which the next call answers', async () => {
  const rig = await approvedRig(wrong, { plan, more: '[mcp]\nmay = ["decide", "execute"]\n' });
  const { call } = await connect(rig, { era: 'auto' });
  const session = basename(rig.session());
  const begun = await call('plan_execute', { session, review: 'skip', wait_s: 170 });
  expect(begun.facts).toMatchObject({ state: 'waiting' });
  expect(begun.facts['waits_for']).toContain('TASK-001 Do 1 has failed. What now?');
  expect(begun.facts['waits_for']).toContain('it is not there');
  workBy(rig, right, { plan, more: '[mcp]\nmay = ["decide", "execute"]\n' });
  const decided = await call('plan_decide', { session, answers: ['beta'], wait_s: 170 });
  expect(decided.facts).toMatchObject({ state: 'waiting' });
  const { facts } = await call('plan_execute', {
    session,
    answers: ['beta'],
    review: 'skip',
    wait_s: 170,
  });
  expect(facts).toMatchObject({ state: 'done' });
  expect(rig.json('execution-result.json')).toMatchObject({
    tasks: [{ executor: 'beta' }, {}, {}],
  });
});

test('an agent that rests fails no other task: they are not begun, and go on by the same command', async () => {
  const rig = await approvedRig(right, { plan });
  const answered = Object.fromEntries(
    Object.entries(right).map(([id, act]) => [id, { answer: 'Done.', ...act }]),
  );
  configureVendors(rig, { alpha: { else: { exit: 1, stderr: 'no such model server' } } });
  const { code, stderr } = await rig.conclave('execute', '-y', '--jobs', '1');
  expect({ code, stderr }).toMatchObject({ code: 7 });
  expect(rig.json('execution-result.json')).toMatchObject({
    tasks: [
      { status: 'failed' },
      { status: 'blocked' },
      { status: 'blocked', why: expect.stringContaining('not begun, as who could do it rests') },
    ],
  });
  expect(calls(rig, 'alpha', 'TASK-003-work')).toBe(0);
  const failed = calls(rig, 'alpha', 'TASK-001-work');
  configureVendors(rig, { alpha: answered });
  expect((await rig.conclave('execute', '-y')).code).toBe(7);
  expect(rig.json('execution-result.json')).toMatchObject({
    tasks: [{ status: 'failed' }, { status: 'blocked' }, { status: 'completed' }],
  });
  expect(calls(rig, 'alpha', 'TASK-001-work')).toBe(failed);
  expect((await rig.conclave('execute', '-y', '--retry', 'TASK-001')).code).toBe(0);
});
