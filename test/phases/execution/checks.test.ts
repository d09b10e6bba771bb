import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { Check } from '../../../src/model/check.ts';
import type { CheckRun } from '../../../src/model/check-record.ts';
import { checksOf } from '../../../src/model/task.ts';
import { commandsOf, runCheck } from '../../../src/phases/execution/checks.ts';
import type { CheckConditions } from '../../../src/phases/execution/run-command.ts';

const room = mkdtempSync(join(tmpdir(), 'conclave-checks-'));
const cwd = join(room, 'tree');
mkdirSync(join(cwd, 'app'), { recursive: true });
writeFileSync(join(room, 'outside.txt'), 'secret word');
writeFileSync(join(cwd, 'app/a.js'), 'export function  findAll() {}\n');
writeFileSync(join(cwd, 'app/a.test.js'), "import test from 'node:test';\ntest('a', () => {});\n");
symlinkSync(join(room, 'outside.txt'), join(cwd, 'link.txt'));
afterAll(() => rmSync(room, { recursive: true }));

async function ran(
  check: Check,
  part: Partial<CheckConditions> = {},
): Promise<CheckRun | undefined> {
  const place: CheckConditions = {
    cwd,
    home: room,
    buildFacts: [],
    mostMs: 20_000,
    environment: process.env,
    markPrefix: `checks-${process.pid}-`,
    signal: new AbortController().signal,
    ...part,
  };
  return await runCheck(check, place);
}

const node = (code: string): Check => ({ kind: 'command', argv: ['node', '-e', code] });

describe('a command', () => {
  test.each([
    ['passes by exit code 0', 'console.log("fine")', true, ''],
    ['fails by any other', 'console.error("bad"); process.exit(3)', false, 'exit code 3'],
    [
      'that is killed says by what',
      'process.kill(process.pid, "SIGKILL")',
      false,
      'ended by SIGKILL',
    ],
  ])('%s', async (_, code, passed, note) => {
    expect(await ran(node(code))).toMatchObject({ passed, note });
  });

  test('that hangs is ended with its children, within its time', async () => {
    const child = 'require("child_process").spawn("sleep", ["971.5"]); setInterval(() => {}, 1000)';
    expect(await ran(node(child), { mostMs: 1_000 })).toMatchObject({
      passed: false,
      note: 'it took longer than 1 second',
    });
  });

  test('that is not there is told', async () => {
    expect((await ran({ kind: 'command', argv: ['no-such-program-here'] }))?.note).toContain(
      'cannot be started',
    );
  });

  test('gets nobody’s keys', async () => {
    const environment = { ...process.env, ANTHROPIC_API_KEY: 'canary', MY_TOKEN: 'canary' };
    const check = node('process.exit(Object.values(process.env).includes("canary") ? 1 : 0)');
    expect(await ran(check, { environment })).toMatchObject({ passed: true });
  });

  test.each([
    [['cat', '../outside.txt']],
    [['cat', '/etc/passwd']],
    [['ls', '--path=../..']],
    [['ls', 'app/../../outside.txt']],
    [['../outside.txt']],
  ])(
    'that names something outside of the work tree is not run, and fails nothing: %j',
    async (argv) => {
      expect(await ran({ kind: 'command', argv })).toMatchObject({
        passed: null,
        note: expect.stringContaining('leads out of the work tree'),
      });
    },
  );

  test.each([
    [['./...']],
    [['/api/users']],
    [['https://example.com/x']],
    [['http://localhost:8080/']],
    [['~/no-such-file-here']],
    [['../no-such-file-here']],
    [['app/../app/a.js', join(cwd, 'app')]],
    [['/']],
    [['/dev/null']],
  ])('may have words that only look like paths: %j', async (words) => {
    const check = node(`process.exit(process.argv.length === ${words.length + 1} ? 0 : 1)`);
    const argv = check.kind === 'command' ? [...check.argv, '--', ...words] : [];
    expect(await ran({ kind: 'command', argv })).toMatchObject({ passed: true });
  });

  test('may be a program outside of the work tree', async () => {
    const argv = [process.execPath, '-e', '0'];
    expect(await ran({ kind: 'command', argv })).toMatchObject({ passed: true });
  });
});

