// Tests of what the plan check says about statements on the code: places, names, checks.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ContextPackage } from '../../../src/model/context-package.ts';
import type { Finding } from '../../../src/model/finding.ts';
import type { Task } from '../../../src/model/task.ts';
import { planFindingsOf, untrueRules } from '../../../src/phases/planning/check-plan.ts';
import { schemaCheck } from '../../../src/store/published-schemas.ts';
import { type TempRepository, tempRepository } from '../../git/temp-repository.ts';
import { packageOf, planOf, taskOf } from './samples.ts';

const schemas = await schemaCheck({});

const lines = (count: number) => '// a line\n'.repeat(count);

const files = {
  'package.json':
    '{ "scripts": { "test": "node --test" }, "devDependencies": { "eslint": "9" } }\n',
  '.gitignore': 'dist/\nnode_modules/\n',
  'src/request.ts': `${lines(22)}import { retry } from './retry.ts';\nexport async function request(url: string) {\n${lines(20)}}\n`,
  'src/retry.ts': `export function retry() {}\nexport class ServiceError extends Error {}\n${lines(30)}`,
  'src/stream.ts': `${lines(13)}export function stream() {}\n`,
  'test/request.test.ts': `import { request } from '../src/request.ts';\n${lines(20)}`,
  'README.md': '# Requests\n\nSee `request`.\n',
  'tools/lint.sh': 'eslint .\n',
};

let repo: TempRepository;
beforeAll(async () => {
  repo = await tempRepository();
  await repo.commit('Start', files);
});
afterAll(() => repo[Symbol.asyncDispose]());

/** A task as a good planner writes it: for another request of the same kind as in the prompt. */
const good: Partial<Task> = {
  title: 'Give up on a request after timeoutMs',
  description:
    "A server that never answers blocks its callers forever. Each attempt of request() now ends after settings.timeoutMs with ServiceError('timeout'). Key point: the limit holds for each attempt. The retry rules themselves do not change.",
  source: { original_id: 'T1' },
  files: [
    {
      path: 'src/request.ts',
      action: 'modify',
      target: 'request',
      change: 'Pass a signal to fetch in each attempt and turn its TimeoutError into ServiceError.',
    },
    {
      path: 'test/request.test.ts',
      action: 'modify',
      target: "describe('request')",
      change: 'Three new cases.',
    },
    { path: 'src/limits.ts', action: 'create', target: 'attemptLimit', change: 'The limit.' },
  ],
  implementation: [
    'Create src/limits.ts with `attemptLimit(timeoutMs: number): AbortSignal | null`; 0 means no limit. Use `AbortSignal.timeout` and `structuredClone` of the platform.',
    'In request() (src/request.ts:24), inside the loop at line 27: `const limit = attemptLimit(settings.timeoutMs)`, then call `attemptLimit` for each attempt.',
    'Follow the existing `retry` (src/retry.ts:1); reuse `ServiceError` as `stream` does (src/stream.ts:14).',
    'Append the cases at test/request.test.ts:22, with a server at localhost:8080 or example.com:443 that never answers. See node_modules/undici/lib/core/connect.js:900.',
  ],
  reference: {
    pattern: 'How errors become ServiceError',
    files: ['src/retry.ts:2', 'src/', 'https://nodejs.org/api'],
  },
  convergence: {
    criteria: [
      "request() to a server that never answers rejects with ServiceError of kind 'timeout'",
      'With timeoutMs 0 no limit is set',
      'The README lists timeoutMs beside the other settings',
    ],
  },
  checks: [
    { kind: 'command', argv: ['npm', 'test', '--', 'test/request.test.ts'], criterion: 0 },
    { kind: 'command', argv: ['eslint', 'src'] },
    { kind: 'command', argv: ['./tools/lint.sh'] },
    { kind: 'command', argv: ['node_modules/.bin/tsc', '--noEmit'] },
    { kind: 'symbol', path: 'src/limits.ts', symbol: 'attemptLimit', criterion: 0 },
    { kind: 'text', path: 'test/request.test.ts', contains: 'never answers', criterion: 0 },
    { kind: 'test', path: 'test/request.test.ts', name: 'no limit', criterion: 1 },
    { kind: 'text', path: 'README.md', contains: 'timeoutMs', criterion: 2 },
  ],
  test: { unit: ['a server that never answers'], commands: ['npm test'] },
};

