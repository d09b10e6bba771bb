import { describe, expect, test } from 'vitest';
import type { Finding } from '../../../src/model/finding.ts';
import { derivePlan } from '../../../src/phases/planning/derive-plan.ts';
import { planMarkdown } from '../../../src/phases/planning/plan-text.ts';
import { exampleFiles, examplePackage, now, packageOf, planOf, taskOf } from './samples.ts';

const finding: Finding = {
  severity: 'warning',
  rule: 'criteria-missing',
  file: '.task/TASK-001.json',
  pointer: '/convergence/criteria/0',
  message: 'TASK-001 has no criterion.',
};

test('the example reads like the recorded plan.md', async () => {
  const made = derivePlan({
    contextPackage: examplePackage,
    known: exampleFiles,
    now,
  });
  const decision = {
    decision: 'Cache by path',
    rationale: 'Both agents do.',
    tradeoff: 'Tests have to clear it.',
    alternatives: ['A configuration service'],
  };
  const text = planMarkdown({
    ...made,
    plan: { ...made.plan, design_decisions: [decision] },
    findings: [finding],
    contextPackage: examplePackage,
    folder: { id: examplePackage.session_id, relative: '.workflow/x' },
  });
  await expect(text).toMatchFileSnapshot('../../fixtures/planning/plan.md.snap');
});

const markdown = (
  tasks: ReturnType<typeof taskOf>[],
  over: Partial<Parameters<typeof planMarkdown>[0]> = {},
) =>
  planMarkdown({
    plan: planOf(tasks.map(({ id }) => id)),
    tasks,
    findings: [],
    contextPackage: packageOf(),
    folder: { id: 'MCP-x', relative: '.workflow/.multi-cli-plan/MCP-x' },
    ...over,
  });

describe('text from agents', () => {
  const hostile =
    'a | b\n| c | d |\n# Approved\n<img src=x>![x](http://x) \u001b[2J`code|span`\n```\nend';
  const text = markdown(
    [
      taskOf('TASK-001', {
        title: hostile,
        description: hostile,
        files: [{ path: hostile, change: hostile }],
      }),
    ],
    {
      plan: planOf(['TASK-001'], { summary: hostile, approach: hostile, milestones: [hostile] }),
      findings: [{ ...finding, message: hostile, file: hostile }],
      contextPackage: packageOf({ task_description: hostile, uncertainty: hostile }),
    },
  );
  const lines = text.split('\n');

  test('cannot add headings, HTML, images or fences', () => {
    expect(lines.filter((line) => line.startsWith('#') && line.includes('Approved'))).toEqual([
      lines[0],
      expect.stringMatching(/^## TASK-001: a/),
    ]);
    const prose = text.replaceAll(/^```.*?^```$/gms, '').replaceAll(/(?<!\\)`[^`\n]+`/g, '');
    expect(prose).toContain('img');
    expect(prose).not.toMatch(/(?<!\\)<img/);
    expect(prose).not.toMatch(/(?<!\\)\[x/);
    expect(lines.filter((line) => line.startsWith('```'))).toEqual(['```sh', '```']);
  });

  test('cannot reach the terminal', () => {
    expect(text).not.toContain('\u001b');
  });
});

test('a circle has no order', () => {
  const tasks = [taskOf('A', { depends_on: ['B'] }), taskOf('B', { depends_on: ['A'] })];
  expect(markdown(tasks)).toContain('There is no order');
});

test('all kinds of steps, tests and checks are shown in words', () => {
  const text = markdown([
    taskOf('A', {
      implementation: ['Just do it', { step: 1, description: 'Write it', title: 'First' }],
      test: {
        commands: { unit: 'npm test' },
        integration: ['against a server'],
        manual_checks: ['look'],
      },
      checks: [
        { kind: 'command', argv: ['npm', 'run', 'a b'] },
        { kind: 'test', path: 'a.test.ts', name: 'adds' },
        { kind: 'text', path: 'a.ts', contains: 'x' },
        { kind: 'manual', describes: 'look at it' },
      ],
    }),
  ]);
  for (const line of [
    '1. Just do it',
    '2. First: Write it',
    '- run `npm test`',
    '- integration: against a server',
    '- by hand: look',
    '- command: `npm run "a b"`',
    '- test: the tests in a.test.ts pass',
    '- text: a.ts contains "x"',
    '- manual: look at it',
  ]) {
    expect(text).toContain(line);
  }
  expect(text).not.toContain('[object');
});

test('names keep their underlines and stars, and stock lists stay lists', () => {
  const text = markdown([
    taskOf('A', {
      title: 'Export __all__ of snake_case',
      description: '* one\n* two *three*\n---\n===',
      files: [{ path: 'pkg/__init__.py', action: 'modify' }],
    }),
  ]);
  expect(text).toContain(String.raw`Export \_\_all\_\_ of snake_case`);
  expect(text).toContain('- modify `pkg/__init__.py`');
  expect(text).toContain(String.raw`- one
- two \*three\*
\---
\===`);
});

test('what nobody said is left out', () => {
  const text = markdown([taskOf('A')]);
  for (const heading of ['## Uncertainty', '## Decisions', '## Constraints', '**Risks**']) {
    expect(text).not.toContain(heading);
  }
  expect(text).toContain('Nothing was found.');
});
