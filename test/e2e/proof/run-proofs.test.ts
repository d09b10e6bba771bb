import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Proof, ProofResult } from '../../../src/model/proof.ts';
import { short } from '../../helpers/short-form.ts';
import {
  canConfine,
  linkVitest,
  proofOf,
  type ProofRig,
  proofRig,
} from '../../helpers/strict-rig.ts';

let rig: ProofRig;
beforeEach(() => {
  rig = proofRig({
    'package.json': '{"type":"module"}',
    '.gitignore': 'node_modules\n.venv\ndist\n',
    'src/add.js': 'export const add = (a, b) => a - b;\nexport const one = 1;\n',
  });
});
afterEach(() => rig.remove());

const head = `import test from 'node:test';\nimport assert from 'node:assert';\n`;

/** Runs proofs with these bodies, each in a file of its own; P1 is the first. */
async function runAll(
  contents: readonly string[],
  part: Partial<Proof> = {},
): Promise<readonly ProofResult[]> {
  const proofs = contents.map((content, at) => {
    const path = `test/all.p${at + 1}.test.js`;
    const argv = ['node', '--test', path];
    return proofOf(path, content, { argv, ...part, id: `P${at + 1}` });
  });
  const { results, obstacle } = await rig.run(proofs, { settings: { checkMs: 15_000 } });
  expect(obstacle).toBeNull();
  return results;
}

const body = (text: string) => `import unittest\n${text}`;

const goTest = (id: string, lines: string) =>
  `package m\n\nimport "testing"\n\nfunc Test${id}(t *testing.T) {\n${lines}\n}\n`;

const has = (program: string, ...args: readonly string[]) =>
  spawnSync(program, args, { stdio: 'ignore' }).status === 0;

/** The results of proofs of vitest with these tests. */
async function statesInVitest(lines: readonly string[]): Promise<readonly string[]> {
  rig.write({
    'vitest.config.ts':
      'import { defineConfig } from "vitest/config";\nexport default defineConfig({ test: { include: ["test/**"] } });\n',
  });
  const proofs = lines.map((text, at) => {
    const path = `test/all.p${at + 1}.test.js`;
    const content = `import { expect, test } from 'vitest';\n${text}`;
    return proofOf(path, content, {
      id: `P${at + 1}`,
      argv: ['node_modules/.bin/vitest', 'run', path],
      needs: [{ name: 'sub', path: 'src/sub.js' }],
    });
  });
  const { results } = await rig.run(proofs);
  return results.map(({ state, why }) => `${state} ${why}`);
}

