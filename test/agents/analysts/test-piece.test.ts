import { expect, test } from 'vitest';
import { testPiece } from '../../../src/agents/analysts/test-piece.ts';

const titleOf = (...existing: string[]) => testPiece({ existing, created: [] }, [])?.name;

test('tests with one name are told apart by their folders', () => {
  expect(titleOf('test/a/sessions.test.ts', 'test/b/sessions.test.ts', 'test/keys.test.ts')).toBe(
    'Extend the tests: test/a/sessions.test.ts, test/b/sessions.test.ts and keys.test.ts',
  );
});

test('a test that is given twice is named once', () => {
  expect(titleOf('test/keys.test.ts', 'test/keys.test.ts')).toBe('Extend the tests: keys.test.ts');
});
