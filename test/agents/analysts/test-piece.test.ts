import { expect, test } from 'vitest';
import { testFilesOf, testPiece } from '../../../src/agents/analysts/test-piece.ts';
import { testMap } from '../../../src/context/tests-of.ts';

const titleOf = (...existing: string[]) => testPiece({ existing, created: [] }, [])?.name;

test('tests with one name are told apart by their folders', () => {
  expect(titleOf('test/a/sessions.test.ts', 'test/b/sessions.test.ts', 'test/keys.test.ts')).toBe(
    'Extend the tests: test/a/sessions.test.ts, test/b/sessions.test.ts and keys.test.ts',
  );
});

test('a test that is given twice is named once', () => {
  expect(titleOf('test/keys.test.ts', 'test/keys.test.ts')).toBe('Extend the tests: keys.test.ts');
});

const map = testMap(['src/a.ts', 'src/b.ts', 'src/c.ts', 'src/d.ts', 'src/d.test.ts']);

test('where one of the changed files has a test, no new file of tests is asked for', () => {
  expect(testFilesOf(['src/a.ts', 'src/d.ts'], map)).toEqual({
    existing: ['src/d.test.ts'],
    created: [],
  });
});

test('where none has a test, the first changed file gets one and says what shows its place', () => {
  const plan = testFilesOf(['README.md', 'src/a.ts', 'src/b.ts', 'src/c.ts'], map);
  expect(plan).toEqual({
    existing: [],
    created: [{ path: 'src/a.test.ts', like: 'src/d.test.ts' }],
  });
  expect(testPiece(plan, [])?.keyPoint).toBe(
    'A new case covers the change and fails without it. A new file of tests stands where src/d.test.ts shows.',
  );
});
