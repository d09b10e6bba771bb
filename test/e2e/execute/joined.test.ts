import { describe, expect, test } from 'vitest';
import { ExecutionResult } from '../../../src/model/execution.ts';
import { titleOf } from '../../../src/model/wording.ts';
import { approvedRig, executedRig, type Work, workBy } from '../../helpers/executed-rig.ts';
import type { Rig } from '../../helpers/rig.ts';
import { short } from '../../helpers/short-form.ts';
import { has, planOf, runs, task } from '../../helpers/small-plans.ts';
import { todoTask } from '../../helpers/todo-project.ts';
import { witnessed } from '../../helpers/vendors.ts';

const resultOf = (rig: Rig): ExecutionResult =>
  ExecutionResult.parse(rig.json('execution-result.json'));

const calls = (rig: Rig, key: string) =>
  witnessed(rig, 'alpha').filter((line) => line.startsWith(`start ${key} `)).length;

const sum = {
  name: 'has-add',
  async make(rig: Rig) {
    rig.write('src/math.js', 'export const add = (a, b) => a + b;\n');
    await rig.git('add', '-A');
    await rig.git('commit', '-qm', 'Add add');
  },
};

/** Node can load a module, with what it imports. */
const loads = (path: string) => runs('node', path);

describe('the joined work', () => {
  const plan = planOf([
    task(1, [], ['src/math.js'], [has('src/math.js', 'sum'), loads('src/math.js')]),
    task(2, [], ['src/user.js'], [loads('src/user.js')]),
  ]);
  const renamed = 'export const sum = (a, b) => a + b;\n';
  const work: Work = {
    'TASK-001': { edits: { 'src/math.js': renamed } },
    'TASK-002': { edits: { 'src/user.js': "import { add } from './math.js';\nadd(1, 2);\n" } },
  };
  const right = { 'src/user.js': "import { sum } from './math.js';\nsum(1, 2);\n" };

  test('is checked: what breaks only together is never completed', async () => {
    const rig = await approvedRig(work, { plan, project: sum });
    const { code, stdout } = await rig.conclave('execute', '-y', '--apply');
    expect(code).toBe(7);
    expect(stdout).toContain('on the joined result');
    expect(resultOf(rig)).toMatchObject({
      status: 'partial',
      broken: expect.stringMatching(
        /^on the joined result the check "node src\/user.js" fails: exit code 1 of TASK-002$/,
      ),
      tasks: [{ status: 'completed' }, { status: 'failed' }],
    });
    expect(calls(rig, 'joined-fix')).toBe(1);
    expect(rig.read('src/math.js')).toContain('add');
    // Nor is it brought home by somebody who asks again.
    expect((await rig.conclave('execute', '-y', '--apply')).code).toBe(7);
    expect(rig.read('src/math.js')).toContain('add');
  });

  test('is put right by an agent once, and comes home then', short, async () => {
    const rig = await approvedRig(
      { ...work, 'joined-fix': { edits: right } },
      { plan, project: sum },
    );
    const { code, stderr } = await rig.conclave('execute', '-y', '--apply');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(resultOf(rig)).toMatchObject({
      status: 'completed',
      notes: [expect.stringContaining('an agent fixed what failed: on the joined result')],
    });
    expect(rig.read('src/user.js')).toBe(right['src/user.js']);
    expect(calls(rig, 'joined-fix')).toBe(1);
  });

  test('has an end, too, if who was to put it right leaves no work tree', short, async () => {
    const gone = { runs: [['sh', '-c', 'rm -r "$PWD"']] };
    const rig = await approvedRig({ ...work, 'joined-fix': gone }, { plan, project: sum });
    const { code, stdout } = await rig.conclave('execute', '-y');
    expect({ code, stdout }).toEqual({
      code: 7,
      stdout: expect.stringContaining('The fixes are not taken: git cannot read its work tree'),
    });
    expect(resultOf(rig)).toMatchObject({ status: 'partial' });
  });

  test('is not put right by a test that is weakened', async () => {
    const passing =
      "import test from 'node:test';\nimport '../src/user.js';\ntest('x', () => {});\n";
    const project = {
      name: 'has-add-and-test',
      async make(rig: Rig) {
        await sum.make(rig);
        rig.write('src/user.js', '');
        rig.write('test/user.test.js', passing);
        await rig.git('add', '-A');
        await rig.git('commit', '-qm', 'Test it');
      },
    };
    const tested = planOf([
      task(1, [], ['src/math.js'], [has('src/math.js', 'sum')]),
      task(2, [], ['src/user.js'], [has('src/user.js', 'add'), runs('node', '--test')]),
    ]);
    const weak = { 'joined-fix': { edits: { 'test/user.test.js': null } } };
    const rig = await approvedRig({ ...work, ...weak }, { plan: tested, project });
    expect((await rig.conclave('execute', '-y')).code).toBe(7);
    expect(resultOf(rig).broken).toContain('"node --test" fails');
  });

  test('is checked in a clean checkout: what git ignores proves nothing there', async () => {
    const project = {
      name: 'ignores-out',
      async make(rig: Rig) {
        rig.write('.gitignore', 'out/\n');
        await rig.git('add', '-A');
        await rig.git('commit', '-qm', 'Ignore what is built');
      },
    };
    const ignoring = planOf([
      task(1, [], ['a.txt'], [{ kind: 'file', path: 'out/x.js', exists: true, criterion: 0 }]),
      task(2, [], ['b.txt']),
    ]);
    const edits = {
      'TASK-001': { edits: { 'a.txt': 'x\n', 'out/x.js': 'x\n' } },
      'TASK-002': { edits: { 'b.txt': 'x\n' } },
    };
    const rig = await approvedRig(edits, { plan: ignoring, project });
    expect((await rig.conclave('execute', '-y')).code).toBe(7);
    expect(resultOf(rig)).toMatchObject({
      tasks: [
        { status: 'failed', why: expect.stringContaining('TASK-001') },
        { status: 'completed' },
      ],
    });
  });

  test('is checked again where the branch has moved meanwhile, and stays away if it fails there', async () => {
    const using = planOf([
      task(1, [], ['src/user.js'], [loads('src/user.js')]),
      task(2, [], ['b.txt']),
    ]);
    const own = { 'TASK-001': work['TASK-002'] ?? {}, 'TASK-002': { edits: { 'b.txt': 'x\n' } } };
    const rename = async (rig: Rig) => {
      rig.write('src/math.js', renamed);
      await rig.git('commit', '-qam', 'Rename add');
    };
    const rig = await executedRig(own, { plan: using, project: sum });
    await rename(rig);
    const { code, stderr } = await rig.conclave('execute', '-y', '--apply');
    expect({ code, stderr }).toEqual({
      code: 7,
      stderr: expect.stringContaining(
        'Nothing was applied: on the merge with what is checked out now the check "node src/user.js" fails',
      ),
    });
    expect(await rig.git('log', '-1', '--format=%s')).toBe('Rename add\n');
    expect(await rig.git('status', '--short')).toBe('');

    const fixed = await executedRig(own, { plan: using, project: sum });
    workBy(fixed, { ...own, 'joined-fix': { edits: right } }, { plan: using });
    await rename(fixed);
    expect((await fixed.conclave('execute', '-y', '--apply')).code).toBe(0);
    expect(fixed.read('src/user.js')).toBe(right['src/user.js']);
    expect(fixed.read('src/math.js')).toBe(renamed);
  });
});