describe.skipIf(!canConfine)('a proof at the base', () => {
  test(
    'fails as it should, holds today, or cannot run, and each run is a record',
    short,
    async () => {
      const results = await runAll(
        [
          `${head}import { add } from '../src/add.js';\ntest('adds', () => assert.equal(add(1, 2), 3));`,
          `${head}import { one } from '../src/add.js';\ntest('is one', () => assert.equal(one, 1));`,
          `${head}import { sub } from '../src/add.js';\ntest('subtracts', () => assert.equal(sub(3, 2), 1));`,
          `${head}import * as lib from '../src/add.js';\ntest('subtracts', () => assert.equal(lib.sub(3, 2), 1));`,
          `${head}import * as lib from '../src/add.js';\ntest('other', () => assert.equal(lib.other(3, 2), 1));`,
          `${head}import { thing } from 'not-installed';\ntest('x', () => assert(thing));`,
          `${head}test.skip('later', () => assert(false));`,
          `${head}test('now', () => assert(true));\ntest.skip('later', () => assert(false));`,
          `${head}test('broken', () => {`,
          `// nothing`,
          `${head}test('waits', { timeout: 300 }, () => new Promise((resolve) => setTimeout(resolve, 3000)));`,
          `${head}import { existsSync, writeFileSync } from 'node:fs';\ntest('flickers', () => { const was = existsSync('dist/seen'); if (!was) { (await0()); } assert(!was); });\nimport { mkdirSync } from 'node:fs';\nfunction await0() { mkdirSync('dist', { recursive: true }); writeFileSync('dist/seen', ''); }`,
        ],
        { needs: [{ name: 'sub', path: 'src/add.js' }] },
      );
      expect(results.map(({ id, state }) => `${id} ${state}`)).toEqual([
        'P1 fails',
        'P2 holds',
        'P3 fails',
        'P4 fails',
        'P5 cannot-run',
        'P6 cannot-run',
        'P7 cannot-run',
        'P8 cannot-run',
        'P9 cannot-run',
        'P10 cannot-run',
        'P11 fails',
        'P12 unsteady',
      ]);
      expect(results.map(({ why }) => why)).toMatchObject([
        expect.stringContaining('-1'),
        '',
        expect.stringContaining('sub'),
        expect.stringContaining('lib.sub is not a function'),
        expect.stringContaining('lib.other is not a function'),
        expect.stringContaining('not-installed'),
        expect.stringContaining('no test passed'),
        expect.stringContaining('must not skip'),
        expect.stringContaining('SyntaxError'),
        expect.stringContaining('no test ran'),
        expect.stringMatching(/timed out/),
        expect.stringContaining('ended differently'),
      ]);
      expect(results[0]?.runs).toHaveLength(2);
      expect(rig.records()).toHaveLength(results.flatMap(({ runs }) => runs).length);
      expect(rig.records()[0]).toMatchObject({
        check: 'P1: It works.',
        kind: 'test',
        moment: 'before',
        tree: 'base',
        tasks: [],
        round: 0,
        passed: false,
        confined: true,
        exit: 1,
        tests: { failed: 1 },
      });
      expect(rig.git('status', '--porcelain')).toBe('');
    },
  );

  test('runs on what an execution would start from: changed and new files without secrets', async () => {
    rig.write({
      'src/add.js': 'export const add = (a, b) => a + b;\n',
      'src/new.js': 'export const two = 2;\n',
      'keys.env': `TOKEN=ghp_${'a1B2'.repeat(9)}\n`,
    });
    const results = await runAll([
      `${head}import { add } from '../src/add.js';\nimport { two } from '../src/new.js';\nimport { existsSync } from 'node:fs';\ntest('adds', () => { assert.equal(add(1, 1), two); assert(!existsSync('keys.env')); });`,
    ]);
    expect(results).toMatchObject([{ state: 'holds' }]);
  });

  test('finds what links among its dependencies lead to, and no package of the user in the place of its own', async () => {
    const outside = join(rig.room, 'linked');
    mkdirSync(outside);
    writeFileSync(join(outside, 'index.js'), 'module.exports = "outside";');
    rig.write({
      'packages/a/package.json': '{"name":"a","exports":"./index.js"}',
      'packages/a/index.js': 'module.exports = "committed";',
      'packages/b/package.json': '{"name":"b"}',
    });
    rig.git('add', '--all');
    rig.git('commit', '--quiet', '--message', 'Packages');
    rig.write({
      'node_modules/@scope/real/index.js': 'module.exports = "real";',
      'node_modules/.pnpm/deep@1/node_modules/deep/index.js': 'module.exports = "deep";',
      'packages/b/node_modules/own/index.js': 'module.exports = "own";',
      'node_modules/.store/tool.js': '#!/usr/bin/env node\nconsole.log("tool");',
    });
    chmodSync(join(rig.root, 'node_modules/.store/tool.js'), 0o755);
    mkdirSync(join(rig.root, 'node_modules/.bin'));
    symlinkSync('../packages/a', join(rig.root, 'node_modules/a'));
    symlinkSync('.pnpm/deep@1/node_modules/deep', join(rig.root, 'node_modules/deep'));
    symlinkSync('../../packages/a', join(rig.root, 'node_modules/@scope/a'));
    symlinkSync(outside, join(rig.root, 'node_modules/outside'));
    symlinkSync('../.store/tool.js', join(rig.root, 'node_modules/.bin/tool'));
    const content = `const test = require('node:test'); const assert = require('node:assert'); const fs = require('node:fs');
test('loads', () => {
  assert.deepEqual(['a', '@scope/a', '@scope/real', 'deep', 'outside', 'own'].map((name) => require(name)), ['committed', 'committed', 'real', 'deep', 'outside', 'own']);
  assert.equal(require('node:child_process').execFileSync('../../node_modules/.bin/tool').toString(), 'tool\\n');
  assert.throws(() => fs.writeFileSync('../../node_modules/.store/tool.js', 'x'));
  assert.throws(() => fs.writeFileSync('${outside}/index.js', 'x'));
  fs.writeFileSync('../../packages/a/index.js', 'spoilt');
});`;
    const proof = proofOf('packages/b/load.p1.test.cjs', content, {
      folder: 'packages/b',
      argv: ['node', '--test', 'load.p1.test.cjs'],
    });
    const { results } = await rig.run([proof, { ...proof, id: 'P2' }]);
    expect(results.map(({ state, runs }) => (state === 'holds' ? state : runs[0]?.output))).toEqual(
      ['holds', 'holds'],
    );
  });

  test('is judged by vitest', async () => {
    linkVitest(rig);
    const found = await statesInVitest([
      `import { add } from '../src/add.js';\ntest('adds', () => expect(add(0, 0)).toBe(0));`,
      `import { other } from '../src/add.js';\ntest('other', () => expect(other(0, 0)).toBe(0));`,
      `import { thing } from '../src/sub.js';\ntest('thing', () => expect(thing).toBe(0));`,
      `import x from 'nowhere';\ntest('thing', () => expect(x).toBe(0));`,
      `test('waits', () => new Promise(() => 0), 300);`,
    ]);
    expect(found).toEqual([
      'holds ',
      'cannot-run TypeError: other is not a function',
      expect.stringContaining('fails Error: Cannot find module'),
      expect.stringContaining("cannot-run Error: Cannot find package 'nowhere'"),
      'fails Error: Test timed out in 300ms.',
    ]);
  });

  test('finds its runner in a node_modules that is itself a link', async () => {
    symlinkSync(resolve('node_modules'), join(rig.root, 'node_modules'));
    const adds = `import { add } from '../src/add.js';\ntest('adds', () => expect(add(1, 2)).toBe(3));`;
    expect(await statesInVitest([adds])).toEqual([
      expect.stringContaining('fails AssertionError: expected -1 to be 3'),
    ]);
  });

  test('runs in a folder of a monorepo, beside the rest of its repository', async () => {
    rig.write({
      'apps/web/src/x.js': 'export const x = 1;',
      'apps/web/package.json': '{"type":"module"}',
    });
    rig.git('add', '--all');
    rig.git('commit', '--quiet', '--message', 'Web');
    const content = `${head}import { x } from '../src/x.js';\nimport { one } from '../../../src/add.js';\ntest('x', () => assert.equal(x, one));`;
    const proof = proofOf('test/x.p1.test.js', content);
    expect((await rig.run([proof], { standing: 'apps/web' })).results).toMatchObject([
      { state: 'holds' },
    ]);
  });

  test('gets what a set-up makes, which runs before any text of the author is there', async () => {
    const script = `const fs = require('node:fs'); fs.mkdirSync('node_modules/made', { recursive: true }); fs.writeFileSync('node_modules/made/index.js', 'module.exports = ' + fs.existsSync('test'));`;
    rig.write({ 'prepare.cjs': script });
    rig.git('add', '--all');
    rig.git('commit', '--quiet', '--message', 'Prepare');
    const content = `${head}import made from 'made';\ntest('made', () => assert.equal(made, false));`;
    const proof = proofOf('test/made.p1.test.js', content);
    const { results } = await rig.run([proof], { setUp: ['node', 'prepare.cjs'] });
    expect(results).toMatchObject([{ state: 'holds' }]);
    expect(existsSync(join(rig.root, 'node_modules'))).toBe(false);
    const failed = await rig.run([proof], { setUp: ['node', 'nowhere.cjs'] });
    expect(failed.results).toEqual([]);
    expect(failed.obstacle).toContain('the set-up "node nowhere.cjs" failed');
  });

  test('gets what a build makes with the dependencies that are there, which it cannot change', async () => {
    const build = `const fs = require('node:fs'); fs.mkdirSync('dist'); fs.writeFileSync('dist/two.js', 'export const two = ' + (1 + require('dep')));
try { fs.writeFileSync('node_modules/dep/index.js', ''); } catch {}`;
    rig.write({ 'build.cjs': build });
    rig.git('add', '--all');
    rig.git('commit', '--quiet', '--message', 'Build');
    rig.write({ 'node_modules/dep/index.js': 'module.exports = 1;' });
    const content = `${head}import { two } from '../dist/two.js';\nimport one from 'dep';\ntest('two', () => assert.equal(one + 1, two));`;
    const given = { setUp: ['node', 'build.cjs'] };
    const { results, obstacle } = await rig.run([proofOf('test/two.p1.test.js', content)], given);
    expect(obstacle).toBeNull();
    expect(results).toMatchObject([{ state: 'holds' }]);
    expect(readFileSync(join(rig.root, 'node_modules/dep/index.js'), 'utf8')).not.toBe('');
    expect(existsSync(join(rig.root, 'dist'))).toBe(false);
  });

  test('is told where nothing runs at the base, and one whose program is missing', async () => {
    const content = `${head}test('x', () => assert(true));`;
    const proof = proofOf('test/x.p1.test.js', content, {
      argv: ['no-such-runner', 'test/x.p1.test.js'],
    });
    const { results } = await rig.run([proof]);
    expect(results).toMatchObject([
      { state: 'cannot-run', why: expect.stringContaining('no-such-runner') },
    ]);
  });

  test('is no proof where the user has turned code before approval off', async () => {
    const { results, obstacle } = await rig.run([proofOf('a.test.js', '')], {
      settings: { codeBeforeApproval: 'off' },
    });
    expect(results).toEqual([]);
    expect(obstacle).toBe('Your settings turn code before approval off.');
  });
});

