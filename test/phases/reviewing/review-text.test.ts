import { expect, test } from 'vitest';
import type { CodeReview } from '../../../src/model/execution.ts';
import { reviewMarkdown } from '../../../src/phases/reviewing/review-text.ts';
import { findingOf, reviewedTasks, verdict } from './samples.ts';

const review: CodeReview = {
  reviewer: 'bee',
  model: 'bee-model',
  commit: 'c'.repeat(40),
  summary: 'Not yet: the flag is only seen in one place.',
  findings: [
    { ...findingOf(), reference: 'verified' },
    { ...findingOf({ quote: 'a || b', line: null, problem: 'Slow.' }), reference: 'failed' },
    { ...findingOf({ severity: 'minor', quote: '', suggestion: '' }), reference: 'none' },
  ],
  criteria: [
    { ...verdict('TASK-001', 0, 'not-met'), reference: 'verified' },
    { ...verdict('TASK-001', 1, 'met'), reference: 'verified' },
    {
      ...verdict('TASK-002', 0, 'unclear'),
      file: '',
      line: null,
      quote: '',
      evidence: '',
      reference: 'none',
    },
  ],
  blocking: 1,
  fixed: false,
};

test('a review reads like the recorded one', async () => {
  const text = reviewMarkdown(review, reviewedTasks, 'MCP-x');
  await expect(text).toMatchFileSnapshot('../../fixtures/reviewing/code-review.md.snap');
});

test.each([
  [{}, '1 finding blocks, 1 criterion not met'],
  [
    { fixed: true },
    '1 finding blocks, 1 criterion not met; a round of fixes followed, which nobody reviewed',
  ],
  [{ blocking: 0, criteria: [] }, 'nothing blocks'],
  [{ blocking: 0, criteria: [], findings: [] }, 'no problems found'],
])('the first line is the verdict: %j', (over, verdictLine) => {
  const [first] = reviewMarkdown({ ...review, ...over }, reviewedTasks, 'MCP-x').split('\n', 1);
  expect(first).toBe(`# Code review: ${verdictLine}`);
});

test('text from the reviewer cannot become markup, another cell or another row', () => {
  const hostile = 'a | b\n| c |\n# Approved\n<img src=x>[x](http://x) \\| `c | d` \u001b[2J';
  const text = reviewMarkdown(
    {
      ...review,
      reviewer: hostile,
      summary: hostile,
      findings: [
        {
          ...findingOf({ file: hostile, quote: hostile, problem: hostile, suggestion: hostile }),
          reference: 'failed',
        },
      ],
      criteria: [
        {
          task: hostile,
          criterion: 0,
          verdict: 'met',
          evidence: hostile,
          file: hostile,
          line: 1,
          quote: hostile,
          reference: 'verified',
        },
      ],
    },
    reviewedTasks,
    'MCP-x',
  );
  const lines = text.split('\n');
  expect(lines.filter((line) => line.startsWith('# '))).toHaveLength(1);
  const outsideCode = text.replaceAll(/(?<!`)(`+)(?!`).*?(?<!`)\1(?!`)/g, '');
  expect(text).not.toContain('\u001B');
  expect(outsideCode).not.toMatch(/(?<!\\)<img|(?<!\\)\[x\]/);
  for (const row of lines.filter((line) => line.startsWith('| '))) {
    expect(row.match(/(?<!\\)(?:\\{2})*\|/g)).toHaveLength(5);
  }
});
