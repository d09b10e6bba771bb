// Answers of authors as models give them, each with something that cannot work here: what is said of it.
import { beforeAll, describe, expect, test } from 'vitest';
import type { Proof } from '../../../src/model/proof.ts';
import { canConfine, linkVitest, proofOf, proofRig } from '../../helpers/strict-rig.ts';

const node = (body: string) =>
  `import test from 'node:test';\nimport assert from 'node:assert';\n${body}`;
const failing = node(`test('x', () => assert(false));`);
const vitest = (body: string) => `import { expect, test } from 'vitest';\n${body}`;
const python = (body: string) => `import pytest\nfrom pkg.core import double\n${body}`;
const runsVitest = ['node_modules/.bin/vitest', 'run', 'test/p.test.js'];
// A plugin that some machines have takes longer to load than all of the rest.
const runsPytest = ['python3', '-m', 'pytest', '-p', 'no:hypothesispytest', 'tests/test_p.py'];

type Answer = readonly [path: string, content: string, part: Partial<Proof>, said: RegExp];

/** The path of a proof, its code, how it runs, and what has to be said of it. */
const answers: Readonly<Record<string, Answer>> = {
  'runs in the wrong folder': [
    'packages/core/p.test.js',
    failing,
    { folder: 'packages/core', argv: ['node', '--test', 'packages/core/p.test.js'] },
    /^cannot-run .* in the folder packages\/core: Could not find 'packages\/core\/p.test.js'/,
  ],
  'lies where its runner does not look': [
    'proofs/p.js',
    vitest(`test('x', () => expect(1).toBe(2));`),
    { argv: ['npx', 'vitest', 'run', 'proofs/p.js'] },
    /^cannot-run .*No test files found/,
  ],
  'has two tests in one file, one of which passes': [
    'test/p.test.js',
    node(
      `import { add } from '../src/add.js';\ntest('a', () => assert.equal(add(1, 2), 3));\ntest('b', () => assert.equal(add(0, 0), 0));`,
    ),
    {},
    /^fails AssertionError.*: -1 == 3/,
  ],
  'runs all tests of the project, and fails': [
    'test/p.test.js',
    failing,
    { argv: ['node', '--test'] },
    /^cannot-run `argv` has to run test\/p.test.js alone, and 1 other test passed by it/,
  ],
  'runs all tests of the project, and holds': [
    'test/p.test.js',
    node(`test('x', () => assert(true));`),
    { argv: ['node', '--test'] },
    /^cannot-run `argv` has to run test\/p.test.js alone/,
  ],
  'is TypeScript in a project without it': [
    'test/p.test.ts',
    node(`test('x', () => assert.equal(1 as number, 2));`),
    { argv: ['node', '--test', 'test/p.test.ts'] },
    /^fails AssertionError.*: 1 == 2/,
  ],
  'is TypeScript that node does not strip': [
    'test/p.test.ts',
    node(`enum Kind { A }\ntest('x', () => assert(false));`),
    { argv: ['node', '--test', 'test/p.test.ts'] },
    /^cannot-run SyntaxError .*enum is not supported/,
  ],
  'needs a program that npx would have to fetch': [
    'test/p.test.ts',
    failing,
    { argv: ['npx', 'tsx', '--test', 'test/p.test.ts'] },
    /^cannot-run npm err(?:or|!) code ENOTCACHED/,
  ],
  'runs a script that the project does not have': [
    'test/p.test.js',
    failing,
    { argv: ['npm', 'run', 'test:unit', '--', 'test/p.test.js'] },
    /^cannot-run npm err(?:or|!) Missing script: "test:unit"/,
  ],
  'is one shell string': [
    'test/p.test.js',
    failing,
    { argv: ['node --test test/p.test.js'] },
    /^cannot-run there is no program "node --test test\/p.test.js" here; `argv` is one word/,
  ],
  'begins with a variable': [
    'test/p.test.js',
    failing,
    { argv: ['NODE_ENV=test', 'node', '--test', 'test/p.test.js'] },
    /^cannot-run there is no program "NODE_ENV=test" here/,
  ],
  'uses globals that its runner does not give': [
    'test/p.test.js',
    `test('x', () => expect(1).toBe(2));`,
    { argv: runsVitest },
    /^cannot-run ReferenceError: test is not defined/,
  ],
  'passes, as all it has is to be written later': [
    'test/p.test.js',
    vitest(`test.todo('x');`),
    { argv: runsVitest },
    /^cannot-run no test passed, 1 test was skipped/,
  ],
  'needs a network': [
    'test/p.test.js',
    node(`test('x', async () => assert((await fetch('https://example.com/')).ok));`),
    {},
    /^cannot-run .*EAI_AGAIN example.com/,
  ],
  'needs a fixture that is not there': [
    'tests/test_p.py',
    python('def test_x(client):\n    assert client\n'),
    { argv: runsPytest },
    /^cannot-run fixture 'client' not found/,
  ],
  'needs a plugin that is not there': [
    'tests/test_p.py',
    python('@pytest.mark.asyncio\nasync def test_x():\n    assert False\n'),
    { argv: runsPytest },
    /^cannot-run .*async def functions are not natively supported/,
  ],
  'is a class that pytest does not collect': [
    'tests/test_p.py',
    python(
      'class TestP:\n    def __init__(self):\n        self.x = 1\n    def test_x(self):\n        assert double(2) == 4\n',
    ),
    { argv: runsPytest },
    /^cannot-run .*cannot collect test class 'TestP' because it has a __init__ constructor/,
  ],
  'is a class of pytest': [
    'tests/test_p.py',
    python('class TestP:\n    def test_x(self):\n        assert double(2) == 4\n'),
    { argv: runsPytest },
    /^fails assert (?:2 == 4|double\(2\) == 4)/,
  ],
};

describe.skipIf(!canConfine)('an answer of an author that', () => {
  const told = new Map<string, string>();
  // One copy for all of them: each runs with the others absent.
  beforeAll(async () => {
    const rig = proofRig({
      'package.json': '{"type":"module"}',
      'src/add.js': 'export const add = (a, b) => a - b;\n',
      'packages/core/index.js': '',
      'pkg/__init__.py': '',
      'pkg/core.py': 'def double(n):\n    return n\n',
      'tests/__init__.py': '',
      'test/other.test.js': node(`test('other', () => assert(true));`),
    });
    rig.write({ '.git/info/exclude': 'node_modules\n' });
    linkVitest(rig);
    const proofs = Object.entries(answers).map(([id, [path, content, part]]) =>
      proofOf(path, content, { argv: ['node', '--test', path], ...part, id }),
    );
    const { results, obstacle } = await rig.run(proofs);
    rig.remove();
    if (obstacle !== null) throw new Error(obstacle);
    for (const { id, state, why } of results) told.set(id, `${state} ${why}`);
  }, 180_000);

  test.for(Object.entries(answers))('%s', ([id, [, , , said]]) => {
    expect(told.get(id)).toMatch(said);
  });
});
