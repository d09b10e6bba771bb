// Tests of which changed files belong to the work of a task, come along, or wait for a person.
import { describe, expect, test } from 'vitest';
import type { Task } from '../../../src/model/task.ts';
import { isNamed, sortWork } from '../../../src/phases/execution/belonging.ts';
import type { SourceTree } from '../../../src/phases/execution/imports.ts';

type Files = Readonly<Record<string, string | null>>;

const treeOf = (files: Files, links: readonly string[] = []): SourceTree => {
  const texts = new Map(
    Object.entries(files).flatMap(([path, text]) => (text === null ? [] : [[path, text] as const])),
  );
  return {
    files: new Set(texts.keys()),
    read: async (path) => texts.get(path) ?? null,
    isLink: (path) => links.includes(path),
  };
};

const project: Files = {
  'package.json': '{ "scripts": { "test": "node verify.mjs", "start": "node src/cli.js" } }',
  'src/add.js': "import { op } from './op.js';\nexport const add = (a, b) => op(a, b);\n",
  'src/op.js': "export { plus as op } from './deep/plus.ts';\n",
  'src/deep/plus.ts': 'export const plus = (a, b) => a - b;\n',
  'src/cli.js': "import { add } from './add.js';\n",
  'src/other.js': 'export const other = 1;\n',
  'verify.mjs': "import { add } from './src/add.js';\n",
  'vendor/assert.js': 'export const eq = () => {};\n',
  'test/add.test.js': "import { add } from '../src/add.js';\n",
  'lib/package.json': '{}',
  'lib/index.js': "import '../src/add.js';\n",
  'data/expected.json': '3\n',
};

/** Sorts a change of some files; null removes one. */
async function sort(
  change: Files,
  task: Partial<Task> = {},
  {
    base = project,
    links = [],
  }: { readonly base?: Files; readonly links?: readonly string[] } = {},
) {
  const named: Pick<Task, 'files'> = { files: [{ path: 'src/add.js', action: 'modify' }] };
  const whole = { ...named, ...task };
  const changed = Object.keys(change);
  const sorted = await sortWork({
    task: whole,
    changed,
    before: treeOf(base),
    after: treeOf({ ...base, ...change }, links),
  });
  const { work, apart } = sorted;
  const unnamed = work.filter((path) => !isNamed(whole, path));
  const isAlong = (path: string) => !work.includes(path) && apart.every((one) => one.path !== path);
  return { ...sorted, unnamed, along: changed.filter(isAlong) };
}

const kinds = ({ apart }: Awaited<ReturnType<typeof sortWork>>) =>
  Object.fromEntries(apart.map(({ path, kind }) => [path, kind]));

