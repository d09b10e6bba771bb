import { expect, test } from 'vitest';
import { plainText, widthOf } from '../../../src/faces/tui/screen-rows.ts';
import { isWhole, resultRows } from '../../../src/faces/tui/screens/apply/result-rows.ts';
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
  const question = { result, review: reviewed };
  expect(isWhole(question)).toBe(false);
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

test('applying is proposed only where all is completed and nothing blocks', () => {
  const tasks = result.tasks.slice(0, 1);
  const whole = { ...result, tasks };
  expect(isWhole({ result, review: null })).toBe(false);
  expect(isWhole({ result: whole, review: null })).toBe(true);
  expect(isWhole({ result: whole, review })).toBe(false);
  expect(isWhole({ result: whole, review: { ...review, findings: [] } })).toBe(true);
  const fixed = { result: whole, review: { ...review, fixed: true } };
  expect(isWhole(fixed)).toBe(true);
  expect(resultRows(fixed, 80).map(plainText).join('\n')).toContain('were fixed since');
});
