// Tests of counting the tests that a command ran, by reports of real runners and by recorded output.
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TestCounts } from '../../../src/model/check-record.ts';
import {
  countingVariables,
  readTests,
  refusesReport,
  whatIsGone,
  whyNoPass,
} from '../../../src/phases/execution/test-counts.ts';

const recorded = await readFile('test/fixtures/test-runners/transcripts.txt', 'utf8');
const transcripts = new Map(
  recorded
    .split(/^@@@ /m)
    .slice(1)
    .map((section) => {
      const [head = '', ...lines] = section.split('\n');
      const [name = '', , line = ''] = head.split(' | ');
      return [name, { argv: line.split(' '), lines }] as const;
    }),
);

async function countIn(argv: readonly string[], lines: readonly string[], folder = '/nowhere') {
  const reader = readTests(argv, folder);
  for (const line of lines) reader.read(line);
  return await reader.end();
}

const sums = (counts: TestCounts | null) =>
  counts === null ? null : [counts.passed, counts.failed, counts.skipped, counts.cut];

describe('the recorded output of', () => {
  test.each<[string, number, number, string | null, (readonly string[] | null)?]>([
    ['go', 2, 2, null, ['TestAdd', 'TestAdd > one']],
    ['go whose TestMain ends with 0', 0, 0, null],
    ['go without tests', 0, 0, null],
    ['go that skips', 0, 1, null],
    ['go as JSON', 2, 1, null, ['TestAdd > one', 'TestAdd']],
    ['go benchmark', 1, 0, null, ['BenchmarkA-2']],
    ['cargo', 2, 1, null, ['adds', 'sp - should panic']],
    ['cargo, quiet', 2, 1, null, null],
    ['cargo that ends with 0', 0, 0, 'cargo'],
    ['cargo without a test', 0, 0, null],
    ['ctest', 2, 2, null, ['good', 'a_rather_long_name_of_a_test_that_is_long']],
    ['ctest without tests', 0, 0, null],
    ['vitest', 1, 3, null, null],
    ['vitest with a printed summary', 0, 1, null],
    ['vitest without tests', 0, 0, null],
    ['jest', 2, 2, null, null],
    ['jest with a printed summary', 0, 1, null],
    ['jest that ends with 0', 0, 0, 'jest'],
    ['jest without tests', 0, 0, null],
    ['mocha', 1, 2, null, null],
    ['mocha with a printed summary', 0, 1, null],
    ['mocha that ends with 0', 0, 0, 'mocha'],
    ['pytest without a report', 3, 2, null, null],
    ['pytest that ends with 0', 0, 0, 'pytest'],
    ['unittest', 1, 2, null, null],
    ['unittest that ends with 0', 0, 0, 'unittest'],
    ['unittest that skips', 0, 1, null],
    ['unittest without tests', 0, 0, null],
    ['node with its own reporter', 3, 2, null, null],
    ['node as TAP, without tests', 0, 0, null],
    ['vitest and mocha by npm', 2, 5, null, null],
  ])('%s gives %i passed, %i skipped', async (name, passed, skipped, cut, names = []) => {
    const { argv = [], lines = [] } = transcripts.get(name) ?? {};
    const counts = await countIn(argv, lines);
    expect(sums(counts)).toEqual([passed, 0, skipped, cut]);
    expect(counts?.names).toEqual(cut === null ? names : []);
    expect(whyNoPass(counts) === null).toBe(passed > 0 && cut === null);
  });
});

const failingIn = async (command: string, line: string) =>
  (await countIn(command.split(' '), [line]))?.failing;

test('cargo, go and ctest tell the names of failed tests', async () => {
  expect(await failingIn('cargo test', 'test tests::adds ... FAILED')).toEqual(['adds']);
  expect(await failingIn('go test', '--- FAIL: TestAdd (0.00s)')).toEqual(['TestAdd']);
  expect(await failingIn('ctest', '1/2 Test #1: adds ......***Failed    0.00 sec')).toEqual([
    'adds',
  ]);
});

let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'counts-'));
  await writeFile(join(root, 'package.json'), '{"type":"module"}');
});
afterAll(() => rm(root, { recursive: true }));

