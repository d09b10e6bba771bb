import { expect, test } from 'vitest';
import { effortFor } from '../../../src/agents/analysts/rating.ts';
import type { PlannedFile } from '../../../src/model/proposal.ts';

const changed = (...paths: string[]): PlannedFile[] =>
  paths.map((file) => ({ file, action: 'modify' }));

test('a module of its own is never less effort than to change a handful of files', () => {
  const beside: PlannedFile[] = [{ file: 'src/new.ts', action: 'create' }, ...changed('src/a.ts')];
  expect(effortFor(beside)).toBe('medium');
  expect(effortFor(changed('src/a.ts', 'src/b.ts', 'src/c.ts', 'src/d.ts', 'src/e.ts'))).toBe(
    'medium',
  );
});

test('tests and a second place in one file add no effort', () => {
  expect(effortFor(changed('src/a.ts', 'src/a.ts', 'test/a.test.ts'))).toBe('low');
});
