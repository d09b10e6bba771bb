import { expect, test } from 'vitest';
import { kindOf } from '../../src/context/file-kinds.ts';
import { isRunTest, testMap } from '../../src/context/tests-of.ts';

const all = [
  'src/a/date.ts',
  'src/b/date.ts',
  'src/a/money.ts',
  'src/b/calendar.ts',
  'src/cli.ts',
  'test/a/date.test.ts',
  'test/b/date.test.ts',
  'test/cli.test.ts',
  'pkg/walk.py',
  'pkg/tests/test_walk.py',
  'go/serve.go',
  'go/serve_test.go',
  'go/stop.go',
  'app/src/main/java/x/A.java',
  'app/src/test/java/x/ATest.java',
  'app/src/main/java/x/B.java',
  'mw/cors/index.ts',
  'mw/cors/index.test.ts',
  'mw/etag/index.ts',
  'mw/etag/digest.ts',
  'mw/etag/index.test.ts',
];

test.each([
  ['src/a/date.ts', ['test/a/date.test.ts']],
  ['src/b/date.ts', ['test/b/date.test.ts']],
  ['src/a/money.ts', []],
  ['pkg/walk.py', ['pkg/tests/test_walk.py']],
  ['go/serve.go', ['go/serve_test.go']],
  ['app/src/main/java/x/A.java', ['app/src/test/java/x/ATest.java']],
  ['mw/cors/index.ts', ['mw/cors/index.test.ts']],
  ['mw/etag/digest.ts', ['mw/etag/index.test.ts']],
])('%s is tested by %j', (source, tests) => {
  expect(testMap(all).of(source)).toEqual(tests);
});

test('a folder that is a package is tested under the name of the folder', () => {
  const map = testMap([
    'src/flask/cli.py',
    'src/flask/json/__init__.py',
    'tests/test_cli.py',
    'tests/test_json.py',
  ]);
  expect(map.of('src/flask/json/__init__.py')).toEqual(['tests/test_json.py']);
});

test('material of tests and a package file of theirs test nothing', () => {
  const map = testMap([
    'src/panic.rs',
    'src/output.rs',
    'src/app/__init__.py',
    'tests/syntax/highlighted/Rust/output.rs',
    'tests/__init__.py',
    'tests/fixtures/panic_test.rs',
  ]);
  expect(map.of('src/output.rs')).toEqual([]);
  expect(map.of('src/app/__init__.py')).toEqual([]);
});

test.each([
  ['tests/test_cli.py', true],
  ['tests/cli.rs', true],
  ['src/cors/index.test.ts', true],
  ['examples/tutorial/tests/test_auth.py', true],
  ['test/examples/date.test.ts', true],
  ['tests/examples/date.rs', false],
  ['tests/snapshots/sample.rs', false],
  ['pkg/testdata/serve_test.go', false],
  ['tests/conftest.py', false],
  ['tests/test_apps/inner/flask.py', false],
  ['app/tests/tests.py', true],
  ['src/cli.ts', false],
])('whether a runner runs %s: %s', (path, isRun) => {
  expect(isRunTest(path)).toBe(isRun);
});

test.each([
  ['src/a.ts', 'source'],
  ['src/a.test.ts', 'test'],
  ['tests/helper.py', 'test'],
  ['testing/helper.py', 'test'],
  ['test_a.py', 'test'],
  ['src/latest.ts', 'source'],
  ['src/Contest.java', 'source'],
  ['DateTest.java', 'test'],
  ['README.md', 'doc'],
  ['docs/conf.py', 'doc'],
  ['package.json', 'data'],
])('%s is a %s', (path, kind) => {
  expect(kindOf(path)).toBe(kind);
});
