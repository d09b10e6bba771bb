// Takes four small projects from the decision over their proofs to the merged result.
import { execFileSync, spawnSync } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { ExecutionResult } from '../../../src/model/execution.ts';
import { ProofSet, type Proof } from '../../../src/model/proof.ts';
import type { Rig } from '../../helpers/rig.ts';
import { short } from '../../helpers/short-form.ts';
import { planOf, task } from '../../helpers/small-plans.ts';
import { canConfine, proofOf } from '../../helpers/strict-rig.ts';
import { testRig } from '../../helpers/test-rig.ts';
import { configureVendors, listSolution, stances } from '../../helpers/vendors.ts';

interface Project {
  readonly request: string;
  /** What is committed. */
  readonly files: Readonly<Record<string, string>>;
  /** Lays what git ignores. */
  readonly prepare?: (rig: Rig) => void;
  /** Lines of the table `[execution]`. */
  readonly execution?: string;
  readonly proofs: readonly Proof[];
  /** By file: what its task makes of it, and the proofs that the task takes. */
  readonly work: Readonly<Record<string, { readonly text: string; readonly proves: string[] }>>;
}

/** Has alpha decide, plan and work, beta write the proofs, and the result merged; returns what came of it. */
async function carriedOut({ request, files, prepare, execution = '', proofs, work }: Project) {
  const rig = testRig();
  await rig.git('init', '-q', '-b', 'main');
  for (const [path, text] of Object.entries(files)) rig.write(path, text);
  await rig.git('add', '-A');
  await rig.git('commit', '-qm', 'Begin');
  prepare?.(rig);
  const changed = Object.entries(work).map(([path, one], at) => ({ path, at, ...one }));
  const solution = listSolution({
    implementation_plan: {
      ...listSolution().implementation_plan,
      tasks: changed.map(({ path, at }) => ({
        id: `T${at + 1}`,
        name: `Change ${path}`,
        depends_on: [],
        files: [{ file: path, line: 1, action: 'modify' as const }],
        key_point: null,
      })),
    },
    claims: changed.map(({ path }) => ({
      statement: 'It is here.',
      path,
      line: 1,
      quote: files[path]?.split('\n')[0] ?? '',
    })),
  });
  const tasks = changed.map(({ path, at, proves }) => ({
    ...task(at + 1, [], [], []),
    files: [{ path, action: 'modify', change: 'Change it.' }],
    proves,
  }));
  const calm = {
    propose: { answer: { solutions: [solution], questions: [] } },
    examine: { answer: stances({ A: 'support' }) },
    plan: { answer: planOf(tasks) },
    proof: { answer: { phase: 'proof', proofs, unproven: [] } },
    ...Object.fromEntries(
      changed.map(({ at, path, text }) => [
        `TASK-00${at + 1}`,
        { answer: 'Done.', edits: { [path]: text } },
      ]),
    ),
  };
  const more = `code_before_approval = "on"\n[execution]\n${execution}\n`;
  configureVendors(rig, { alpha: calm, beta: calm, gamma: calm }, more);
  const planned = await rig.conclave('plan', '--auto-yes', request);
  expect([planned.code, planned.stderr]).toEqual([0, '']);
  const { author, proofs: kept } = ProofSet.parse(rig.json('proof/proof.json'));
  const done = await rig.conclave('execute', '-y', '--apply');
  expect([done.code, done.stderr]).toEqual([0, '']);
  const result = ExecutionResult.parse(rig.json('execution-result.json'));
  expect(author).toBe('beta');
  expect(await rig.git('status', '--porcelain')).toBe('');
  expect(await rig.git('log', '--format=%B')).toContain('Conclave-Proof: P1 by beta');
  const merged = proofs.map(({ argv: [program = '', ...args], folder }) => {
    const cwd = join(rig.repo, folder);
    const { status, stdout } = spawnSync(program, args, { cwd, env: rig.environment });
    return status === 0 ? 'green' : stdout.toString();
  });
  return {
    rig,
    stdout: done.stdout,
    shown: kept.map(({ id, state }) => `${id} ${state}`),
    ended: result.tasks.map(({ status }) => status),
    merged,
  };
}

test.skipIf(!canConfine)('a Node library with vitest', async () => {
  const path = 'test/slug-p1.test.js';
  const content = `import { expect, test } from 'vitest';
import { slug } from '../src/slug.js';

test('joins words', () => expect(slug('Two  Words')).toBe('two-words'));
`;
  const { shown, ended, merged } = await carriedOut({
    request: 'Let slug join words by one dash each',
    files: {
      'package.json': '{ "name": "slug", "type": "module", "scripts": { "test": "vitest run" } }\n',
      '.gitignore': 'node_modules\n',
      'src/slug.js': 'export const slug = (text) => text.toLowerCase();\n',
    },
    prepare: (rig) => {
      symlinkSync(resolve('node_modules'), join(rig.repo, 'node_modules'));
      // Its first run by a user leaves a token in the home, without which it does not begin.
      const place = { cwd: rig.repo, env: rig.environment };
      execFileSync('npx', ['vitest', 'run', '--passWithNoTests'], place);
    },
    execution: 'link = ["node_modules"]',
    proofs: [proofOf(path, content, { argv: ['npx', 'vitest', 'run', path], for: 'join words' })],
    work: {
      'src/slug.js': {
        text: `export const slug = (text) => text.toLowerCase().split(/\\s+/).join('-');\n`,
        proves: ['P1'],
      },
    },
  });
  expect([shown, ended, merged]).toEqual([['P1 fails'], ['completed'], ['green']]);
});

const manifest = (name: string) =>
  `{ "name": "${name}", "version": "1.0.0", "type": "module", "exports": "./index.js" }\n`;