async function find(
  change: Partial<Task>,
  {
    contextPackage = packageOf(),
    more = [],
  }: { readonly contextPackage?: ContextPackage; readonly more?: readonly Task[] } = {},
): Promise<readonly Finding[]> {
  const tasks = [taskOf('TASK-001', { ...good, ...change }), ...more];
  const { _metadata, ...plan } = planOf(tasks.map(({ id }) => id));
  const byPlanner = {
    ...plan,
    _metadata: { ..._metadata, source: 'cli-lite-planning-agent' as const },
  };
  const repository = await repo.open();
  return planFindingsOf({ plan: byPlanner, tasks, contextPackage, tools: { schemas, repository } });
}

const rules = (findings: readonly Finding[]) =>
  findings.map(({ severity, rule }) => `${severity} ${rule}`);

test('a good plan has no finding', async () => {
  expect(await find({})).toEqual([]);
});

describe('a place', () => {
  test.each([
    [
      'beyond the end of its file',
      'Follow src/retry.ts:999.',
      'TASK-001 cites src/retry.ts:999, but that file ends with line 32; correct the place.',
    ],
    [
      'in a file that is not there',
      'Follow src/http.ts:3.',
      'TASK-001 cites src/http.ts:3, but there is no such file; correct the place.',
    ],
    [
      'under a wrong folder',
      'Follow lib/retry.ts:3.',
      'there is no such file; src/retry.ts has this name',
    ],
    [
      'without a folder, beyond the end',
      'Follow retry.ts:80-90.',
      'TASK-001 cites retry.ts:80-90, but that file ends with line 32',
    ],
  ])('%s is a finding', async (_what, step, message) => {
    const found = await find({ implementation: [step] });
    expect(rules(found)).toContain('warning place-missing');
    expect(found.map((one) => one.message).join('\n')).toContain(message);
  });

  test('of a reference counts like one of a step', async () => {
    const found = await find({ reference: { files: ['src/retry.ts:77', 'src/none.ts'] } });
    expect(found.map(({ pointer, rule }) => `${rule} ${pointer}`)).toEqual([
      'place-missing /reference/files/0',
      'place-missing /reference/files/1',
    ]);
  });

  test('in a file that a task before it changes or any task creates is not judged', async () => {
    const before = taskOf('TASK-000', {
      ...good,
      files: [{ path: 'src/retry.ts', action: 'modify', change: 'More.' }],
      implementation: [],
    });
    const steps = ['See src/retry.ts:400 and src/limits.ts:5.'];
    const more = [before];
    expect(await find({ implementation: steps, depends_on: ['TASK-000'] }, { more })).toEqual([]);
  });
});

const use = async (name: string, path: string) =>
  rules(await find({ uses: [{ name, path }], implementation: [] }));

describe('a name that a task states to use', () => {
  test.each([
    ['nowhere', 'formatRow', 'src/retry.ts'],
    ['in another file', 'retry', 'src/stream.ts'],
    ['as a part of a longer name', 'ServiceErr', 'src/retry.ts'],
    ['in a file that is not there', 'retry', 'src/none.ts'],
  ])(
    'and that stands %s is a finding, with which a planner is asked again',
    async (_, name, path) => {
      expect(await use(name, path)).toEqual(['warning use-missing']);
      expect(untrueRules).toContain('use-missing');
    },
  );

  test.each([
    ['stands there', 'retry', 'src/retry.ts'],
    ['stands there as a call', 'retry()', './src/retry.ts'],
    ['is the last part of one that stands there', 'errors.ServiceError', 'src/retry.ts'],
    ['lies in a file that a task creates', 'attemptLimit', 'src/limits.ts'],
    ['is cited by the end of its path', 'retry', 'retry.ts'],
  ])('and that %s is none', async (_, name, path) => {
    expect(await use(name, path)).toEqual([]);
  });

  test('is taken from no prose, in whatever language it speaks of one', async () => {
    const implementation = [
      'Reuse `formatRow`, and nutze die vorhandene `sortRow`.',
      'Call `withLimit()`.',
    ];
    expect(await find({ implementation })).toEqual([]);
  });
});

