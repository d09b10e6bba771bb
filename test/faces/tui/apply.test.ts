import { expect, test } from 'vitest';
import { plainText, widthOf } from '../../../src/faces/tui/screen-rows.ts';
import { isWhole } from '../../../src/faces/execution-forms.ts';
import { resultRows } from '../../../src/faces/tui/screens/apply/result-rows.ts';
import { CodeReview, ExecutionResult } from '../../../src/model/execution.ts';
import { samplesOf } from '../../helpers/samples.ts';

const result = ExecutionResult.parse(samplesOf('execution-result').good.at(0));
const review = CodeReview.parse(samplesOf('code-review').good.at(0));
const minor = {
  ...review.findings[0],
  severity: 'minor',
  problem: 'A name is unclear.',
  line: null,
};

test('what was done, and what the review found', () => {
  const criteria = [{ ...review.criteria[0], verdict: 'not-met', evidence: 'nothing asks it' }];
  const reviewed = CodeReview.parse({
    ...review,
    findings: [minor, ...review.findings],
    criteria,
  });
  const question = { result: { ...result, reviewed_by: 'gemini' }, review: reviewed };
  const rows = resultRows(question, 80);
  expect(Math.max(...rows.map(widthOf))).toBeLessThanOrEqual(80);
  expect(rows.map(plainText).join('\n')).toMatchInlineSnapshot(`
    "✓ TASK-001  Add the endpoint                        completed  1 file   ✗ → ✓
    ○ TASK-002  Add the endpoint                        blocked    0 files
        it needs TASK-001

    Conflicts
      TASK-002: src/a.ts

    Code review by gemini
      One thing blocks.
      ✗ blocking  src/health.ts:3
        The status is never 503.
        Ask the database first.
      • minor     src/health.ts
        A name is unclear.
        Ask the database first.
      ! TASK-001: criterion 1 is not met: nothing asks it"
  `);
});

test('that no reviewer answered, and why the joined work is broken, stand in view', () => {
  const broken = 'npm test fails on the joined result';
  const unreviewed = { ...result, broken, objections: ['no reviewer answered'] };
  const text = resultRows({ result: unreviewed, review: null }, 80).map(plainText).join('\n');
  expect(text).toContain(`Against applying it\n  ! ${broken}\n  ! no reviewer answered`);
});

test('applying is proposed only where all is completed and nothing blocks', () => {
  const tasks = result.tasks.slice(0, 1);
  const whole = { ...result, tasks };
  expect(isWhole(result)).toBe(false);
  expect(isWhole(whole)).toBe(true);
  expect(isWhole({ ...whole, objections: ['src/a.ts:1: It is wrong.'] })).toBe(false);
  expect(isWhole({ ...whole, broken: 'npm test fails' })).toBe(false);
  const fixed = { result: whole, review: { ...review, fixed: true } };
  expect(resultRows(fixed, 80).map(plainText).join('\n')).toContain('were fixed since');
});