test.skipIf(!canConfine)(
  'a workspace of two npm packages with one proof that both tasks take',
  async () => {
    const path = 'packages/b/test/total-p1.test.js';
    const content = `import test from 'node:test';
import assert from 'node:assert/strict';
import { cents } from 'a';
import { total } from '../index.js';

test('adds cents', () => assert.equal(total(['1.10', '2.20']), cents('3.30')));
`;
    const { shown, ended, merged, stdout } = await carriedOut({
      request: 'Let total of b add whole cents, which a counts',
      files: {
        'package.json': '{ "private": true, "workspaces": ["packages/*"] }\n',
        'package-lock.json': JSON.stringify({
          lockfileVersion: 3,
          packages: {
            '': { workspaces: ['packages/*'] },
            'node_modules/a': { resolved: 'packages/a', link: true },
            'node_modules/b': { resolved: 'packages/b', link: true },
            'packages/a': { version: '1.0.0' },
            'packages/b': { version: '1.0.0' },
          },
        }),
        '.gitignore': 'node_modules\n',
        'packages/a/package.json': manifest('a'),
        'packages/a/index.js': 'export const cents = (text) => Number(text);\n',
        'packages/b/package.json': manifest('b'),
        'packages/b/index.js': 'export const total = () => 0;\n',
      },
      execution: 'setup = ["npm", "ci", "--offline"]',
      prepare: (rig) =>
        execFileSync('npm', ['ci', '--offline'], { cwd: rig.repo, env: rig.environment }),
      proofs: [
        proofOf(path, content, {
          folder: 'packages/b',
          argv: ['node', '--test', 'test/total-p1.test.js'],
          for: 'add whole cents',
        }),
      ],
      work: {
        'packages/a/index.js': {
          text: 'export const cents = (text) => Math.round(Number(text) * 100);\n',
          proves: ['P1'],
        },
        'packages/b/index.js': {
          text: `import { cents } from 'a';\nexport const total = (all) => all.map(cents).reduce((a, b) => a + b, 0);\n`,
          proves: ['P1'],
        },
      },
    });
    expect(stdout).toContain('awaits P1');
    expect([shown, ended, merged]).toEqual([['P1 fails'], ['completed', 'completed'], ['green']]);
  },
);

const has = (program: string, ...args: readonly string[]) =>
  canConfine && spawnSync(program, args, { stdio: 'ignore' }).status === 0;

test.skipIf(!has('python3', '--version'))(
  'a Python package in a folder of a monorepo',
  short,
  async () => {
    const content = `import unittest
from api.price import gross


class P1(unittest.TestCase):
    def test_tax(self):
        self.assertEqual(gross(100, tax=19), 119)
`;
    const { shown, ended, merged } = await carriedOut({
      request: 'Let gross add a tax in percent',
      files: {
        'web/index.js': 'export {};\n',
        'services/api/pyproject.toml': '[project]\nname = "api"\n',
        'services/api/api/__init__.py': '',
        'services/api/api/price.py': 'def gross(net):\n    return net\n',
        'services/api/tests/__init__.py': '',
        '.gitignore': '__pycache__\n',
      },
      proofs: [
        proofOf('services/api/tests/test_tax_p1.py', content, {
          folder: 'services/api',
          argv: ['python3', '-m', 'unittest', 'tests.test_tax_p1'],
          for: 'add a tax in percent',
          needs: [{ name: 'tax', path: 'services/api/api/price.py' }],
        }),
      ],
      work: {
        'services/api/api/price.py': {
          text: 'def gross(net, tax=0):\n    return net + net * tax // 100\n',
          proves: ['P1'],
        },
      },
    });
    expect([shown, ended, merged]).toEqual([['P1 fails'], ['completed'], ['green']]);
  },
);

const goTest = (id: string, lines: string) =>
  `package walk\n\nimport "testing"\n\nfunc Test${id}(t *testing.T) {\n\t${lines}\n}\n`;

const goProof = (id: string, lines: string, part: Partial<Proof> = {}) =>
  proofOf(`walk_${id.toLowerCase()}_test.go`, goTest(id, lines), {
    id,
    argv: ['go', 'test', '-run', `^Test${id}$`, '.'],
    for: 'count steps',
    ...part,
  });

test.skipIf(!has('go', 'version'))('a Go module with two proofs and a guard', async () => {
  const { shown, ended, merged } = await carriedOut({
    request: 'Let Walk count steps, and add Back, which takes one back',
    files: {
      'go.mod': 'module example.com/walk\n\ngo 1.19\n',
      'walk.go': 'package walk\n\n// Walk walks.\nfunc Walk(from, steps int) int { return from }\n',
    },
    proofs: [
      goProof('P1', 'if Walk(1, 2) != 3 { t.Fatalf("got %d", Walk(1, 2)) }'),
      goProof('P2', 'if Back(3) != 2 { t.Fatalf("got %d", Back(3)) }', {
        for: 'Back, which takes one back',
        needs: [{ name: 'Back', path: 'walk.go' }],
      }),
      goProof('P3', 'if Walk(1, 0) != 1 { t.Fatal("moved") }', { expect_today: 'holds' }),
    ],
    work: {
      'walk.go': {
        text: 'package walk\n\n// Walk walks.\nfunc Walk(from, steps int) int { return from + steps }\n\n// Back takes a step back.\nfunc Back(from int) int { return from - 1 }\n',
        proves: ['P1', 'P2'],
      },
    },
  });
  expect([shown, ended]).toEqual([['P1 fails', 'P2 fails', 'P3 holds'], ['completed']]);
  expect(merged).toEqual(['green', 'green', 'green']);
});