describe.skipIf(!canConfine || !has('python3', '--version'))('a proof in Python', () => {
  const files = { 'pkg/__init__.py': '', 'pkg/core.py': 'def double(n):\n    return n\n' };
  const states = async (
    argv: (path: string) => readonly string[],
    wanted = [0, 1, 2, 3, 4, 5, 6],
  ) => {
    const contents = [
      body(
        'from pkg.core import double\nclass T(unittest.TestCase):\n    def test_x(self):\n        self.assertEqual(double(2), 4)\n',
      ),
      body(
        'from pkg.core import double\nclass T(unittest.TestCase):\n    def test_x(self):\n        self.assertEqual(double(0), 0)\n',
      ),
      body(
        'from pkg.core import triple\nclass T(unittest.TestCase):\n    def test_x(self):\n        self.assertEqual(triple(1), 3)\n',
      ),
      body(
        'from pkg.core import double\nclass T(unittest.TestCase):\n    def test_x(self):\n        self.assertEqual(double(1, times=3), 3)\n',
      ),
      body(
        'import pkg.core\nclass T(unittest.TestCase):\n    def test_x(self):\n        pkg.core.other(1)\n',
      ),
      body(
        'import not_installed\nclass T(unittest.TestCase):\n    def test_x(self):\n        pass\n',
      ),
      body(
        'class T(unittest.TestCase):\n    @unittest.skip("later")\n    def test_x(self):\n        pass\n',
      ),
    ];
    const proofs = contents.map((content, at) => {
      const path = `tests/test_p${at + 1}.py`;
      const needs = [
        { name: 'triple', path: 'pkg/core.py' },
        { name: 'double', path: 'pkg/core.py' },
      ];
      return proofOf(path, content, { id: `P${at + 1}`, argv: [...argv(path)], needs });
    });
    rig.write({ ...files, 'tests/__init__.py': '', 'pyproject.toml': '[project]\nname = "pkg"\n' });
    const { results } = await rig.run(proofs.filter((_, at) => wanted.includes(at)));
    return results.map(({ state, why }) => `${state}${state === 'cannot-run' ? `: ${why}` : ''}`);
  };
  const expected = [
    'fails',
    'holds',
    'fails',
    'fails',
    expect.stringContaining(
      "cannot-run: AttributeError: module 'pkg.core' has no attribute 'other'",
    ),
    expect.stringContaining("cannot-run: ModuleNotFoundError: No module named 'not_installed'"),
    expect.stringContaining('cannot-run: no test passed'),
  ];

  test('is judged by unittest', async () => {
    expect(await states((path) => ['python3', '-m', 'unittest', path])).toEqual(expected);
  });

  test.skipIf(!has('python3', '-m', 'pytest', '--version'))('is judged by pytest', async () => {
    const few = [0, 2, 4];
    const found = await states(
      (path) => ['python3', '-m', 'pytest', '-p', 'no:hypothesispytest', path],
      few,
    );
    expect(found).toEqual(few.map((at) => expected[at]));
  });

  test('runs in a virtual environment with the package installed as editable: the copy’s, not the user’s', async () => {
    rig.write(files);
    rig.write({ 'pyproject.toml': '[project]\nname = "pkg"\n' });
    rig.git('add', '--all');
    rig.git('commit', '--quiet', '--message', 'Package');
    spawnSync('python3', ['-m', 'venv', '--without-pip', '.venv'], { cwd: rig.root });
    const libraries = spawnSync(
      join('.venv', 'bin', 'python'),
      ['-c', 'import sysconfig; print(sysconfig.get_paths()["purelib"])'],
      { cwd: rig.root, encoding: 'utf8' },
    );
    writeFileSync(join(libraries.stdout.trim(), 'editable.pth'), rig.root);
    const content =
      'import unittest, sys, pkg.core\nclass T(unittest.TestCase):\n    def test_x(self):\n        self.assertIn(".venv", sys.prefix)\n        open(pkg.core.__file__, "a").close()\n        self.assertEqual(pkg.core.double(2), 4)\n';
    const proof = proofOf('checks/test_p1.py', content, {
      argv: ['python', '-m', 'unittest', 'test_p1.py'],
      folder: 'checks',
    });
    const { results } = await rig.run([proof]);
    expect(results).toMatchObject([{ state: 'fails', why: 'AssertionError: 2 != 4' }]);
  });
});

