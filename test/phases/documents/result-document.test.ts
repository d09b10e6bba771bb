import { expect, test } from 'vitest';
import { textLines } from '../../../src/faces/document-text.ts';
import { CodeReview, ExecutionResult } from '../../../src/model/execution.ts';
import { checksBlocks, resultDocument } from '../../../src/phases/documents/result-document.ts';
import { samplesOf } from '../../helpers/samples.ts';

const result = ExecutionResult.parse(samplesOf('execution-result').good.at(0));
const review = CodeReview.parse(samplesOf('code-review').good.at(0));
const minor = {
  ...review.findings[0],
  severity: 'minor',
  problem: 'A name is unclear.',
  line: null,
};
const textOf = (told: Parameters<typeof resultDocument>[0]) =>
  textLines(resultDocument(told).blocks).join('\n');

test('what was done, and what the review found, the worst first', () => {
  const criteria = [{ ...review.criteria[0], verdict: 'not-met', evidence: 'nothing asks it' }];
  const reviewed = CodeReview.parse({ ...review, findings: [minor, ...review.findings], criteria });
  expect(textOf({ result: { ...result, reviewed_by: 'gemini' }, review: reviewed }))
    .toMatchInlineSnapshot(`
      "The result is on branch \`conclave/MCP-add-health-endpoint-2026-11-21-a1b2\`.
      Tasks: 1 of 2 tasks completed, 1 blocked, reviewed by gemini:
        - completed, TASK-001: Add the endpoint · 1 file · 1 check passed
        - blocked, TASK-002: Add the endpoint · 0 files
          - it needs TASK-001
      What else to know:
        - TASK-002 conflicted in src/a.ts
      Code review by gemini:
        Reviewed by: gemini (gemini-3-pro)
        Commit: dddddddddddd
        One thing blocks.
        Findings:
          - blocking, src/health.ts:3 return 200; The status is never 503.
            - Suggestion: Ask the database first.
          - minor, src/health.ts return 200; A name is unclear.
            - Suggestion: Ask the database first.
        - not met, TASK-001, criterion 1: nothing asks it
        1 criterion judged"
    `);
});

test('what shows that a task is done is told as a whole sentence part', () => {
  const [first, ...others] = result.tasks;
  const shown = 'as its reviewer shows with quotes';
  const told = ExecutionResult.parse({ ...result, tasks: [{ ...first, shown }, ...others] });
  expect(textOf({ result: told, review: null })).toContain(
    `    - completed, as its reviewer shows with quotes`,
  );
});

test('that no reviewer answered, and why the joined work is broken, stand in view', () => {
  const broken = 'npm test fails on the joined result';
  const unreviewed = { ...result, broken, objections: ['no reviewer answered'] };
  expect(textOf({ result: unreviewed, review: null })).toContain(
    `Against applying it:\n  - ${broken}\n  - no reviewer answered`,
  );
});

test('a review whose findings were fixed says that nobody reviewed the fixes', () => {
  expect(textOf({ result, review: { ...review, fixed: true } })).toContain('were fixed since');
});

test('what the records know of a result is told: files untouched, along or left out, and who stood in', () => {
  const [first, ...others] = result.tasks;
  const task = {
    ...first,
    executor: 'codex',
    instead_of: 'gemini',
    out_of_scope: ['shared.txt', '.npmrc'],
    apart: { commit: 'e'.repeat(40), files: [{ path: '.npmrc', kind: 'settings of npm' }] },
    facts: { rest: [], untouched: ['docs/cli.rst'], ignored: [], links_out: [] },
  };
  const told = { ...result, tasks: [task, ...others], accepted: {}, fixed: 'npm test' };
  const lines = textOf({ result: ExecutionResult.parse(told), review: null });
  for (const line of [
    'TASK-001 names docs/cli.rst, which nobody touched',
    'TASK-001 also changed shared.txt, which it does not name',
    'what TASK-001 changed in .npmrc is not part of this, as nobody has accepted it',
    'TASK-001 was done by codex instead of gemini',
    'an agent fixed what failed on the joined work: npm test',
  ]) {
    expect(lines).toContain(`  - ${line}`);
  }
  const accepted = { ...told, accepted: { 'TASK-001': 'I ran it' } };
  const after = textOf({ result: ExecutionResult.parse(accepted), review: null });
  expect(after).toContain('also changed shared.txt and .npmrc');
  expect(after).toContain('accepted: I ran it');
});

test('each check is told before and after the work, with its output', () => {
  const lines = textLines(checksBlocks(result), { isWhole: true });
  expect(lines.join('\n')).toMatch(/before the work failed, after it passed/);
});

test('the changes are told by file, with their lines only where all is shown', () => {
  const changes = `diff --git a/src/a.ts b/src/a.ts
--- a/src/a.ts
+++ b/src/a.ts
@@ -1 +1 @@
-const a = '<b>';
+const a = 1;
diff --git a/old.txt b/old.txt
deleted file mode 100644
--- a/old.txt
+++ /dev/null
@@ -1 +0,0 @@
-x
`;
  const { blocks } = resultDocument({ result, review: null, changes });
  expect(textLines(blocks).slice(-3)).toEqual(['Changes:', '  src/a.ts', '  old.txt']);
  expect(textLines(blocks, { isWhole: true })).toContain("  -const a = '<b>';");
});