describe('to the work belong', () => {
  test('existing sources of the package that a named file imports, through others, or that import it', async () => {
    const sorted = await sort({
      'src/add.js': 'export { plus as add } from "./deep/plus";\n',
      'src/deep/plus.ts': '+',
      'src/cli.js': "import { add } from './add.js'; add();\n",
      'src/other.js': 'changed',
      'lib/index.js': 'changed',
    });
    expect(sorted.work).toEqual(['src/add.js', 'src/deep/plus.ts', 'src/cli.js']);
    expect(sorted.unnamed).toEqual(['src/deep/plus.ts', 'src/cli.js']);
    expect(sorted.along).toEqual(['src/other.js', 'lib/index.js']);
    expect(sorted.apart).toEqual([]);
  });

  test('no existing source by an import that the agent adds to it, unless of a new named file', async () => {
    const change = { 'vendor/assert.js': "import '../src/add.js';\n", 'src/add.js': 'x' };
    expect((await sort(change)).along).toEqual(['vendor/assert.js']);
    // What only tests import is no part of the work, either, because its source imports it now.
    const base = {
      ...project,
      'lib/package.json': null,
      'test/add.test.js': "import '../lib/eq.js';\n",
      'lib/eq.js': '1',
      'lib/free.js': '1',
    };
    const imports = "import '../lib/eq.js';\nimport '../lib/free.js';\n";
    const weak = { 'lib/eq.js': '2', 'lib/free.js': '2', 'src/add.js': imports };
    const sorted = await sort(weak, {}, { base });
    expect(sorted.work).toEqual(['lib/free.js', 'src/add.js']);
    expect(sorted.along).toEqual(['lib/eq.js']);
    const files = [{ path: 'src/sum.js', action: 'create' as const }];
    const wired = { 'src/sum.js': 'x', 'src/other.js': "export * from './sum.js';\n" };
    expect((await sort(wired, { files })).work).toEqual(['src/sum.js', 'src/other.js']);
  });

  test('no file of values that a test imports, too, since it may expect them', async () => {
    const named = { files: [{ path: 'calc/add.py', action: 'modify' as const }] };
    const uses = { 'calc/add.py': 'from calc.limits import LIMIT\n' };
    const expects = { 'test_add.py': 'from calc.add import add\nfrom calc.limits import LIMIT\n' };
    const of = async (base: Files) =>
      (await sort({ 'calc/add.py': 'x', 'calc/limits.py': 'changed' }, named, { base })).unnamed;
    const values = { ...uses, 'calc/limits.py': 'LIMIT = 3\n' };
    expect(await of({ ...values, ...expects })).toEqual([]);
    expect(await of(values)).toEqual(['calc/limits.py']);
    const code = { ...values, ...expects, 'calc/limits.py': 'LIMIT = 3\ndef least(a):\n    ...\n' };
    expect(await of(code)).toEqual(['calc/limits.py']);
  });

  test('no file that a check or a script for tests runs', async () => {
    const change = { 'verify.mjs': "console.log('ok');\n", 'src/cli.js': 'x' };
    const sorted = await sort(change, { checks: [{ kind: 'command', argv: ['npm', 'test'] }] });
    expect(sorted.along).toEqual(['verify.mjs']);
    const argv = ['sh', '-c', 'cd src && node cli.js'];
    expect((await sort(change, { checks: [{ kind: 'command', argv }] })).work).toEqual([]);
    // A program may be called as its folder, or without its ending.
    const scripts = { 'package.json': '{ "scripts": { "test": "npm run qa", "qa": "node qa" } }' };
    const base = {
      ...project,
      ...scripts,
      'qa/index.js': "import '../src/add.js';\n",
      'qa/all.js': "import '../src/add.js';\n",
    };
    const more = { 'qa/index.js': 'x', 'qa/all.js': 'y', 'src/cli.js': 'x' };
    const run = { kind: 'command' as const, argv: ['sh', '-c', 'cd qa && node all'] };
    expect((await sort(more, { checks: [run] }, { base })).work).toEqual(['src/cli.js']);
  });

  const uses = "import { add } from './src/add.js';\n";
  test.each<[string, readonly string[], Files, string]>([
    [
      'a script of the check starts',
      ['sh', 'ci.sh'],
      { 'ci.sh': 'cd tools && node verify.mjs\n', 'tools/verify.mjs': uses.replace('./', '../') },
      'tools/verify.mjs',
    ],
    [
      'a program of the check imports',
      ['node', 'run-all.mjs'],
      { 'run-all.mjs': "import './cases.mjs';\n", 'cases.mjs': uses },
      'cases.mjs',
    ],
    [
      'only tests import, and that asserts something',
      ['npm', 'test'],
      {
        'test/add.test.js': "import { check } from '../src/harness.js';\n",
        'src/harness.js':
          "import { add } from './add.js';\nexport const check = () => assert(add);\n",
      },
      'src/harness.js',
    ],
    [
      'is a module that the check starts',
      ['python3', '-m', 'calc.accept'],
      { 'calc/add.py': '', 'calc/accept.py': 'from calc.add import add\nassert add(1, 2) == 3\n' },
      'calc/accept.py',
    ],
    [
      'a target of the check runs by variables',
      ['make', '-C', 'calc', 'check'],
      {
        'calc/Makefile': 'PY ?= python3\nACC = accept.py\nall: app.py\ncheck:\n\t$(PY) $(ACC)\n',
        'calc/add.py': '',
        'calc/accept.py': 'from add import add\n',
      },
      'calc/accept.py',
    ],
    [
      'a target compiles on which that of the check depends',
      ['make', '-C', 'calc', 'check'],
      {
        'calc/Makefile':
          'app: main.c add.c\n\tcc -o app main.c add.c\ncheck: t\n\t./t\nt: verify.c add.c\n',
        'calc/add.c': '',
        'calc/add.h': '',
        'calc/verify.c': '#include "add.h"\n',
      },
      'calc/verify.c',
    ],
    [
      'ctest runs',
      ['sh', '-c', 'cmake --build calc/build && ctest --test-dir calc/build'],
      {
        'calc/CMakeLists.txt': 'add_executable(t add.c verify.c)\nadd_test(NAME adds COMMAND t)\n',
        'calc/add.c': '',
        'calc/add.h': '',
        'calc/verify.c': '#include "add.h"\n',
      },
      'calc/verify.c',
    ],
  ])('no file that %s', async (_kind, argv, files, judge) => {
    const base = { ...project, ...files };
    const named = Object.keys(base).filter((path) => /(?:src|calc)\/add\.\w+$/.test(path));
    const task = { files: named.map((path) => ({ path })) };
    const beside = named.find((path) => path.startsWith('calc/')) ?? 'src/add.js';
    const ending = beside.split('.').at(-1) ?? '';
    const caller = `${beside.split('/')[0]}/main.${ending}`;
    const calls = new Map([
      ['js', "import './add.js';\n"],
      ['py', 'from add import add\nfrom calc.add import add\n'],
      ['c', '#include "add.h"\n'],
    ]);
    const text = calls.get(ending) ?? '';
    const change = { [judge]: 'weak', [caller]: `${text}//` };
    const checks = [{ kind: 'command' as const, argv: [...argv] }];
    const sorted = await sort(change, { ...task, checks }, { base: { ...base, [caller]: text } });
    expect(sorted.along).toEqual([judge]);
    expect(sorted.work).toEqual([caller]);
  });

  test('new helpers and data that a file of the work imports or names, and the package that it is in', async () => {
    const files = [
      { path: 'src/add.js' },
      { path: 'test/more.test.js' },
      { path: 'tests/a/test_b.py' },
    ];
    const sorted = await sort(
      {
        'src/add.js': "readFileSync(new URL('./hello.txt', import.meta.url));\n",
        'src/hello.txt': 'Hello',
        'test/more.test.js':
          "import { pairs } from './pairs.js';\nread('fixtures/three.json'); // four.json\n",
        'test/pairs.js': '1',
        'test/fixtures/three.json': '3',
        'test/fixtures/four.json': '4',
        'test/further.test.js': '1',
        'tests/a/test_b.py': '1',
        'tests/__init__.py': '',
        'tests/a/__init__.py': '',
        'tests/c/__init__.py': '',
      },
      { files },
    );
    expect(sorted.along).toEqual([
      'test/fixtures/four.json',
      'test/further.test.js',
      'tests/c/__init__.py',
    ]);
    expect(sorted.apart).toEqual([]);
  });

  test('a new file that makes a folder a package, but no code that Python runs for all of it', async () => {
    const task = { files: [{ path: 'sums/add.py', action: 'modify' as const }] };
    const base = { 'sums/add.py': '', 'sums/test_add.py': 'import add\n' };
    const change = { 'sums/add.py': '# fixed\n', 'sums/__init__.py': '# The sums.\n' };
    expect((await sort(change, task, { base })).along).toEqual([]);
    const patch = 'import sys\nsys.modules["add"] = sys\n';
    const sorted = await sort({ ...change, 'sums/__init__.py': patch }, task, { base });
    expect(sorted.along).toEqual(['sums/__init__.py']);
  });

  test('the new snapshots of its tests, but none of another test', async () => {
    const files = [{ path: 'test/more.test.js' }, { path: 'tests/test_more.py' }];
    const sorted = await sort(
      {
        'test/more.test.js': '1',
        'tests/test_more.py': '1',
        'test/__snapshots__/more.test.js.snap': '1',
        'tests/__snapshots__/test_more.ambr': '1',
        'test/__snapshots__/add.test.js.snap': '1',
      },
      { files },
    );
    expect(sorted.unnamed).toEqual([
      'test/__snapshots__/more.test.js.snap',
      'tests/__snapshots__/test_more.ambr',
    ]);
  });

  test('a new Go test beside one that the task names, but none with TestMain', async () => {
    const base = { 'go.mod': '', 'a/add.go': '' };
    const main = 'func TestMain(m *testing.M) {}\n';
    const change = { 'a/add_test.go': '1', 'a/help_test.go': '1', 'a/main_test.go': main };
    const files = [{ path: 'a/add.go' }, { path: 'a/add_test.go' }];
    expect((await sort(change, { files }, { base })).work).toEqual([
      'a/add_test.go',
      'a/help_test.go',
    ]);
    const alone = await sort(
      { 'a/add.go': 'x', 'a/help_test.go': '1' },
      { files: [{ path: 'a/add.go' }] },
      { base },
    );
    expect(alone.along).toEqual(['a/help_test.go']);
  });

  test('new files that a file of the work imports, through other new ones', async () => {
    const sorted = await sort({
      'src/add.js': "import { a } from './new/a.js'; import d from './table.json';\n",
      'src/new/a.js': "export { b as a } from './b.js';\n",
      'src/new/b.js': '1',
      'src/table.json': '{}',
      'src/new/unused.js': '1',
      'test/further.test.js': "import '../src/new/unused.js';\n",
      'NOTES.md': 'words',
    });
    expect(sorted.unnamed).toEqual(['src/new/a.js', 'src/new/b.js', 'src/table.json']);
    expect(sorted.along).toEqual(['src/new/unused.js', 'test/further.test.js', 'NOTES.md']);
  });

  test('a new source that a build file of the work names', async () => {
    const base = { Makefile: 't: add.c\n\tcc -o t add.c\n', 'add.c': '-' };
    const files = ['Makefile', 'add.c'].map((path) => ({ path, action: 'modify' as const }));
    const change = { Makefile: 't: add.c plus.c\n\tcc -o t add.c plus.c\n', 'add.c': '+' };
    const { unnamed } = await sort(
      { ...change, 'plus.c': 'x', 'minus.c': 'x' },
      { files },
      { base },
    );
    expect(unnamed).toEqual(['plus.c']);
  });

  test('a new C source whose header a file of the work includes', async () => {
    const base = { Makefile: '', 'src/main.c': '' };
    const main = '#include "plus.h"\n';
    const change = { 'src/main.c': main, 'src/plus.h': '', 'src/plus.c': '', 'src/free.c': '' };
    const sorted = await sort(change, { files: [{ path: 'src/main.c' }] }, { base });
    expect(sorted.work).toEqual(['src/main.c', 'src/plus.h', 'src/plus.c']);
  });

  test.each(['#util/plus.js', '#plus.js', '@/util/plus', '~/util/plus.js'])(
    'a new file that is imported by the alias %s',
    async (alias) => {
      const change = { 'src/add.js': `import '${alias}';\n`, 'src/util/plus.js': '1' };
      expect((await sort(change)).unnamed).toEqual(['src/util/plus.js']);
    },
  );

  test.each([
    ['go', 'go.mod', 'a/new.go'],
    ['java', 'pom.xml', 'a/New.java'],
    ['cs', 'x.csproj', 'a/New.cs'],
    ['swift', 'Package.swift', 'a/New.swift'],
  ])('files beside a named one where %s compiles by folder', async (ending, manifest, added) => {
    const base = {
      [manifest]: '',
      [`a/one.${ending}`]: '',
      [`a/two.${ending}`]: '',
      [`b/x.${ending}`]: '',
    };
    const files = [{ path: `a/one.${ending}` }];
    const change = { [`a/two.${ending}`]: 'x', [added]: 'x', [`b/x.${ending}`]: 'x' };
    const sorted = await sort(change, { files }, { base });
    expect(sorted.work).toEqual([`a/two.${ending}`, added]);
  });

  test.each<[string, string, Files, Files, readonly string[]]>([
    [
      'Python',
      'src/app/main.py',
      {
        'pyproject.toml': '',
        'src/app/main.py': 'from .core import run\nimport app.util as u\n',
        'src/app/core.py': '',
        'src/app/util.py': '',
        'src/app/free.py': '',
      },
      {
        'src/app/core.py': 'from app.fresh import (\n  x,\n)\n',
        'src/app/util.py': 'x',
        'src/app/fresh.py': '',
        'src/app/free.py': 'x',
      },
      ['src/app/core.py', 'src/app/util.py', 'src/app/fresh.py'],
    ],
    [
      'a module of a Python package',
      'app/main.py',
      {
        'pyproject.toml': '',
        'app/main.py': 'from . import run\nfrom .core import *\n',
        'app/__init__.py': '',
        'app/core.py': '',
      },
      { 'app/__init__.py': 'def run(): pass\n', 'app/core.py': 'x = 1\n' },
      ['app/__init__.py', 'app/core.py'],
    ],
    [
      'C',
      'src/main.c',
      {
        Makefile: '',
        'src/main.c': '#include "util.h"\n',
        'include/util.h': '',
        'include/util.c': '',
        'src/other.c': '',
      },
      {
        'src/main.c': '#include "util.h"\n#include "new.h"\n',
        'src/new.h': '',
        'include/util.h': 'x',
        'include/util.c': 'x',
        'src/other.c': 'x',
      },
      ['src/main.c', 'src/new.h', 'include/util.h', 'include/util.c'],
    ],
    [
      'C++ by a path of the compiler',
      'src/add.cpp',
      {
        'CMakeLists.txt': '',
        'src/add.cpp': '',
        'include/calc/add.hpp': '',
        'include/old.hpp': '',
      },
      {
        'src/add.cpp': '#include <calc/add.hpp>\n#include <calc/plus.hpp>\n#include <vector>\n',
        'include/calc/add.hpp': 'x',
        'include/calc/plus.hpp': '',
        'include/old.hpp': 'x',
      },
      ['src/add.cpp', 'include/calc/add.hpp', 'include/calc/plus.hpp'],
    ],
    [
      'PHP',
      'src/Sum.php',
      {
        'composer.json': '',
        'src/Sum.php': '<?php\nuse App\\Math\\Plus;\n',
        'src/Math/Plus.php': '',
      },
      {
        'src/Sum.php':
          '<?php\nuse App\\Math\\{Plus};\nuse App\\Math\\Minus as M;\nrequire_once "lib/a.php";\n',
        'src/Math/Plus.php': 'x',
        'src/Math/Minus.php': '',
        'src/Math/Times.php': '',
        'src/lib/a.php': '',
      },
      ['src/Sum.php', 'src/Math/Plus.php', 'src/Math/Minus.php', 'src/lib/a.php'],
    ],
    [
      'Rust',
      'src/lib.rs',
      {
        'Cargo.toml': '',
        'src/lib.rs': 'mod a;\nuse crate::b::c::D;\n',
        'src/a.rs': '',
        'src/b/c.rs': '',
        'src/d.rs': '',
      },
      { 'src/a.rs': 'x', 'src/b/c.rs': 'x', 'src/d.rs': 'x' },
      ['src/a.rs', 'src/b/c.rs'],
    ],
    [
      'Go',
      'svc/main.go',
      {
        'svc/go.mod': 'module example.com/svc\n',
        'svc/main.go': 'import "example.com/svc/in/db"\n',
        'svc/in/db/x.go': '',
        'svc/in/web/y.go': '',
      },
      { 'svc/in/db/x.go': 'x', 'svc/in/web/y.go': 'x' },
      ['svc/in/db/x.go'],
    ],
    [
      'Java',
      'src/main/java/a/b/One.java',
      {
        'pom.xml': '',
        'src/main/java/a/b/One.java': 'import a.c.Two;\n',
        'src/main/java/a/c/Two.java': '',
        'src/main/java/a/c/Three.java': '',
      },
      { 'src/main/java/a/c/Two.java': 'x', 'src/main/java/a/c/Three.java': 'x' },
      ['src/main/java/a/c/Two.java'],
    ],
    [
      'Ruby',
      'lib/app.rb',
      {
        Gemfile: '',
        'lib/app.rb': "require_relative 'app/core'\nrequire 'app/util'\n",
        'lib/app/core.rb': '',
        'lib/app/util.rb': '',
      },
      { 'lib/app/core.rb': 'x', 'lib/app/util.rb': 'x' },
      ['lib/app/core.rb', 'lib/app/util.rb'],
    ],
  ])('what %s imports', async (_language, named, base, change, work) => {
    const sorted = await sort(change, { files: [{ path: named }] }, { base });
    expect(sorted.work).toEqual(work);
  });

  test('a lockfile whose manifest is named, also that of the root', async () => {
    const change = { 'package-lock.json': '{}', 'lib/package.json': '{ "a": 1 }' };
    const files = [{ path: 'lib/package.json' }];
    expect((await sort(change, { files })).work).toEqual(['package-lock.json', 'lib/package.json']);
    expect(kinds(await sort({ 'package-lock.json': '{}' }))).toEqual({
      'package-lock.json': 'a lockfile',
    });
  });

  test('only test files where the task is about tests', async () => {
    const change = { 'src/add.js': 'x', 'test/add.test.js': 'x', 'test/help.js': 'x' };
    const files = [{ path: 'src/add.js' }, { path: 'test/add.test.js' }];
    const imports = { ...change, 'test/add.test.js': "import './help.js';\n" };
    const sorted = await sort(imports, { files, type: 'test-gen' });
    expect(sorted.work).toEqual(['test/add.test.js', 'test/help.js']);
    expect(sorted.along).toEqual(['src/add.js']);
  });

  test('what a check looks into, as if the task named it', async () => {
    const checks = [{ kind: 'text', path: 'data/expected.json', contains: '4' }] as const;
    const sorted = await sort({ 'data/expected.json': '4\n' }, { checks: [...checks] });
    expect(sorted.work).toEqual(['data/expected.json']);
  });
});

