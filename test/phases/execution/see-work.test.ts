// Tests of what a program sees in the change of a task.
import { expect, test } from 'vitest';
import { invertingMark } from '../../../src/phases/execution/see-work.ts';

test.each([
  ['+set_tests_properties(t PROPERTIES WILL_FAIL TRUE)', 'WILL_FAIL'],
  ["+  test.fails('adds', () => {", 'test.fails'],
  ["-it.failing('a', b);\n+it.failing('a', c);", undefined],
  ["-it.failing('a', b);\n+it('a', b);", undefined],
  ['+++ b/a.js\n WILL_FAIL\n+a.will_fail()', undefined],
])('%j adds the mark %j, with which a test passes by failing', (diff, mark) => {
  expect(invertingMark(diff)).toBe(mark);
});