describe('a conflict', () => {
  test('is no longer resolved by an agent that does nothing, be it binary or a deletion', async () => {
    const project = {
      name: 'has-logo',
      async make(rig: Rig) {
        rig.write('logo.png', '\0one');
        rig.write('src/b.js', 'b\n');
        await rig.git('add', '-A');
        await rig.git('commit', '-qm', 'Add a logo');
      },
    };
    const gone = { kind: 'file', path: 'src/b.js', exists: false, criterion: 0 };
    const plan = planOf([task(1, [], ['a.txt']), task(2, [], ['c.txt'], [gone])]);
    const edits = {
      'TASK-001': { edits: { 'a.txt': 'x\n', 'logo.png': '\0two', 'src/b.js': 'more\n' } },
      'TASK-002-work': { edits: { 'c.txt': 'x\n', 'logo.png': '\0three', 'src/b.js': null } },
    };
    const idle = { ...edits, 'TASK-002-conflict': { answer: 'Trust me.' } };
    const rig = await approvedRig(idle, { plan, project });
    expect((await rig.conclave('execute', '-y')).code).toBe(7);
    expect(resultOf(rig).tasks[1]).toMatchObject({
      status: 'failed',
      why: expect.stringContaining('it conflicts with earlier tasks in logo.png, src/b.js'),
    });
  });

  test('is resolved only where the checks of both tasks pass', async () => {
    const plan = planOf([
      task(1, [], ['a.txt'], [has('shared.txt', 'one')]),
      task(2, [], ['b.txt'], [has('shared.txt', 'two')]),
    ]);
    const both = {
      'TASK-001': { edits: { 'a.txt': 'x\n', 'shared.txt': 'one\n' } },
      'TASK-002-work': { edits: { 'b.txt': 'x\n', 'shared.txt': 'two\n' } },
    };
    const lost = { ...both, 'TASK-002-conflict': { edits: { 'shared.txt': 'two!\n' } } };
    const rig = await approvedRig(lost, { plan });
    expect((await rig.conclave('execute', '-y')).code).toBe(7);
    const kept = { ...both, 'TASK-002-conflict': { edits: { 'shared.txt': 'one and two\n' } } };
    const good = await approvedRig(kept, { plan });
    const { code, stderr } = await good.conclave('execute', '-y');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });

  test('in a work tree that git can read no more fails its task and no other', async () => {
    const plan = planOf([
      task(1, [], ['a.txt'], [has('shared.txt', 'one')]),
      task(2, [], ['b.txt'], [has('shared.txt', 'two')]),
      task(3, [], ['c.txt']),
    ]);
    const gone = ['sh', '-c', 'rm -rf "$(git rev-parse --absolute-git-dir)"'];
    const rig = await approvedRig(
      {
        'TASK-001': { edits: { 'a.txt': 'x\n', 'shared.txt': 'one\n' } },
        'TASK-002-work': { edits: { 'b.txt': 'x\n', 'shared.txt': 'two\n' } },
        'TASK-002-conflict': { runs: [gone], edits: { 'shared.txt': 'one and two\n' } },
        'TASK-003': { edits: { 'c.txt': 'x\n' } },
      },
      { plan },
    );
    const { code, stdout } = await rig.conclave('execute', '-y');
    expect(code).toBe(7);
    expect(stdout).toContain('The merge of TASK-002 is not accepted: git cannot read');
    expect(resultOf(rig)).toMatchObject({
      status: 'partial',
      tasks: [
        { status: 'completed' },
        { status: 'failed', why: expect.stringContaining('conflicts with earlier tasks') },
        { status: 'completed' },
      ],
    });
    expect(await rig.git('show', `${resultOf(rig).commit}:c.txt`)).toBe('x\n');
  });

  const diamond = planOf([
    task(1, [], ['a.txt'], [has('shared.txt', 'one')]),
    task(2, [], ['b.txt'], [has('shared.txt', 'two')]),
    task(3, [1, 2], ['c.txt']),
    task(4, [1, 2], ['d.txt']),
  ]);
  const work: Work = {
    'TASK-001': { edits: { 'a.txt': 'x\n', 'shared.txt': 'one\n' } },
    'TASK-002': { edits: { 'b.txt': 'x\n', 'shared.txt': 'two\n' } },
    'TASK-003-work': { edits: { 'c.txt': 'x\n' } },
    'TASK-004-work': { edits: { 'd.txt': 'x\n' } },
    'TASK-002-conflict': { edits: { 'shared.txt': 'one and two\n' } },
  };

  test.each([
    ['merge', ['Do 1', 'Do 2', 'Do 3', 'Do 4', 'Merge TASK-002: Do 2', 'Merge TASK-004: Do 4']],
    ['squash', [titleOf(todoTask)]],
    ['linear', [titleOf(todoTask), 'Do 1']],
  ])('of a diamond is paid once; it comes home as %s', async (how, subjects) => {
    const rig = await executedRig(work, { plan: diamond });
    const before = (await rig.git('rev-parse', 'HEAD')).trim();
    expect(calls(rig, 'TASK-002-conflict')).toBe(1);
    expect(resultOf(rig).conflicts).toEqual([
      { task: 'TASK-002', files: ['shared.txt'], resolved: true },
    ]);
    expect((await rig.conclave('execute', '-y', '--apply', how)).code).toBe(0);
    const log = await rig.git('log', '--format=%s', `${before}..HEAD`);
    expect(log.trim().split('\n').toSorted()).toEqual(subjects);
    expect(rig.read('shared.txt')).toBe('one and two\n');
    expect(rig.read('d.txt')).toBe('x\n');
    expect(await rig.git('status', '--short')).toBe('');
    expect((await rig.git('branch', '--list', 'conclave/*')).trim().split('\n').length).toBe(1);
    const trailers = await rig.git(
      'log',
      '--format=%(trailers:key=Conclave-Task,valueonly)',
      `${before}..HEAD`,
    );
    for (const id of [1, 2, 3, 4]) expect(trailers.split(`TASK-00${id}`).length).toBe(2);
  });
});

test('a series without conflicts comes home as one commit a task, by the setting', async () => {
  const plan = planOf([task(1, [], ['a.txt']), task(2, [], ['b.txt']), task(3, [1, 2], ['c.txt'])]);
  const work = {
    'TASK-001': { edits: { 'a.txt': 'x\n' } },
    'TASK-002': { edits: { 'b.txt': 'x\n' } },
    'TASK-003': { edits: { 'c.txt': 'x\n' } },
  };
  const rig = await approvedRig(work, { plan, more: '[execution]\napply = "linear"\n' });
  rig.write('own.txt', 'x\n');
  const { code, stderr } = await rig.conclave('execute', '-y', '--apply');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(
    (await rig.git('log', '--format=%s %P', '-3'))
      .trim()
      .split('\n')
      .map((line) => line.replace(/ \S+$/, '')),
  ).toEqual(['Do 3', 'Do 2', 'Do 1']);
});