describe('until a person accepts them wait', () => {
  test('files that a runner or builder loads by name, and tests from before', async () => {
    const sorted = await sort({
      '.npmrc': 'script-shell=./ok.sh',
      'package.json': '{}',
      'conftest.py': '',
      'calc/unittest.py': '',
      GNUmakefile: '',
      'rules.mk': '',
      'a/zz_test.go': 'package a\nfunc TestMain(m *testing.M) {}\n',
      'a/more_test.go': 'package a\nfunc TestMore(t *testing.T) {}\n',
      'test/add.test.js': null,
      'src/more.test.js': '',
      'data/expected.json': '-1',
    });
    expect(kinds(sorted)).toEqual({
      '.npmrc': 'a dotfile',
      'package.json': 'a manifest',
      'conftest.py': 'settings of a test runner or compiler',
      'calc/unittest.py': 'a mock that replaces a module',
      GNUmakefile: 'a build file',
      'rules.mk': 'a build file',
      'a/zz_test.go': 'a test with TestMain',
      'test/add.test.js': 'a test from before',
      'a/more_test.go': 'a test that may rest on it',
      'src/more.test.js': 'a test that may rest on it',
    });
    expect(sorted.along).toEqual(['data/expected.json']);
  });

  test('new tests, which may rest on such a file', async () => {
    const sorted = await sort({ 'a/conftest.py': '', 'a/b/test_x.py': '', 'c/test_y.py': '' });
    expect(kinds(sorted)).toMatchObject({
      'a/b/test_x.py': 'a test that may rest on it',
      'c/test_y.py': 'a test that may rest on it',
    });
    expect(sorted.along).toEqual([]);
  });

  test('no source whose name only begins like that of such a file', async () => {
    const add = "import './available.js';\nimport './babelFish.js';\n";
    const change = { 'src/add.js': add, 'src/available.js': '1', 'src/babelFish.js': '1' };
    expect((await sort(change)).unnamed).toEqual(['src/available.js', 'src/babelFish.js']);
  });

  test('none that the task names, as itself or by its folder', async () => {
    const files = [{ path: 'tsconfig.json' }, { path: 'test/' }];
    const sorted = await sort({ 'tsconfig.json': '{}', 'test/add.test.js': 'x' }, { files });
    expect(sorted.work).toEqual(['tsconfig.json', 'test/add.test.js']);
  });
});

