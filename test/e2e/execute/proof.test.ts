import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { CheckRecord } from '../../../src/model/check-record.ts';
import { ExecutionResult, type TaskOutcome } from '../../../src/model/execution.ts';
import { approvedRig, type Work } from '../../helpers/executed-rig.ts';
import type { Rig } from '../../helpers/rig.ts';
import { short } from '../../helpers/short-form.ts';
import { has, planOf, runs, task } from '../../helpers/small-plans.ts';

const resultOf = (rig: Rig): ExecutionResult =>
  ExecutionResult.parse(rig.json('execution-result.json'));

const outcome = (rig: Rig, id = 'TASK-001'): TaskOutcome | undefined =>
  resultOf(rig).tasks.find(({ task: one }) => one === id);

/** Passes at its second run, by a cache that git ignores. */
const cached = runs(
  'node',
  '-e',
  "const fs = require('fs'); if (!fs.existsSync('build/cache')) { fs.mkdirSync('build', { recursive: true }); fs.writeFileSync('build/cache', ''); process.exit(1); }",
);

const ignoring = {
  name: 'ignores-build',
  async make(rig: Rig) {
    rig.write('.gitignore', 'build/\n');
    await rig.git('add', '-A');
    await rig.git('commit', '-qm', 'Ignore what is built');
  },
};

describe('nothing on the branch is never completed', () => {
  test('though a check turned green by a cache that it wrote', async () => {
    const plan = planOf([
      task(1, [], ['a.txt'], [cached]),
      task(2, [], ['b.txt']),
      task(3, [2], ['c.txt'], [cached]),
    ]);
    const work = { 'TASK-002': { edits: { 'b.txt': 'x\n' } } };
    const rig = await approvedRig(work, { plan, project: ignoring });
    expect((await rig.conclave('execute', '-y')).code).toBe(7);
    expect(outcome(rig)).toMatchObject({
      status: 'failed',
      why: expect.stringContaining('the agent changed no file that git sees'),
      commit: null,
      criteria: [false],
    });
    expect(JSON.stringify(rig.json('.task/TASK-001.json'))).not.toContain('commit_hash');
    // Nor is that the work of the task before it.
    expect(outcome(rig, 'TASK-003')).toMatchObject({ status: 'failed' });
  });

  test('nor is a deliverable that git ignores, which the agent is told', async () => {
    const plan = planOf([
      task(
        1,
        [],
        ['build/out.js', 'a.txt'],
        [{ kind: 'file', path: 'build/out.js', exists: true, criterion: 0 }],
      ),
      task(2, [], ['b.txt']),
    ]);
    const work: Work = {
      'TASK-001': { edits: { 'build/out.js': 'x\n', 'a.txt': 'x\n' } },
      'TASK-001-fix': { edits: { 'build/out.js': 'x\n', '.gitignore': 'node_modules/\n' } },
      'TASK-002': { edits: { 'b.txt': 'x\n' } },
    };
    const given = { plan, project: ignoring };
    const stubborn = await approvedRig({ ...work, 'TASK-001-fix': {} }, given);
    expect((await stubborn.conclave('execute', '-y')).code).toBe(7);
    expect(outcome(stubborn)).toMatchObject({
      status: 'failed',
      why: 'git ignores build/out.js, so no commit can contain it',
      fix_rounds: 2,
    });
    const rig = await approvedRig(work, given);
    await rig.conclave('execute', '-y');
    expect(outcome(rig)).toMatchObject({ status: 'completed', fix_rounds: 1 });
    expect(resultOf(rig).keyOutputs).toContain('build/out.js');
  });
});

const double = (body: string) => `export const double = (n) => ${body};\n`;
const script = (command: string) =>
  `{ "name": "todo", "type": "module", "scripts": { "test": "${command}" } }\n`;
const planFor = (check: object) =>
  planOf([task(1, [], ['src/double.js'], [check]), task(2, [], ['b.txt'])]);

