import { expect, test } from 'vitest';
import { findCompanions } from '../../../src/context/package/surroundings.ts';
import { testMap } from '../../../src/context/tests-of.ts';

const companions = (near: readonly string[], files: readonly string[]) =>
  findCompanions(near, { files, tests: testMap(files) });

const server = [
  'lib/route.js',
  'lib/errors.js',
  'lib/hooks.js',
  'test/route.test.js',
  'types/route.d.ts',
  'types/errors.d.ts',
  'docs/Reference/Routes.md',
  'docs/Reference/Errors.md',
  'examples/errors.js',
  'scripts/errors.py',
];

test('a hit comes with its test, its list of errors, the types of both, and its documentation', () => {
  expect(companions(['lib/route.js'], server)).toEqual([
    { path: 'test/route.test.js', kind: 'test', of: 'lib/route.js' },
    { path: 'lib/errors.js', kind: 'errors', of: 'lib/route.js' },
    { path: 'types/route.d.ts', kind: 'types', of: 'lib/route.js' },
    { path: 'types/errors.d.ts', kind: 'types', of: 'lib/route.js' },
    { path: 'docs/Reference/Routes.md', kind: 'documentation', of: 'lib/route.js' },
  ]);
});

test('a companion that was found itself is not told again, and each is told once', () => {
  const found = ['lib/route.js', 'lib/errors.js', 'lib/hooks.js'];
  const paths = companions(found, server).map(({ path }) => path);
  expect(paths).not.toContain('lib/errors.js');
  expect(paths.toSorted()).toEqual([...new Set(paths)].toSorted());
});

test('the nearest list of errors and types file go with a source, each of its own language', () => {
  const files = [
    'packages/web/src/app.ts',
    'packages/web/src/types.ts',
    'packages/web/src/app-errors.ts',
    'packages/api/src/errors.ts',
    'packages/web/src/errors.py',
    'src/main.c',
    'include/main.h',
  ];
  expect(companions(['packages/web/src/app.ts', 'src/main.c'], files)).toEqual([
    { path: 'packages/web/src/app-errors.ts', kind: 'errors', of: 'packages/web/src/app.ts' },
    { path: 'packages/web/src/types.ts', kind: 'types', of: 'packages/web/src/app.ts' },
    { path: 'include/main.h', kind: 'types', of: 'src/main.c' },
  ]);
});