test('links that lead out of the repository are told', async () => {
  const links = ['src/add.js', 'src/op.js', 'src/cli.js'];
  const change = { 'src/add.js': '/tmp/x.js', 'src/op.js': '../../x.js', 'src/cli.js': './add.js' };
  const sorted = await sort(change, {}, { links });
  expect(sorted.linksOut).toEqual(['src/add.js', 'src/op.js']);
});

test('a named file that nobody touched is told, unless its fault was in one that it imports, or a check looks at it', async () => {
  const files = [{ path: 'src/add.js' }, { path: 'docs/cli.md' }, { path: 'data/expected.json' }];
  const checks = [{ kind: 'text', path: 'data/expected.json', contains: '3' }] as const;
  const sorted = await sort({ 'src/op.js': 'x' }, { files, checks: [...checks] });
  expect(sorted.untouched).toEqual(['docs/cli.md']);
  const base = { 'a.c': '#include "b.h"\n', 'b.h': '', 'b.c': '' };
  const own = { files: [{ path: 'a.c' }] };
  expect(await sort({ 'b.c': 'x' }, own, { base })).toMatchObject({ work: ['b.c'], untouched: [] });
  const gone = [{ path: 'src/none.js', action: 'delete' as const }, { path: 'src/add.js' }];
  expect((await sort({ 'NOTES.md': 'x' }, { files: gone })).untouched).toEqual(['src/add.js']);
});

test('all but what waits is the work of a task that names no file', async () => {
  const sorted = await sort({ 'src/other.js': 'x', '.npmrc': 'x' }, { files: [] });
  expect(sorted.work).toEqual(['src/other.js']);
});
