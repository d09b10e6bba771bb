import { expect, test } from 'vitest';
import { pathProblem, tidyPath } from '../../src/model/repository-path.ts';

test.each([
  'src/a.ts',
  './src/a.ts',
  '.github/workflows/ci.yml',
  '.gitignore',
  'a..b/c',
  'docs/ü ber.md',
  'src/.workflow/a.ts',
  'src/a.ts:12',
])('%s lies inside the repository', (path) => {
  expect(pathProblem(path)).toBeNull();
});

test.each([
  ['/etc/passwd', 'not relative'],
  ['~/x', 'not relative'],
  ['C:/x', 'not relative'],
  ['c:x', 'not relative'],
  ['file:///etc/passwd', 'not relative'],
  ['..', 'lead out'],
  ['src/../../x', 'lead out'],
  ['src/.. /x', 'lead out'],
  ['..\\x', 'backslash'],
  ['.git/config', '.git'],
  ['sub/.GIT/hooks/x', '.git'],
  ['.git./x', '.git'],
  ['GIT~1/x', '.git'],
  ['./.workflow/x', '.workflow'],
  ['.Workflow', '.workflow'],
  ['a\u0000b', 'control'],
  ['a\nb', 'control'],
  ['.g\u200cit/x', 'invisible'],
  ['a\u202eb', 'invisible'],
  ['', 'names no file'],
  ['./', 'names no file'],
])('%j is refused', (path, why) => {
  expect(pathProblem(path)).toContain(why);
});

test('one file has one spelling', () => {
  expect(tidyPath('./src//a.ts')).toBe('src/a.ts');
  expect(tidyPath('src/a/')).toBe('src/a');
  expect(tidyPath('/etc/x')).toBe('/etc/x');
});
