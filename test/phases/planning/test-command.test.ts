import { expect, test } from 'vitest';
import type { BuildFact } from '../../../src/model/context.ts';
import { testCommand } from '../../../src/phases/planning/derive-task.ts';

function fact(value: string, more: Partial<BuildFact> = {}): BuildFact {
  return { kind: 'test', value, folder: '', language: null, source: 'x', ...more };
}

const python = { language: 'python' };
const script = { language: 'javascript' };

test.each<[string, readonly string[], readonly BuildFact[], string | null]>([
  ['none is stated', ['a.test.ts'], [], null],
  ['there is no test', [], [fact('npm test')], null],
  ['it is for another language', ['test_a.py'], [fact('npm test', script)], null],
  ['the language has its own', ['test_a.py'], [fact('make test'), fact('tox', python)], 'tox'],
  ['any language will do', ['a.test.ts'], [fact('make test'), fact('tox', python)], 'make test'],
  [
    'a nearer folder has one',
    ['packages/a/x.test.ts'],
    [fact('npm test', script), fact('npm test', { ...script, folder: 'packages/a' })],
    'cd packages/a && npm test',
  ],
  [
    'the tests are in several folders',
    ['packages/a/x.test.ts', 'packages/b/y.test.ts'],
    [fact('npm run all', script), fact('npm test', { ...script, folder: 'packages/a' })],
    'npm run all',
  ],
  ['it only builds', ['a.test.ts'], [fact('npm run build', { ...script, kind: 'build' })], null],
])('the command for tests where %s', (_when, tests, facts, command) => {
  expect(testCommand(tests, facts)).toBe(command);
});
