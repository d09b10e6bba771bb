import { describe, expect, test } from 'vitest';
import type { CheckRun } from '../../../src/model/execution.ts';
import { judge, outOfScope } from '../../../src/phases/execution/judge.ts';

const task = { convergence: { criteria: ['one', 'two'] } };
const run = (check: string, passed: boolean | null, criterion: number | null = 0): CheckRun => ({
  check,
  kind: passed === null ? 'manual' : 'command',
  criterion,
  passed,
  note: passed === false ? 'exit code 1' : '',
  output: '',
  ms: 1,
});

const none = (check: string): CheckRun => ({
  ...run(check, null),
  note: 'no test ran, which proves nothing',
  ran_no_test: true,
});

describe('a task is', () => {
  test.each([
    ['completed where a check turned', [run('a', false)], [run('a', true)], ['x'], 'completed', ''],
    [
      'failed where a check fails, though another turned',
      [run('a', false), run('b', true)],
      [run('a', true), run('b', false)],
      ['x'],
      'failed',
      'the check "b" fails: exit code 1',
    ],
    [
      'unproven where all passed before',
      [run('a', true)],
      [run('a', true)],
      ['x'],
      'unproven',
      'no check failed before the work, so passing them proves nothing',
    ],
    [
      'unproven where only a person can tell',
      [run('a', null)],
      [run('a', null)],
      ['x'],
      'unproven',
      'none of its checks can run automatically',
    ],
    [
      'completed where a test came that was not there before',
      [none('a')],
      [run('a', true)],
      ['x'],
      'completed',
      '',
    ],
    [
      'unproven where no test ran, though another check turned',
      [none('a'), run('b', false)],
      [none('a'), run('b', true)],
      ['x'],
      'unproven',
      'no test ran, which proves nothing: the check "a"',
    ],
    ['failed where nothing was changed', [], [], [], 'failed', 'the agent changed no file'],
    [
      'failed where a check turned and nothing was changed',
      [run('a', false)],
      [run('a', true)],
      [],
      'failed',
      'the agent changed no file that git sees, and in a clean checkout the check "a" fails: exit code 1',
    ],
  ] as const)('%s', (_, before, after, files, status, why) => {
    expect(judge({ task, before, after, files })).toMatchObject({ status, why });
  });
});

test('a criterion is shown only by checks of its own that all pass', () => {
  const after = [run('a', true, 0), run('b', true, 1), run('c', null, 1)];
  expect(judge({ task, before: [], after, files: ['x'] }).criteria).toEqual([true, false]);
});

test('what a task does not name is out of its scope: not its folders, nor the tests that it names', () => {
  const files = [{ path: 'src/a.js' }, { path: 'docs/' }];
  const changed = ['src/a.js', 'docs/b.md', 'test/a.test.js', 'src/ab.js'];
  expect(outOfScope({ files, test: { unit: ['test/a.test.js: an empty list'] } }, changed)).toEqual(
    ['src/ab.js'],
  );
  expect(outOfScope({}, changed)).toEqual([]);
});