const one = { convergence: { criteria: ["request() rejects with 'timeout'"] } };
const only = (...checks: NonNullable<Task['checks']>) => find({ ...one, checks, test: {} });

describe('checks', () => {
  test.each([
    ['file', { kind: 'file', path: 'src/retry.ts', exists: true }],
    ['absent file', { kind: 'file', path: 'src/none.ts', exists: false }],
    ['symbol', { kind: 'symbol', path: 'src/retry.ts', symbol: 'ServiceError' }],
    [
      'text',
      { kind: 'text', path: 'src/request.ts', contains: "import { retry }   from './retry.ts'" },
    ],
  ] as const)('of a %s that pass before the work are findings', async (_kind, check) => {
    expect(rules(await only({ kind: 'command', argv: ['npm', 'test'] }, check))).toEqual([
      'warning check-holds',
    ]);
    expect(rules(await only(check))).toEqual(['warning check-holds', 'warning checks-hold']);
  });

  test('that only a person can make show nothing', async () => {
    const found = await only({ kind: 'manual', describes: 'Look at it.' });
    expect(rules(found)).toEqual(['warning check-none']);
    expect(rules(await only())).toEqual(['warning check-none']);
  });

  test.each([
    [['pytest', '-q'], 'no file of the repository knows this program'],
    [['./tools/test.sh'], 'there is no such file'],
  ])('by %j are findings where nothing knows the program', async (argv, why) => {
    const found = await only({ kind: 'command', argv });
    expect(rules(found)).toEqual(['warning program-unknown']);
    expect(found[0]?.message).toContain(why);
  });

  test.each([
    [['npm', 'run', 'x']],
    [['node', '-e', '1']],
    [['grep', '-q', 'x', 'README.md']],
    [['git', 'diff']],
    [['python3', '-c', '1']],
    [['make']],
  ])('by %j are none', async (argv) => {
    expect(await only({ kind: 'command', argv })).toEqual([]);
  });

  test('that name something outside are findings, words that only look like paths are none', async () => {
    const found = await only({ kind: 'command', argv: ['cat', '/etc/passwd'] });
    expect(rules(found)).toEqual(['warning check-outside']);
    const words = ['grep', '-q', './...', '/api/users', 'https://example.com', '../no-such-place'];
    expect(await only({ kind: 'command', argv: words })).toEqual([]);
  });

  test('by a program of the build facts are none', async () => {
    const fact = {
      kind: 'test',
      value: 'bazelisk test //...',
      folder: '',
      language: null,
      source: 'x',
    } as const;
    const contextPackage = packageOf({ build_facts: [fact] });
    const checks = [{ kind: 'command' as const, argv: ['bazelisk', 'test'] }];
    expect(await find({ ...one, checks, test: {} }, { contextPackage })).toEqual([]);
  });

  test('by a program that a manifest of the plan may bring are none', async () => {
    const change = { files: [{ path: 'package.json', action: 'modify' as const }] };
    expect(
      await find({
        ...one,
        ...change,
        checks: [{ kind: 'command', argv: ['vitest', 'run'] }],
        test: {},
      }),
    ).toEqual([]);
  });
});