test.each<[Check, boolean | null, string]>([
  [{ kind: 'file', path: 'app/a.js', exists: true }, true, ''],
  [{ kind: 'file', path: 'app/b.js', exists: true }, false, 'it does not exist'],
  [{ kind: 'file', path: 'app/a.js', exists: false }, false, 'it exists'],
  [
    { kind: 'file', path: '../outside.txt', exists: true },
    null,
    '"../outside.txt" leads out of the work tree',
  ],
  [
    { kind: 'text', path: 'link.txt', contains: 'secret' },
    false,
    '"link.txt" leads out of the work tree',
  ],
  [{ kind: 'symbol', path: 'app/a.js', symbol: 'findAll' }, true, ''],
  [{ kind: 'symbol', path: 'app/a.js', symbol: 'find' }, false, 'it is not there'],
  [{ kind: 'text', path: 'app/a.js', contains: 'function findAll()' }, true, ''],
  [{ kind: 'text', path: 'app/c.js', contains: 'x' }, false, 'there is no such text file'],
  [{ kind: 'manual', describes: 'Look at it.' }, null, 'a person has to look at it'],
  [{ kind: 'test', path: 'app/none.test.js' }, false, 'there is no such test file'],
  [{ kind: 'test', path: 'app/a.test.js' }, null, 'the project states no command for its tests'],
])('%j', async (check, passed, note) => {
  expect(await ran(check)).toMatchObject({ passed, note });
});

test('a test runs by the command that the project states for its folder, in that folder', async () => {
  const fact = {
    kind: 'test',
    folder: 'app',
    language: 'javascript',
    source: 'app/package.json',
  } as const;
  const check = { kind: 'test', path: 'app/a.test.js' } as const;
  const value = 'node --test a.test.js';
  expect(await ran(check, { buildFacts: [{ ...fact, value }] })).toMatchObject({ passed: true });
  const shell = { ...fact, value: 'npm run a && npm run b' };
  expect(await ran(check, { buildFacts: [shell] })).toMatchObject({
    passed: null,
    note: '"npm run a && npm run b" needs a shell, which is not used',
  });
});

const named = (pattern: string, ...more: readonly string[]): Check => ({
  kind: 'command',
  argv: ['node', '--test', ...more, `--test-name-pattern=${pattern}`, 'app/named.test.js'],
});

const ofName = (name: string): Check => ({ kind: 'test', path: 'app/named.test.js', name });

describe('a run of tests that runs none proves nothing', () => {
  const none = { passed: null, ran_no_test: true, note: 'no test ran, which proves nothing' };
  writeFileSync(
    join(cwd, 'app/named.test.js'),
    "import test from 'node:test';\ntest('adds two numbers', () => {});\n",
  );

  test('by a pattern that no name has, whatever the reporter', async () => {
    expect(await ran(named('subtracts'))).toMatchObject(none);
    expect(await ran(named('subtracts', '--test-reporter=tap'))).toMatchObject(none);
    expect(await ran(named('adds two'))).toMatchObject({ passed: true });
  });

  test('by the name of a check', async () => {
    const value = 'node --test named.test.js';
    const source = 'app/package.json';
    const buildFacts = [
      { kind: 'test', folder: 'app', language: 'javascript', source, value },
    ] as const;
    expect(await ran(ofName('Adds two  numbers'), { buildFacts })).toMatchObject({ passed: true });
    expect(await ran(ofName('subtracts'), { buildFacts })).toMatchObject({
      passed: null,
      ran_no_test: true,
      note: 'no test named “subtracts” passed, which proves nothing',
    });
  });

  test.each([
    ['go', 'ok  \texample.com/a\t0.002s [no tests to run]'],
    ['mocha', '\n  0 passing (1ms)'],
    ['cargo', 'running 0 tests\n\ntest result: ok. 0 passed; 0 failed; 0 ignored'],
  ])('by the words of %s', async (_, said) => {
    expect(await ran(node(`console.log(${JSON.stringify(said)})`))).toMatchObject(none);
  });

  test('but fails where its runner calls that a failure', async () => {
    const says = "console.log('No test files found, exiting with code 1'); process.exitCode = 1";
    expect(await ran(node(says))).toMatchObject({ passed: false, note: 'exit code 1' });
  });

  test('nor where a test failed', async () => {
    const says = 'console.log("  0 passing\\n  1 failing"); process.exitCode = 1';
    expect(await ran(node(says))).toMatchObject({ passed: false });
  });
});

