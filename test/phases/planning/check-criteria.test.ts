import { expect, test } from 'vitest';
import { vagueness } from '../../../src/phases/planning/check-criteria.ts';

test.each([
  'The feature works correctly.',
  'Works as expected',
  'Login works as intended',
  'Good performance',
  'Code is clean',
  'The code follows best practices',
  'Implementation is robust',
  'Errors are handled properly',
  'No regressions',
  'Done',
  'The task is completed',
  'OK',
  '`src/a.ts` works properly',
  '  ',
])('%j cannot be tested', (text) => {
  expect(vagueness(text)).not.toBeNull();
});

test.each([
  '`npm test` ends with exit code 0.',
  'The file `src/cache.ts` exists.',
  'All tests pass',
  'Users can log in with an e-mail address',
  'POST /login works as expected: it answers 200 with a token',
  'parseFlow() returns null for an empty text',
  'Loading 10,000 records takes less than 50 ms',
  '缓存在文件修改后失效',
])('%j can be tested', (text) => {
  expect(vagueness(text)).toBeNull();
});