describe('evidence that is missing is asked for:', () => {
  test('a check that a program runs for each criterion', async () => {
    const command = { kind: 'command' as const, argv: ['npm', 'test'] };
    const criteria = ['a is 1', 'b is 2', 'c reads well'];
    const found = await find({
      convergence: { criteria },
      checks: [
        { ...command, criterion: 0 },
        { kind: 'manual', describes: 'c', criterion: 2 },
      ],
      test: {},
    });
    expect(rules(found)).toEqual(['warning criterion-unchecked']);
    expect(found[0]?.message).toContain('no check for criteria 2, 3 of 3 that a program can run');
  });

  test('the test of what is renamed or removed', async () => {
    const named = [{ path: 'src/request.ts', action: 'modify' as const }];
    const checks = [{ kind: 'command' as const, argv: ['npm', 'test'] }];
    const convergence = { criteria: ['send is there'] };
    const rename = { title: 'Rename request to send', convergence, checks, test: {} };
    const found = await find({ ...rename, files: named });
    expect(rules(found)).toEqual(['warning test-unnamed']);
    expect(found[0]?.message).toContain('test/request.test.ts');
    const tests = { path: 'test/request.test.ts', removes_tests: ['request'] };
    expect(await find({ ...rename, files: [...named, tests] })).toEqual([]);
  });

  test('a measurement for a task about speed', async () => {
    const convergence = { criteria: ['it takes less than 1 s'] };
    const slow = { title: 'Make the search faster', convergence, test: {} };
    const command = { kind: 'command' as const, argv: ['npm', 'test'] };
    expect(rules(await find({ ...slow, checks: [command] }))).toEqual([
      'warning benchmark-missing',
    ]);
    const bench = { ...command, argv: ['npm', 'run', 'bench'] };
    expect(await find({ ...slow, checks: [bench] })).toEqual([]);
  });

  test.each<NonNullable<Task['checks']>[number]>([
    { kind: 'file', path: 'src/limits.ts', exists: true },
    { kind: 'file', path: 'src', exists: true },
    { kind: 'symbol', path: 'src/request.ts', symbol: 'timeoutOf' },
    { kind: 'text', path: 'src/request.ts', contains: 'timeoutOf(' },
    { kind: 'command', argv: ['node', '--check', 'src/limits.ts'] },
    { kind: 'command', argv: ['python3', '-m', 'py_compile', 'x.py'] },
    { kind: 'command', argv: ['bash', '-n', 'tools/lint.sh'] },
  ])('more than %j, which code that does nothing passes', async (check) => {
    expect(rules(await only(check))).toContain('warning check-weak');
    const beside = await only(check, { kind: 'command', argv: ['npm', 'test'] });
    expect(rules(beside)).not.toContain('warning check-weak');
  });

  test('a command for tests in whose folder none is stated, whatever the search found', async () => {
    const fact = { kind: 'test', value: 'npm test', folder: '', language: 'javascript' } as const;
    const contextPackage = packageOf({ build_facts: [{ ...fact, source: 'package.json' }] });
    const check = { kind: 'test', path: 'svc/add_test.go' } as const;
    const alone = await find({ ...one, checks: [check], test: {} }, { contextPackage });
    expect(rules(alone)).toEqual(['warning check-unrunnable']);
    expect(alone[0]?.message).toContain('can never run');
    const manifest = [{ path: 'svc/go.mod', action: 'create' as const }];
    const brought = await find({
      ...one,
      files: manifest,
      checks: [check],
      test: {},
      implementation: [],
    });
    expect(rules(brought)).not.toContain('warning check-unrunnable');
    // The package says nothing of the root, and the repository has a test script there.
    expect(await only({ kind: 'test', path: 'test/request.test.ts' })).toEqual([]);
  });
});

test('a file that git ignores is a finding, unless it is tracked or .gitignore is to change', async () => {
  const ignored = { path: 'dist/config.json', action: 'create' as const };
  const found = await find({ files: [ignored, ...(good.files ?? [])] });
  expect(rules(found)).toEqual(['warning file-uncommittable']);
  expect(found[0]?.message).toContain('names dist/config.json, which git ignores');
  const opened = { path: '.gitignore', action: 'modify' as const };
  expect(await find({ files: [ignored, opened, ...(good.files ?? [])] })).toEqual([]);
});