test('the command of a test file is among those that a person is shown', () => {
  const checks: Check[] = [
    { kind: 'command', argv: ['npm', 'run', 'lint'] },
    { kind: 'test', path: 'test/a.test.js', describes: 'It adds.' },
    { kind: 'manual', describes: 'It looks good.' },
  ];
  const fact = {
    kind: 'test',
    value: 'npm test',
    folder: '',
    language: null,
    source: 'package.json',
  } as const;
  expect(commandsOf([{ checks }], [fact])).toEqual([
    'npm run lint',
    'npm test (the tests in test/a.test.js pass)',
  ]);
});

test('commands of tests that need no shell are checks too, each once', () => {
  const checks: Check[] = [{ kind: 'command', argv: ['npm', 'test'] }];
  const commands = ['npm test', 'npm run lint', 'npm run a && npm run b'];
  expect(checksOf({ checks, test: { commands } })).toEqual([
    { kind: 'command', argv: ['npm', 'test'] },
    { kind: 'command', argv: ['npm', 'run', 'lint'] },
  ]);
});

describe('a slip in a check fails that check, not the run', () => {
  const odd = ['', ' ', '\u0000', 'a\u0000b', '/', '..', '[', '('.repeat(2_000), '\ud800'];

  test.each(odd)('%j', async (text) => {
    const checks: readonly Check[] = [
      { kind: 'command', argv: [text] },
      { kind: 'command', argv: ['node', '-e', '0', text] },
      { kind: 'test', path: text },
      { kind: 'file', path: text, exists: true },
      { kind: 'symbol', path: 'app/a.js', symbol: text },
      { kind: 'text', path: 'app/a.js', contains: text },
      { kind: 'text', path: text, contains: 'x' },
    ];
    for (const check of checks) expect(await ran(check)).toHaveProperty('passed');
  });
});

const shows = (name: string) => node(`console.log(process.env.${name} ?? 'undefined')`);

describe('the variables of a command', () => {
  test.each([
    ['those that builds go by', 'GOPATH', '/home/me/go\n'],
    ['those of the user’s settings', 'DATABASE_URL', 'postgres://localhost/test\n'],
    ['the folder of the user', 'CONCLAVE_ROOT', `${room}\n`],
    ['the work tree', 'CONCLAVE_WORKTREE', `${cwd}\n`],
    ['no credentials', 'UV_PUBLISH_TOKEN', 'undefined\n'],
    ['modules of the work tree in place of the user’s own', 'PYTHONPATH', `${cwd}/lib:/opt/x\n`],
  ])('hold %s', async (_, name, output) => {
    const environment = {
      ...process.env,
      GOPATH: '/home/me/go',
      UV_PUBLISH_TOKEN: 'abc',
      PYTHONPATH: `${room}/lib:/opt/x`,
    };
    const variables = { DATABASE_URL: 'postgres://localhost/test' };
    expect(await ran(shows(name), { environment, variables })).toMatchObject({ output });
  });

  test('lead Python to the sources of the work tree before what is installed', async () => {
    const python = join(room, 'python');
    const [tree, installed] = [join(python, 'tree'), join(python, 'installed')];
    for (const folder of [join(tree, 'src'), installed]) mkdirSync(folder, { recursive: true });
    writeFileSync(join(tree, 'pyproject.toml'), '[project]\nname = "todo"\n');
    writeFileSync(join(tree, 'src/todo.py'), 'name = "work tree"\n');
    writeFileSync(join(installed, 'todo.py'), 'name = "installed"\n');
    const check: Check = {
      kind: 'command',
      argv: ['python3', '-c', 'import todo; print(todo.name)'],
    };
    const environment = { ...process.env, PYTHONPATH: installed };
    expect(await ran(check, { cwd: tree, environment })).toMatchObject({ output: 'work tree\n' });
  });

  test.each([
    ['a package in a folder of its own', 'packages/one/pyproject.toml', 'packages/one/src/one.py'],
    ['one beside its tests', 'setup.py', 'one.py'],
  ])('lead Python to %s before its editable install', async (kind, project, module) => {
    const tree = join(room, 'editable', kind.replaceAll(' ', '-'));
    const installed = join(tree, '.installed');
    for (const path of [project, module, '.installed/one.py']) {
      mkdirSync(dirname(join(tree, path)), { recursive: true });
      writeFileSync(join(tree, path), `name = ${JSON.stringify(path)}\n`);
    }
    const argv = ['python3', '-P', '-c', 'import one; print(one.name)'];
    const environment = { ...process.env, PYTHONPATH: installed };
    const seen = await ran({ kind: 'command', argv }, { cwd: tree, environment });
    expect(seen).toMatchObject({ output: `${module}\n` });
  });
});