describe('existing tests that a task changes without naming them', () => {
  const failing = `import test from 'node:test';
import { double } from '../src/double.js';
test('doubles', () => { if (double(2) !== 4) throw new Error('it does not double'); });
`;
  const project = {
    name: 'failing-test',
    async make(rig: Rig) {
      rig.write('src/double.js', double('n'));
      rig.write('test/double.test.js', failing);
      await rig.git('add', '-A');
      await rig.git('commit', '-qm', 'Add double, which does not');
    },
  };

  const direct = runs('node', '--test', 'test/double.test.js');
  const npm = runs('npm', 'test');
  const execute = async (check: object, edits: Readonly<Record<string, string | null>>) => {
    const work = { 'TASK-001': { edits }, 'TASK-002': { edits: { 'b.txt': 'x\n' } } };
    const rig = await approvedRig(work, { plan: planFor(check), project });
    const end = await rig.conclave('execute', '-y', '--apply');
    return { rig, ...end };
  };
  const half = double('n * 2 - 1');

  test.each([
    ['fitted to what the code does', direct, { 'test/double.test.js': failing.replace('4', '3') }],
    ['deleted', runs('node', '--test'), { 'test/double.test.js': null }],
    ['passed over by the script', npm, { 'package.json': script('true') }],
  ])('prove nothing where they are %s', async (_, check, edits) => {
    const { rig, code } = await execute(check, { 'src/double.js': half, ...edits });
    expect(code).toBe(7);
    const { status, why, criteria, checks = [], apart } = outcome(rig) ?? {};
    const [changed = ''] = Object.keys(edits);
    expect({ status, criteria }).toEqual({ status: 'unproven', criteria: [false] });
    expect(why).toContain(`its checks pass only with ${changed}, which the task does not name`);
    expect(why).toContain('--accept TASK-001');
    expect(apart?.files).toEqual([{ path: changed, kind: expect.any(String) }]);
    expect(checks.map(({ moment, tree, passed }) => [moment, tree, passed])).toEqual([
      ['before', 'start', false],
      ['after', 'work', false],
      ['after', 'all', true],
    ]);
    expect(checks[1]?.output).toContain('it does not double');
    expect(await rig.git('log', '--format=%s', '-1')).toBe('Add double, which does not\n');
    expect(await rig.git('show', `${resultOf(rig).commit}:package.json`)).not.toContain('"true"');
  });

  test('and a test that is skipped is none that passed, so that its task fails', async () => {
    const { rig, code } = await execute(direct, {
      'src/double.js': half,
      'test/double.test.js': failing.replace("test('doubles'", "test.skip('doubles'"),
    });
    expect(code).toBe(7);
    const { status, why = '', fix_rounds: fixes } = outcome(rig) ?? {};
    expect({ status, fixes }).toEqual({ status: 'failed', fixes: 2 });
    expect(why).toContain('the check "node --test test/double.test.js" fails');
  });

  test('stay out of the result where the check passes without them, until a person accepts them', async () => {
    const more = { 'test/double.test.js': `${failing}test('more', () => {});\n` };
    const { rig, code } = await execute(direct, { 'src/double.js': double('n * 2'), ...more });
    expect(code).toBe(0);
    expect(outcome(rig)).toMatchObject({
      status: 'completed',
      note: 'its changes of test/double.test.js (a test from before) stay out of the result until TASK-001 is accepted',
      checks: [{ moment: 'before' }, { moment: 'after' }, { moment: 'again' }, { tree: 'joined' }],
    });
    expect(rig.read('src/double.js')).toBe(double('n * 2'));
    expect(rig.read('test/double.test.js')).toBe(failing);
  });

  test('come with the result once they are accepted, if the checks pass with them', async () => {
    const edits = {
      'src/double.js': double('n * 3'),
      'test/double.test.js': failing.replace('4', '6'),
    };
    const { rig } = await execute(direct, edits);
    expect(outcome(rig)).toMatchObject({ status: 'unproven' });
    const because = ['--accept', 'TASK-001', '--because', 'it is to be three times as much'];
    const { code, stderr } = await rig.conclave('execute', '-y', ...because);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect((await rig.conclave('execute', '-y', '--apply')).code).toBe(0);
    expect(rig.read('test/double.test.js')).toBe(edits['test/double.test.js']);
    const exported = await rig.conclave('sessions', 'export');
    // Its own work is no change that somebody else made meanwhile, and nothing is left to do.
    expect(exported.stdout).not.toContain('has changed since the session started');
    expect(exported.stdout).not.toContain('What you can do now');
  });

  test('are none where they are new: those come along', async () => {
    const added = { 'src/double.js': double('n * 2'), 'test/new.test.js': 'import "node:test";\n' };
    const { rig } = await execute(direct, added);
    expect(outcome(rig)).toMatchObject({ status: 'completed', out_of_scope: ['test/new.test.js'] });
    expect(rig.read('test/new.test.js')).toBe(added['test/new.test.js']);
  });

  test('show nothing where they pass without the work, too', async () => {
    const named = planOf([
      task(1, [], ['src/double.js', 'test/double.test.js'], [direct]),
      task(2, [], ['b.txt']),
    ]);
    const edits = { 'src/double.js': half, 'test/double.test.js': failing.replace('!== 4', '> 9') };
    const work = { 'TASK-001': { edits }, 'TASK-002': { edits: { 'b.txt': 'x\n' } } };
    const rig = await approvedRig(work, { plan: named, project });
    expect((await rig.conclave('execute', '-y')).code).toBe(7);
    expect(outcome(rig)).toMatchObject({
      status: 'unproven',
      why: expect.stringContaining('is green on the start, too, so it shows nothing of the work'),
    });
    const lines = readFileSync(join(rig.session(), 'execution/1/checks.jsonl'), 'utf8').trim();
    const records = lines.split('\n').map((line) => CheckRecord.parse(JSON.parse(line)));
    const own = records.filter(({ tasks }) => tasks.includes('TASK-001'));
    expect(own.map(({ moment, passed }) => [moment, passed])).toEqual([
      ['before', false],
      ['after', true],
      ['again', true],
      ['joined', true],
    ]);
  });
});

