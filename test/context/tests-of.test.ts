import { expect, test } from 'vitest';
import { kindOf } from '../../src/context/file-kinds.ts';
import { isRunTest } from '../../src/context/run-tests.ts';
import { testMap } from '../../src/context/tests-of.ts';

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

test.each([
  ['src/a/money.ts', 'test/a/money.test.ts', 'test/a/date.test.ts'],
  ['src/c/new.ts', 'test/c/new.test.ts', 'test/a/date.test.ts'],
  ['go/stop.go', 'go/stop_test.go', 'go/serve_test.go'],
  [
    'app/src/main/java/x/B.java',
    'app/src/test/java/x/BTest.java',
    'app/src/test/java/x/ATest.java',
  ],
])('a test of %s belongs to %s, as %s shows', (source, path, like) => {
  expect(testMap(all).newFor(source)).toEqual({ path, like });
});

test('where nothing is tested, no place for a test is guessed', () => {
  expect(testMap(['src/a.ts', 'src/b.ts']).newFor('src/a.ts')).toBeNull();
});

test('a folder that is a package is tested under the name of the folder', () => {
  const map = testMap([
    'src/flask/cli.py',
    'src/flask/json/__init__.py',
    'src/flask/yaml/__init__.py',
    'tests/test_cli.py',
    'tests/test_json.py',
  ]);
  expect(map.of('src/flask/json/__init__.py')).toEqual(['tests/test_json.py']);
  expect(map.newFor('src/flask/yaml/__init__.py')?.path).toBe('tests/test_yaml.py');
});

test.each([
  ['crates/a/src/parse.rs', 'crates/a/tests/parse.rs'],
  ['crates/b/src/parse.rs', null],
  ['crates/c/src/parse.rs', null],
])('a new test of %s stands where cargo runs it, or nowhere: %j', (source, path) => {
  const map = testMap([
    source,
    'crates/a/Cargo.toml',
    'crates/b/Cargo.toml',
    'crates/c/Cargo.toml',
    'crates/a/src/walk.rs',
    'crates/a/tests/walk.rs',
    'crates/b/src/walk.rs',
    'crates/b/src/walk_test.rs',
    'crates/c/src/walk.rs',
    'crates/c/tests/it/walk.rs',
    'crates/c/tests/it/main.rs',
  ]);
  expect(map.newFor(source)?.path ?? null).toBe(path);
});

test('a workspace tests a new file in its own package only', () => {
  const map = testMap([
    'lib/Cargo.toml',
    'lib/src/sync/walk.rs',
    'lib/src/sync/parse.rs',
    'lib/tests/tracing/Cargo.toml',
    'lib/tests/tracing/tests/sync/walk.rs',
  ]);
  expect(map.newFor('lib/src/sync/parse.rs')).toBeNull();
});

test('only a module of Rust has the name of its folder where its file is called mod', () => {
  const map = testMap(['src/hono.ts', 'src/hono.test.ts', 'src/mod.ts', 'src/index.ts']);
  expect(map.newFor('src/mod.ts')?.path).toBe('src/mod.test.ts');
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
  expect(map.newFor('src/panic.rs')).toBeNull();
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
