import { expect, test } from 'vitest';
import { commitSubject, countConventional, joinedSubject } from '../../src/model/commit-style.ts';

test.each([
  ['Add the endpoint', ['src/health.ts'], 'feat: add the endpoint'],
  [
    'Fix the count of todos.',
    ['src/count.ts', 'test/count.test.ts'],
    'fix: fix the count of todos',
  ],
  ['JSON output for list', ['src/list.js'], 'feat: JSON output for list'],
  ['Rename the flag', ['src/cli.ts'], 'refactor: rename the flag'],
  ['Say how it is installed', ['README.md', 'docs/install.md'], 'docs: say how it is installed'],
  ['Add cases', ['test/list.test.js', 'tests/test_list.py'], 'test: add cases'],
  ['fix(api): answer 404', ['src/api.ts'], 'fix(api): answer 404'],
])('%s is worded as a conventional commit', (does, files, subject) => {
  expect(commitSubject(does, { style: 'conventional', files })).toBe(subject);
  expect(commitSubject(does, { style: 'plain', files })).toBe(does);
});

test('a project uses conventional commits where most of its latest ones are', () => {
  const plain = ['Add this', 'Merge it', 'http://example.org: gone'];
  const conventional = ['feat: a', 'fix(core): b', 'feat(api)!: c', 'docs: d'];
  expect(countConventional([...conventional, ...plain.slice(0, 2)])).toEqual({
    conventional: 4,
    of: 6,
  });
  expect(countConventional([...conventional, ...plain])).toBeNull();
  expect(countConventional(conventional)).toBeNull();
});

test('one commit for several is a conventional one where all of them are', () => {
  const does = 'Carry out the plan';
  expect(joinedSubject(does, ['docs: a', 'fix: b'])).toBe('fix: carry out the plan');
  expect(joinedSubject(does, ['docs: a', 'Add b'])).toBe(does);
  expect(joinedSubject(does, [])).toBe(does);
});