test('on the start a check runs again after those before it, which it may need', async () => {
  const build = runs(
    'node',
    '-e',
    "const fs = require('fs'); fs.mkdirSync('build', { recursive: true }); fs.writeFileSync('build/out.cjs', '');",
  );
  const flaky = runs(
    'node',
    '-e',
    "require('./build/out.cjs'); const fs = require('fs'); const at = process.env.HOME + '/.cache'; if (fs.existsSync(at + '/seen')) process.exit(0); fs.mkdirSync(at, { recursive: true }); fs.writeFileSync(at + '/seen', ''); process.exit(1);",
  );
  const plan = planOf([task(1, [], ['a.txt'], [build, flaky]), task(2, [], ['b.txt'])]);
  const work = {
    'TASK-001': { edits: { 'a.txt': 'x\n' } },
    'TASK-002': { edits: { 'b.txt': 'x\n' } },
  };
  const rig = await approvedRig(work, { plan, project: ignoring });
  await rig.conclave('execute', '-y');
  expect(outcome(rig)).toMatchObject({
    status: 'unproven',
    why: expect.stringContaining('is green on the start, too'),
  });
});

test('what earlier checks built in the work tree does not make a check green on the start', async () => {
  const builds =
    "require('fs').existsSync('make.cjs') && require('./make.cjs'); require('./build/out.cjs');";
  const plan = planOf([
    task(1, [], ['make.cjs'], [runs('node', '-e', builds)]),
    task(2, [], ['b.txt']),
  ]);
  const make =
    "const fs = require('fs'); fs.mkdirSync('build', { recursive: true }); fs.writeFileSync('build/out.cjs', '');\n";
  const work = {
    'TASK-001': { edits: { 'make.cjs': make } },
    'TASK-002': { edits: { 'b.txt': 'x\n' } },
  };
  const rig = await approvedRig(work, { plan, project: ignoring });
  await rig.conclave('execute', '-y');
  expect(outcome(rig)).toMatchObject({ status: 'completed' });
  const again = outcome(rig)?.checks.filter(({ moment }) => moment === 'again');
  expect(again?.map(({ passed }) => passed)).toEqual([false]);
});