describe.skipIf(!canConfine || !has('python3', '-m', 'venv', '--help'))(
  'an editable install',
  () => {
    test('leads to the copy, not to the project of the user', async () => {
      rig.write({ 'src/sums/__init__.py': 'def add(a, b):\n    return a + b\n' });
      rig.git('add', '--all');
      rig.git('commit', '--quiet', '--message', 'Sums');
      const venv = join(rig.root, '.venv');
      expect(has('python3', '-m', 'venv', '--without-pip', venv)).toBe(true);
      const [site = ''] = globSync('lib/python*/site-packages', { cwd: venv });
      writeFileSync(join(venv, site, '__editable__.sums.pth'), `${join(rig.root, 'src')}\n`);
      const content = `${body('import sums, pathlib')}
class P1(unittest.TestCase):
    def test_copy(self):
        pathlib.Path(sums.__file__).write_text('def add(a, b):\\n    return 0\\n')
        self.assertEqual(sums.add(1, 1), 2)
`;
      const argv = ['.venv/bin/python', '-m', 'unittest', 'test_p1.py'];
      const { results } = await rig.run([proofOf('test_p1.py', content, { argv })]);
      expect(results).toMatchObject([{ state: 'holds', why: '' }]);
      expect(readFileSync(join(rig.root, 'src/sums/__init__.py'), 'utf8')).toContain('a + b');
    });
  },
);

