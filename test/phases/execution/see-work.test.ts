// Tests of what a program sees in the change of a task.
import { expect, test } from 'vitest';
import { invertingMark, rerunTest } from '../../../src/phases/execution/see-work.ts';

test.each([
  ['+set_tests_properties(t PROPERTIES WILL_FAIL TRUE)', 'WILL_FAIL'],
  ["+  test.fails('adds', () => {", 'test.fails'],
  ["-it.failing('a', b);\n+it.failing('a', c);", undefined],
  ["-it.failing('a', b);\n+it('a', b);", undefined],
  ['+++ b/a.js\n WILL_FAIL\n+a.will_fail()', undefined],
])('%j adds the mark %j, with which a test passes by failing', (diff, mark) => {
  expect(invertingMark(diff)).toBe(mark);
});

const old = 'add_test(NAME t COMMAND t)';
const judged = (name: string) =>
  `+set_tests_properties(${name} PROPERTIES PASS_REGULAR_EXPRESSION ".*")`;
test.each([
  ['by another command', `-${old}\n+add_test(NAME t COMMAND true)`, 't'],
  ['by another one on its own line', ' add_test(NAME t\n-  COMMAND t)\n+  COMMAND true)', 't'],
  ['as before, and judged by what it prints', ` ${old}\n${judged('t')}`, 't'],
  ['elsewhere in the file, and judged so', judged('t'), 't'],
  ['by a command on three lines', `-${old}\n+add_test(\n+  NAME t\n+  COMMAND t\n+)`, undefined],
  ['with a limit of time', ` ${old}\n+set_tests_properties(t PROPERTIES TIMEOUT 9)`, undefined],
  ['beside a new one', ` ${old}\n+add_test(NAME u COMMAND u)\n${judged('u')}`, undefined],
  ['no more', `-${old}`, undefined],
])('a test of CMake that is run %s', (_, diff, expected) => {
  expect(rerunTest(`@@ -1 +1 @@\n${diff}\n`)).toBe(expected);
});