test(
  'a task of whose files none was changed is unproven, save that a task before it did its work',
  short,
  async () => {
    const plan = planOf([
      task(1, [], ['a.txt'], [has('a.txt', 'one')]),
      task(2, [1], ['b.txt'], [has('b.txt', 'two')]),
      task(3, [], ['c.txt'], [runs('node', '-e', "require('fs').readFileSync('d.txt')")]),
    ]);
    const work = {
      'TASK-001': { edits: { 'a.txt': 'one\n', 'b.txt': 'two\n' } },
      'TASK-002': {},
      'TASK-003': { edits: { 'd.txt': 'x\n' } },
    };
    const rig = await approvedRig(work, { plan });
    const { stdout } = await rig.conclave('execute', '-y');
    expect(outcome(rig, 'TASK-002')).toMatchObject({
      status: 'completed',
      done_by: ['TASK-001'],
      files_modified: [],
      fix_rounds: 0,
      criteria: [true],
    });
    expect(stdout).toContain('its work was done by TASK-001');
    expect(JSON.stringify(rig.json('.task/TASK-002.json'))).not.toContain('commit_hash');
    expect(outcome(rig, 'TASK-003')).toMatchObject({
      status: 'unproven',
      why: 'its checks pass only with d.txt, which the task does not name',
    });
  },
);

const submodule = {
  name: 'submodule',
  async make(rig: Rig) {
    const inner = join(rig.home, 'inner');
    await rig.git('init', '-q', '-b', 'main', inner);
    await rig.git('-C', inner, 'commit', '-q', '--allow-empty', '-m', 'Begin');
    await rig.git(
      '-c',
      'protocol.file.allow=always',
      'submodule',
      '--quiet',
      'add',
      '../home/inner',
      'libs/inner',
    );
    await rig.git('commit', '-qm', 'Add the submodule');
  },
};

test('work in a submodule fails its task and is kept as a patch', async () => {
  const plan = planOf([task(1, [], ['a.txt'], [has('a.txt', 'x')]), task(2, [], ['b.txt'])]);
  const work = {
    'TASK-001': { edits: { 'a.txt': 'x\n', 'libs/inner/lib.js': 'export const outer = 1;\n' } },
    'TASK-002': { edits: { 'b.txt': 'x\n' } },
  };
  const rig = await approvedRig(work, { plan, project: submodule });
  const { code } = await rig.conclave('execute', '-y');
  expect(code).toBe(7);
  const { status, why = '' } = outcome(rig) ?? {};
  expect({ status, why }).toEqual({
    status: 'failed',
    why: expect.stringContaining('libs/inner in '),
  });
  const [, patch = ''] = /libs\/inner in (\S+\.patch)/.exec(why) ?? [];
  expect(existsSync(join(rig.repo, patch))).toBe(true);
  expect(readFileSync(join(rig.repo, patch), 'utf8')).toContain('+export const outer = 1;');
  await rig.git('-C', 'libs/inner', 'apply', join(rig.repo, patch));
  expect(rig.read('libs/inner/lib.js')).toBe('export const outer = 1;\n');
});

test('a file of a submodule that a task names is told by the plan check and the dry run', async () => {
  const inside = 'libs/inner/lib.js';
  const plan = planOf([
    task(1, [], [inside], [has(inside, 'outer')]),
    task(2, [], ['b.txt'], [has('b.txt', 'x')]),
  ]);
  const rig = await approvedRig({}, { plan, project: submodule });
  const told = `names ${inside}, which lies in a submodule`;
  expect((await rig.conclave('validate')).stdout).toContain(told);
  const { code, stdout } = await rig.conclave('execute', '--dry-run');
  expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining(told) });
  expect(stdout).toContain('Plan check: ');
});