describe.skipIf(!canConfine || !has('go', 'version'))('a proof in Go', () => {
  test('is judged alone, by what does not compile, too', async () => {
    rig.write({
      'go.mod': 'module example.com/m\n\ngo 1.19\n',
      'add.go': 'package m\n\nfunc Add(a, b int) int { return a - b }\n',
      'old_test.go': goTest('P7', ''),
    });
    const bodies = [
      'if Add(1, 2) != 3 { t.Fatalf("got %d", Add(1, 2)) }',
      'if Add(0, 0) != 0 { t.Fatal("not zero") }',
      'if Sub(1, 1) != 0 { t.Fatal("not zero") }',
      'if Other(1, 1) != 0 { t.Fatal("not zero") }',
      'unused := Add(1, 1)',
      't.Skip("later")',
      '',
    ];
    const proofs = bodies.map((lines, at) =>
      proofOf(`p${at + 1}_test.go`, goTest(`P${at + 1}`, lines), {
        id: `P${at + 1}`,
        argv: ['go', 'test', '-run', `^TestP${at + 1}$`, '.'],
        needs: [{ name: 'Sub', path: 'add.go' }],
      }),
    );
    const { results } = await rig.run(proofs);
    expect(results.map(({ state, why }) => `${state}: ${why}`)).toEqual([
      'fails: p1_test.go:6: got -1',
      'holds: ',
      expect.stringContaining('fails: ./p3_test.go:6:4: undefined: Sub'),
      expect.stringContaining('cannot-run: ./p4_test.go:6:4: undefined: Other'),
      expect.stringContaining('cannot-run: ./p5_test.go:6:1: unused'),
      expect.stringContaining('cannot-run: no test passed'),
      // A name that the folder has does not compile, and comes back to the author with that line.
      expect.stringMatching(/^cannot-run: .*TestP7 redeclared/),
    ]);
  });
});