/** Runs a command over one test file with the counting variables. */
async function run(argv: readonly string[], path: string, text: string) {
  const folder = await mkdtemp(join(root, 'reports-'));
  await mkdir(dirname(join(root, path)), { recursive: true });
  await writeFile(join(root, path), text);
  const [command = '', ...args] = argv;
  const { NODE_OPTIONS: _, ...own } = process.env;
  const env = { ...own, ...countingVariables(folder, {}) };
  const { code, output } = await new Promise<{ code: number; output: string }>((resolve) => {
    execFile(command, args, { cwd: root, env }, (error, stdout, stderr) => {
      const given = error === null ? 0 : error.code;
      resolve({ code: typeof given === 'number' ? given : 1, output: stdout + stderr });
    });
  });
  return { code, output, counts: await countIn(argv, output.split('\n'), folder) };
}

const runNode = (text: string, ...options: string[]) =>
  run([process.execPath, '--test', ...options, 'a/x.test.js'], 'a/x.test.js', text);

describe('node --test', () => {
  const start = "import test, { describe } from 'node:test';\n";

  test('reports passed tests by their names, and skipped ones and those to be written as such', async () => {
    const { code, output, counts } = await runNode(
      `${start}describe('sum', () => { test('adds', () => {}); test('two', { skip: true }, () => {}); test.todo('three', () => { throw 1; }); });`,
    );
    expect(code).toBe(0);
    expect(output).toMatch(/(?:#|ℹ) pass 1/);
    expect(counts).toEqual({
      passed: 1,
      failed: 0,
      skipped: 2,
      names: ['sum > adds'],
      failing: [],
      cut: null,
    });
  });

  test('reports failed tests by their names, but no suite and no file', async () => {
    const { counts } = await runNode(
      `${start}describe('sum', () => { test('adds', () => { throw 1; }); test('two', () => {}); }); process.exitCode = 3;`,
    );
    expect(counts).toMatchObject({ names: ['sum > two'], failing: ['sum > adds'] });
  });

  test('counts a file that fails as no test, as it counts none where it passes', async () => {
    const { counts } = await runNode(`${start}test('a', () => {}); process.exitCode = 3;`);
    expect(sums(counts)).toEqual([1, 0, 0, null]);
  });

  test.each([
    ['an empty file', ''],
    ['an empty suite', `${start}describe('sum', () => {});`],
    ['tests that are never reached', `${start}if (process.env.NEVER) test('sum', () => {});`],
    ['code that ends the process', `${start}process.exit(0); test('sum', () => {});`],
    [
      'a test that ends the process',
      `${start}test('a', () => {}); test('b', () => process.exit(0));`,
    ],
    ['printed results', `${start}console.log('# tests 5\\n# pass 5\\n✔ sum (1ms)\\nℹ pass 5');`],
  ])('counts nothing for %s', async (_kind, text) => {
    const { code, counts } = await runNode(text);
    expect(code).toBe(0);
    expect(sums(counts)).toEqual([0, 0, 0, null]);
    expect(whyNoPass(counts)).toBe('no test ran');
  });

  test('that has a reporter of its own cannot be asked, and is read by its output', async () => {
    const { code, output } = await runNode(`${start}test('a', () => {});`, '--test-reporter=spec');
    expect(refusesReport(code, output)).toBe(true);
    expect(refusesReport(0, output)).toBe(false);
    expect(refusesReport(1, 'AssertionError: 1 !== 2')).toBe(false);
  });
});

describe('the report of pytest', () => {
  test('gives the names of passed and failed tests; what is printed counts for nothing', async () => {
    const folder = await mkdtemp(join(root, 'reports-'));
    const report =
      '<testsuites><testsuite tests="3"><testcase classname="t.X" name="test_a[&lt;1&gt;]" time="0" /><testcase name="test_b"><skipped type="pytest.xfail" message="" /></testcase><testcase name="test_c"><failure message="x">no</failure></testcase><testcase classname="" name="test_file"><error message="collection failure">no</error></testcase></testsuite></testsuites>';
    await writeFile(join(folder, 'pytest.xml'), report);
    const counts = await countIn(['pytest', '-q'], ['9 passed in 0.1s'], folder);
    expect(counts).toEqual({
      passed: 1,
      failed: 2,
      skipped: 1,
      names: ['test_a[<1>]'],
      failing: ['test_c'],
      cut: null,
    });
  });
});

describe('without a report', () => {
  test('a command that starts no runner is not counted', async () => {
    const lines = ['hello', 'all 5 tests passed', 'pytest is fine'];
    for (const argv of [
      ['grep', '-q', 'jest', 'package.json'],
      ['sh', '-c', 'cat pytest.ini'],
      ['npx', 'vitest', '--version'],
      ['pytest', '--collect-only'],
      ['cargo', 'test', '--no-run'],
    ]) {
      expect(await countIn(argv, lines)).toBeNull();
    }
  });

  test('an example in a comment that cargo only compiles is no test that passed', async () => {
    const argv = ['cargo', 'test', '--doc'];
    const [only, sum] = [
      'test src/lib.rs - sum (line 2) - compile ... ok',
      'test src/lib.rs - sum (line 2) ... ok',
    ];
    const result = 'passed; 0 failed; 0 ignored; 0 measured; 0 filtered out';
    expect(
      sums(await countIn(argv, ['running 1 test', only, `test result: ok. 1 ${result}`])),
    ).toEqual([0, 0, 0, null]);
    expect(
      sums(await countIn(argv, ['running 2 tests', only, sum, `test result: ok. 2 ${result}`])),
    ).toEqual([1, 0, 0, null]);
  });

  test('lines of a runner that we do not know are no words of go', async () => {
    const lines = ['TAP version 13', 'ok 1 - adds two numbers', 'ok 2 should be equal', '# ok'];
    expect(await countIn(['node', 'test/all.js'], lines)).toBeNull();
  });

  test('a runner that make or npm starts is seen by the line that they print', async () => {
    for (const [argv, line] of [
      [['make', 'check'], 'python3 -m pytest -q'],
      [['npm', 'test'], '> jest --ci'],
      [['sh', '-c', 'make -C lib check'], 'cd lib && ../node_modules/.bin/mocha'],
    ] as const) {
      const counts = await countIn(argv, [line, 'done']);
      expect(counts?.cut).toMatch(/^(?:pytest|jest|mocha)$/);
    }
  });

  test('output of many megabytes is read in one pass', async () => {
    const line = `Tests: ${'1 passed, '.repeat(100_000)}`;
    const counts = await countIn(
      ['npx', 'jest'],
      [...Array<string>(50).fill(line), 'Tests:       1 passed, 1 total'],
    );
    expect(sums(counts)).toEqual([1, 0, 0, null]);
  });
});

describe('a pass', () => {
  const counts = { passed: 1, failed: 0, skipped: 0, names: ['sum > adds two'], cut: null };

  test('takes the named test among those that passed', () => {
    expect(whyNoPass(counts, 'adds two')).toBeNull();
    expect(whyNoPass(counts, 'Sum > adds')).toBeNull();
    expect(whyNoPass(counts, 'subtracts')).toBe('no test named “subtracts” passed');
    expect(whyNoPass({ ...counts, names: null }, 'subtracts')).toBeNull();
    expect(whyNoPass(null, 'subtracts')).toBeNull();
  });
});

const of = (...names: string[]) => ({ passed: names.length, failed: 0, names });
const number = (passed: number, failed = 0) => ({ passed, failed, names: null });

describe('what is gone', () => {
  test('is each test that passed before, unless the task removes it', () => {
    expect(whatIsGone(of('a', 'b', 'b'), of('b', 'a', 'b', 'c'), [])).toBeNull();
    expect(whatIsGone(of('a', 'b', 'b'), of('b', 'a'), [])).toBe(
      '“b” ran before and does not pass now',
    );
    expect(whatIsGone(of('sum > a', 'b'), of(), ['a'])).toBe(
      '“b” ran before and does not pass now',
    );
    expect(whatIsGone(of('sum > a', 'b'), of(), ['a', 'b'])).toBeNull();
  });

  test('is each test that failed before and is skipped or not there now, although others came', () => {
    const before = { ...of('b'), failed: 1, failing: ['sum > a'] };
    expect(whatIsGone(before, of('b', 'c'), [])).toBe('“sum > a” ran before and does not pass now');
    expect(whatIsGone(before, of('b', 'sum > a'), [])).toBeNull();
    expect(whatIsGone(before, of('b', 'c'), ['a'])).toBeNull();
  });

  test('is a number where a runner tells no names', () => {
    expect(whatIsGone(number(3), number(2), [])).toBe('3 tests passed before, and 2 pass now');
    expect(whatIsGone(number(3), number(2), ['a'])).toBeNull();
  });

  test('is a test that failed before, too', () => {
    expect(whatIsGone(number(1, 1), number(1), [])).toBe(
      '1 test passed and 1 failed before, and 1 passes now',
    );
    expect(whatIsGone({ ...of('a'), failed: 1 }, of('a'), [])).toBe(
      '1 test passed and 1 failed before, and 1 passes now',
    );
    expect(whatIsGone({ ...of('a'), failed: 1 }, of('a'), ['b'])).toBeNull();
    expect(whatIsGone({ ...of('a'), failed: 1 }, of('a', 'b'), [])).toBeNull();
  });
});
