import { expect, test } from 'vitest';
import { buildFacts } from '../../../src/context/package/surroundings.ts';

/** `kind: value in folder (source)` of each fact. */
async function factsOf(
  files: Readonly<Record<string, string>>,
  near: readonly string[] = [],
): Promise<readonly string[]> {
  const read = async (path: string) => files[path] ?? null;
  const facts = await buildFacts({ files: Object.keys(files), near, read });
  return facts.map(
    ({ kind, value, folder, source }) => `${kind}: ${value} in ${folder || '.'} (${source})`,
  );
}

const manifest = (scripts: Readonly<Record<string, string>>, more = {}) =>
  JSON.stringify({ name: 'x', scripts, ...more });

test.each([
  ['package-lock.json', 'npm test', 'npm run build'],
  ['yarn.lock', 'yarn test', 'yarn build'],
  ['pnpm-lock.yaml', 'pnpm test', 'pnpm run build'],
  ['bun.lock', 'bun run test', 'bun run build'],
])('the scripts of package.json beside %s: %s', async (lock, runTest, build) => {
  const scripts = { test: 'vitest', build: 'tsc', unrelated: 'x' };
  expect(await factsOf({ 'package.json': manifest(scripts), [lock]: '' })).toEqual([
    `build: ${build} in . (package.json)`,
    `test: ${runTest} in . (package.json)`,
  ]);
});

test('what is not there is not said: the test of npm init, a broken manifest, a missing script', async () => {
  const placeholder = 'echo "Error: no test specified" && exit 1';
  expect(await factsOf({ 'package.json': manifest({ test: placeholder }) })).toEqual([]);
  expect(await factsOf({ 'package.json': '{ "scripts": ' })).toEqual([]);
  expect(await factsOf({ 'src/a.ts': '' })).toEqual([]);
});

test.each<[string, Readonly<Record<string, string>>, readonly string[]]>([
  [
    'unittest in a folder of tests',
    { 'calc.py': '', 'tests/test_calc.py': 'import sys\nimport unittest\n' },
    ['test: python3 -m unittest discover -s tests in . (tests/test_calc.py)'],
  ],
  [
    'unittest beside the code',
    { 'calc/__init__.py': '', 'calc/test_calc.py': 'from unittest import TestCase\n' },
    ['test: python3 -m unittest discover -s . in . (calc/test_calc.py)'],
  ],
  [
    'unittest that a Makefile runs',
    { Makefile: 'test:\n\tpython -m unittest\n', 'tests/test_calc.py': 'import unittest\n' },
    ['test: make test in . (Makefile)'],
  ],
  ['tests of another runner', { 'tests/test_calc.py': 'import pytest\n' }, []],
])('what a Python project without a manifest says: %s', async (_, files, facts) => {
  expect(await factsOf(files, Object.keys(files))).toEqual(facts);
});

test.each<[string, Readonly<Record<string, string>>, readonly string[]]>([
  [
    'uv',
    { 'pyproject.toml': '[tool.pytest.ini_options]\n[tool.ruff]\n', 'uv.lock': '' },
    ['test: uv run pytest in . (pyproject.toml)', 'lint: uv run ruff check in . (pyproject.toml)'],
  ],
  [
    'tox before nox',
    { 'tox.ini': '[testenv]\n', 'noxfile.py': '', 'setup.py': '', 'tests/conftest.py': '' },
    ['test: tox in . (tox.ini)'],
  ],
  [
    'Go',
    { 'go.mod': 'module x\n', '.golangci.yml': '' },
    [
      'build: go build ./... in . (go.mod)',
      'test: go test ./... in . (go.mod)',
      'lint: golangci-lint run in . (.golangci.yml)',
    ],
  ],
  [
    'a Cargo workspace',
    { 'Cargo.toml': '[workspace]\n' },
    [
      'build: cargo build --workspace in . (Cargo.toml)',
      'test: cargo test --workspace in . (Cargo.toml)',
    ],
  ],
  [
    'Gradle with its wrapper',
    { 'build.gradle.kts': '', gradlew: '' },
    [
      'build: ./gradlew build in . (build.gradle.kts)',
      'test: ./gradlew test in . (build.gradle.kts)',
    ],
  ],
  [
    '.NET',
    { 'App.sln': '', 'test/App.Tests/App.Tests.csproj': '' },
    ['build: dotnet build in . (App.sln)', 'test: dotnet test in . (App.sln)'],
  ],
  [
    'Swift',
    { 'Package.swift': '', 'Tests/ATests/a.swift': '' },
    ['build: swift build in . (Package.swift)', 'test: swift test in . (Package.swift)'],
  ],
  [
    'CMake and make',
    { 'CMakeLists.txt': 'enable_testing()\n', Makefile: 'X := 1\nall: a\ntest: all\n\t./t\n' },
    [
      'build: make all in . (Makefile)',
      'test: make test in . (Makefile)',
      'build: cmake -B build && cmake --build build in . (CMakeLists.txt)',
      'test: ctest --test-dir build in . (CMakeLists.txt)',
    ],
  ],
  [
    'just',
    { justfile: 'x := "1"\ntest filter="":\n  cargo test\n' },
    ['test: just test in . (justfile)'],
  ],
])('%s', async (_name, files, facts) => {
  expect(await factsOf(files)).toEqual(facts);
});

test('in a monorepo the folder of the found files comes first, with the lock of the root', async () => {
  const files = {
    'package.json': manifest({ test: 'all' }),
    'pnpm-lock.yaml': '',
    'packages/a/package.json': manifest({ test: 'one' }),
    'packages/a/src/x.ts': '',
    'packages/b/package.json': manifest({ test: 'other' }),
    'crates/c/Cargo.toml': '',
    'Cargo.toml': '[workspace]\n',
  };
  const facts = await factsOf(files, ['packages/a/src/x.ts', 'crates/c/Cargo.toml']);
  expect(facts.filter((fact) => fact.startsWith('test'))).toEqual([
    'test: pnpm test in packages/a (packages/a/package.json)',
    'test: pnpm test in . (package.json)',
    'test: cargo test --workspace in . (Cargo.toml)',
  ]);
});

test('a folder of tests is no project of its own', async () => {
  const files = {
    'pyproject.toml': '[tool.pytest]\n',
    'tests/conftest.py': '',
    'tests/test_a.py': '',
  };
  const facts = await factsOf(files, ['tests/test_a.py']);
  expect(facts).toEqual(['test: python -m pytest in . (pyproject.toml)']);
});