/** A project of one file without a test, and a proof by the runner of its language. */
const untested = {
  node: {
    files: { 'price.js': 'exports.gross = (net) => net;\n' },
    proof: [
      'price.p1.test.js',
      `const test = require('node:test');\ntest('adds', () => require('node:assert').equal(require('./price.js').gross(100), 119));`,
    ],
    argv: ['node', '--test', 'price.p1.test.js'],
  },
  python3: {
    files: { 'price.py': 'def gross(net):\n    return net\n' },
    proof: [
      'test_price_p1.py',
      body(
        'import price\nclass P1(unittest.TestCase):\n    def test_adds(self): self.assertEqual(price.gross(100), 119)',
      ),
    ],
    argv: ['python3', '-m', 'unittest', 'test_price_p1'],
  },
  go: {
    files: {
      'go.mod': 'module example.com/m\n\ngo 1.19\n',
      'price.go': 'package m\n\nfunc Gross(net int) int { return net }\n',
    },
    proof: ['price_p1_test.go', goTest('P1', 'if Gross(100) != 119 { t.Fatal(Gross(100)) }')],
    argv: ['go', 'test', '-run', '^TestP1$', '.'],
  },
  cargo: {
    files: {
      'Cargo.toml': '[package]\nname = "price"\nversion = "0.1.0"\nedition = "2021"\n',
      'src/lib.rs': 'pub fn gross(net: i32) -> i32 {\n    net\n}\n',
    },
    proof: [
      'tests/price_p1.rs',
      '#[test]\nfn adds() {\n    assert_eq!(price::gross(100), 119);\n}\n',
    ],
    argv: ['cargo', 'test', '--test', 'price_p1'],
  },
} as const;

describe.skipIf(!canConfine)(
  'a project without tests is proven by its language’s own runner',
  () => {
    test.for(Object.entries(untested))(
      '%s',
      async ([program, { files, proof, argv }], { skip }) => {
        const isThere = has(program, program === 'go' ? 'version' : '--version');
        skip(!isThere, `${program} does not run here`);
        const own = proofRig(files);
        const [path, content] = proof;
        const { results } = await own.run([proofOf(path, content, { argv: [...argv] })]);
        own.remove();
        expect(results).toMatchObject([
          { state: 'fails', why: expect.stringMatching(/119|100|panicked/) },
        ]);
        expect(results[0]?.runs.map(({ passed, moment }) => `${moment} ${passed}`)).toEqual([
          'before false',
          'before false',
        ]);
      },
    );
  },
);
