import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { approvedRig, workBy } from '../../helpers/executed-rig.ts';
import type { Rig } from '../../helpers/rig.ts';
import { has, planOf, runs, task } from '../../helpers/small-plans.ts';
import { todoRig } from '../../helpers/test-rig.ts';
import { todoTask } from '../../helpers/todo-project.ts';

const plan = planOf([
  task(1, [], ['a.txt'], [has('a.txt', 'right')]),
  task(2, [1], ['b.txt']),
  task(3, [], ['c.txt'], [has('c.txt', 'right')]),
]);

/** Every git process that a command of ours starts. */
async function gitCalls(rig: Rig, ...args: readonly string[]) {
  const log = join(rig.home, 'git.log');
  rmSync(log, { force: true });
  rig.environment['GIT_TRACE2'] = log;
  expect((await rig.conclave(...args)).code).toBe(0);
  const said = existsSync(log) ? readFileSync(log, 'utf8') : '';
  return [...said.matchAll(/ start git .*? -C \S+ (\S+)/g)].map(([, name]) => name);
}

/** How often a command of ours asks git for each of these; other questions hang on how fast agents are. */
async function asked(rig: Rig, args: readonly string[], names: readonly string[]) {
  const all = await gitCalls(rig, ...args);
  return Object.fromEntries(names.map((name) => [name, all.filter((one) => one === name).length]));
}

test('a plan asks git about what stays as it is only once', async () => {
  const rig = await todoRig();
  workBy(rig, {}, { plan });
  const kinds = 'check-ignore config diff for-each-ref log ls-files ls-tree rev-list rev-parse';
  const plans = ['plan', '--auto-yes', '--max-rounds', '3', todoTask];
  expect(await asked(rig, plans, kinds.split(' '))).toEqual({
    'check-ignore': 1,
    config: 1,
    diff: 1,
    'for-each-ref': 0,
    log: 1,
    'ls-files': 2,
    'ls-tree': 1,
    'rev-list': 0,
    'rev-parse': 1,
  });
});

test('an execution asks git for nothing that it knows', async () => {
  const work = {
    'TASK-003': { edits: { 'c.txt': 'right\n' } },
    'TASK-002': { edits: { 'b.txt': 'x\n' } },
    'TASK-001-work': { edits: { 'a.txt': 'wrong\n' } },
    'TASK-001-fix': { edits: { 'a.txt': 'right\n' } },
  };
  const rig = await approvedRig(work, { plan });
  const making = 'clean commit-tree merge reset symbolic-ref update-ref worktree write-tree';
  const reading = 'diff diff-tree for-each-ref ls-tree rev-list rev-parse';
  expect(await asked(rig, ['execute', '-y'], `${making} ${reading}`.split(' '))).toEqual({
    clean: 2,
    'commit-tree': 2,
    diff: 0,
    'diff-tree': 5,
    'for-each-ref': 1,
    'ls-tree': 1,
    merge: 0,
    reset: 4,
    'rev-list': 0,
    'rev-parse': 1,
    'symbolic-ref': 0,
    'update-ref': 1,
    worktree: 0,
    'write-tree': 0,
  });
});

test('a task takes at most 28 git processes, and its result at most 20 to come home', async () => {
  const one = planOf([task(1, [], ['a.txt'], [runs('grep', '-q', 'right', 'a.txt')])]);
  const rig = await approvedRig({ 'TASK-001': { edits: { 'a.txt': 'right\n' } } }, { plan: one });
  const calls = await gitCalls(rig, 'execute', '-y');
  // While an agent is slow its changes are looked at again and again, by three processes each time.
  const looks = calls.filter((name) => name === 'diff-index').length;
  expect(calls.length - 3 * looks).toBeLessThanOrEqual(28);
  expect((await gitCalls(rig, 'execute', '--apply', '-y')).length).toBeLessThanOrEqual(20);
  expect(rig.read('a.txt')).toBe('right\n');
});
