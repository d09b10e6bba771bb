import { outcomeOf } from '../reviewing/samples.ts';
import { describe, expect, test } from 'vitest';
import type { Finding } from '../../../src/model/finding.ts';
import { derivePlan } from '../../../src/phases/planning/derive-plan.ts';
import {
  nextCommands,
  planMarkdown,
  taskMarkdown,
} from '../../../src/phases/planning/plan-text.ts';
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
    // A block of code that nobody closed ends with its text.
    expect(lines.filter((line) => line.startsWith('```'))).toHaveLength(2 * 6);
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
    '- command: `npm test`',
    '- integration: against a server',
    '- by hand: look',
    '- command: `npm run "a b"`',
    '- test: the tests in a.test.ts pass, “adds” among them',
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

--- ===`);
});

test('a sign that means nothing where it stands is not escaped', () => {
  const step = 'Match /[-+]?(\\d+)/ as in a * b < c | d & e, under ~/x_y, and [this] too.';
  expect(markdown([taskOf('A', { implementation: [step] })])).toContain(`1. ${step}`);
});

test('what nobody said is left out', () => {
  const text = markdown([taskOf('A')]);
  for (const heading of ['## Uncertainty', '## Decisions', '## Constraints', '**Risks**']) {
    expect(text).not.toContain(heading);
  }
  expect(text).toContain('Nothing was found.');
});

describe('the head of a plan', () => {
  const long =
    'Cache the parsed configuration: every command reads `conf.toml` again, in `a  b` as well. Keep the modification time.\n\nA second paragraph.';

  test('has a short title, and the whole task below it', () => {
    const text = markdown([taskOf('A')], { contextPackage: packageOf({ task_description: long }) });
    const [title = ''] = text.split('\n');
    expect(title.length).toBeLessThan(100);
    expect(title).toMatch(/^# Plan: Cache the parsed configuration: .*…$/);
    expect(text).toContain(`<summary>The task</summary>\n\n${long}\n\n</details>`);
    expect(markdown([taskOf('A')])).not.toContain('The task<');
  });

  test('says who wrote it', () => {
    const { _metadata: metadata } = planOf(['A']);
    const plan = planOf(['A'], { _metadata: { ...metadata, planner: 'alpha' } });
    expect(markdown([taskOf('A')], { plan })).toContain(' · written by alpha');
    expect(markdown([taskOf('A')])).toContain(' · made by rules');
  });
});

test('code keeps its white space, in spans and in blocks', () => {
  const span = 'Replace `    - [FST_ERR]` by ` x ` here';
  const code = 'First:\n```ts\nif (a) {\n    b();\n}\n```\nThen go on.';
  const text = markdown([taskOf('A', { description: `${span}\n${code}`, implementation: [code] })]);
  expect(text).toContain('Replace `    - [FST_ERR]` by `  x  ` here');
  expect(text).toContain('First:\n\n```ts\nif (a) {\n    b();\n}\n```\n\nThen go on.');
  expect(text).toContain('1. First:\n\n    ```ts\n    if (a) {\n        b();\n    }\n    ```');
  const tildes = '~~~\n```\n# Approved\n~~~\n```';
  expect(markdown([taskOf('A', { description: tildes })])).toContain(
    '````\n```\n# Approved\n````\n',
  );
});

const stepIn = (step: string) =>
  /^1\. (.*)$/m.exec(markdown([taskOf('A', { implementation: [step] })]))?.[1];

describe('code with backticks of its own', () => {
  test.each([
    ['Replace `[^`]+` by `\\*?`.', 'Replace ``[^`]+`` by `\\*?`.'],
    [
      '`edit(/(`+)(?:(?:[^`]|[^`][\\s\\S]*?[^`])\\2(?!`))?/, "gu");` as in `code`',
      '``edit(/(`+)(?:(?:[^`]|[^`][\\s\\S]*?[^`])\\2(?!`))?/, "gu");`` as in `code`',
    ],
    ['``*a `b` *`` and `` ` ``', '``*a `b` *`` and `` ` ``'],
    ['`(` opens, a `)` closes; (see `*a*`) and `Foo`s', null],
    ['`a`/`b`, `f(` and `)`, `{`', null],
    ['A stray ` and `*a*`', 'A stray \\` and `*a*`'],
    ['`a[0]` and an open `*b', '`a[0]` and an open \\`\\*b'],
    ['The check [x]: y, [a][b] and [^1]', null],
  ])('stays as it was written: %s', (step, written) => {
    expect(stepIn(step)).toBe(written ?? step);
  });

  test('keeps them in a command and in a path', () => {
    const text = markdown([
      taskOf('A', {
        files: [{ path: 'a`b.ts' }],
        checks: [{ kind: 'command', argv: ['echo', '`x`'] }],
      }),
    ]);
    expect(text).toContain('- touch ``a`b.ts``');
    expect(text).toContain('- command: ``echo "`x`"``');
  });
});

test('a long step has a line for each sentence, and one of several paragraphs keeps them', () => {
  const sentence = 'Read the file `a. B.ts` once and keep what it says by its path.';
  const long = Array.from({ length: 8 }, () => sentence).join(' ');
  const parts = 'Do this\nat once:\n- one\n- two\n\nThen stop.';
  const text = markdown([taskOf('A', { description: long, implementation: [long, parts] })]);
  expect(text).toContain(`1. ${long.replaceAll('path. ', 'path.\n    ')}\n2. `);
  expect(text).toContain(`\n${long.replaceAll('path. ', 'path.\n')}\n`);
  expect(text).toContain('2. Do this at once:\n\n    - one\n    - two\n\n    Then stop.');
});

test('a list that goes on keeps its numbers and the lines of its items, and a table stays one', () => {
  const description = '1. a\n\nso\n\n2. b\n   - c\n     d\n\n| x | y |\n| --- | --- |\n| 1 | <2> |';
  expect(markdown([taskOf('A', { description })])).toContain(
    '1. a\n\nso\n\n- 2. b\n  - c d\n\n| x | y |\n| --- | --- |\n| 1 | <2> |',
  );
});

test('it says why this solution, what spoke against it and what became of that, and what was not chosen', () => {
  const evidence = [
    { statement: 's', path: 'src/a.ts', line: 3, quote: 'q', status: 'verified' as const },
  ];
  const remark = { evidence, agents: ['beta'], state: 'open' as const };
  const head = { ...packageOf().solution, name: 'A service', source_cli: ['beta'] };
  const contextPackage = packageOf({
    solution: { ...packageOf().solution, positions: ['for: codex', 'against: beta'] },
    consensus: { agreements: [], resolved_conflicts: 'codex and gemini support it.' },
    remarks: [
      { ...remark, id: 'O1', kind: 'objection', text: 'Tests share the cache.' },
      { ...remark, id: 'O2', kind: 'change', text: 'Clear it on reload.' },
      { ...remark, id: 'O3', kind: 'objection', text: 'Too slow.' },
      { ...remark, id: 'O6', kind: 'change', text: 'Name it.', state: 'met' },
      { ...remark, id: 'O4', kind: 'note', text: 'The loader is the only reader (src/a.ts:3).' },
    ],
    alternatives: [
      {
        ...head,
        differs: 'It needs a process.',
        decided_against: { ...remark, id: 'O5', kind: 'objection', text: 'Nothing starts it.' },
      },
    ],
  });
  const decision = { decision: 'No cache on disk.', rationale: 'Not asked.', answers: ['O2'] };
  const text = markdown([taskOf('A', { answers: ['O1'] })], {
    plan: planOf(['A'], { design_decisions: [decision] }),
    contextPackage,
  });
  for (const line of [
    '“Memoize the loader” was proposed by codex (for: codex; against: beta). codex and gemini support it.',
    '- **O4**, a note by beta: The loader is the only reader (src/a.ts:3)',
    '- **O1**, an objection by beta: Tests share the cache (found in src/a.ts:3). Done in A.',
    '- **O2**, a change asked for by beta: Clear it on reload (found in src/a.ts:3). Decided: No cache on disk.',
    '- **O3**, an objection by beta: Too slow (found in src/a.ts:3). The plan does not answer it.',
    '- **O6**, a change asked for by beta: Name it (found in src/a.ts:3). The solution meets it.',
    '- “A service” was proposed by beta. It differs: It needs a process. Against it: **O5**, an objection by beta: Nothing starts it (found in src/a.ts:3).',
    '- **No cache on disk**: Not asked. (answers O2)',
  ]) {
    expect(text).toContain(line);
  }
});

test('each open question stands with what the agents assumed', () => {
  const contextPackage = packageOf({
    open_questions: ['How long may it live?', 'Which format?'],
    assumptions: [
      {
        question: 'How long may it live?',
        assumption: 'Until the file changes',
        agents: ['codex'],
      },
    ],
  });
  expect(markdown([taskOf('A')], { contextPackage })).toContain(
    [
      '- How long may it live?',
      '  - Assumed by codex: Until the file changes',
      '- Which format?',
      '  - Nobody stated an assumption.',
    ].join('\n'),
  );
});

test('it tells what the user answered', () => {
  const contextPackage = packageOf({
    clarifications: [{ question: 'Which format?', answer: 'Compact' }],
    feedback: ['Compact', 'Keep it small.'],
  });
  expect(markdown([taskOf('A')], { contextPackage })).toContain(
    '## What the user said\n\n- Which format? **Compact**\n- Keep it small.\n',
  );
});

test('a file without a target has no empty brackets', () => {
  const task = taskOf('TASK-001', {
    files: [{ path: 'src/a.ts', action: 'modify', target: '', change: 'More.' }],
  });
  expect(taskMarkdown(task)).toContain('- modify `src/a.ts`: More.');
});

test('the tests that a task removes are told with their file', () => {
  const task = taskOf('TASK-001', {
    files: [{ path: 'a.test.ts', change: 'Renamed.', removes_tests: ['adds', 'adds *more*'] }],
  });
  expect(taskMarkdown(task)).toContain('Renamed. (tests that go: adds, adds \\*more\\*)');
});

const commands = (part: Partial<Parameters<typeof nextCommands>[0]>) => {
  const result = { status: 'completed', branch: 'conclave/S', applied: null, ...part } as const;
  return nextCommands(result, 'S').map(({ command }) => command);
};

const end = (id: string, status: 'failed' | 'blocked') => outcomeOf(taskOf(id), { status });

test('what can follow a result is told until it is applied', () => {
  const execute = 'conclave execute S';
  expect(commands({})).toEqual([`${execute} --apply`, `${execute} --discard`]);
  expect(commands({ status: 'failed' })).toEqual([
    `${execute} --apply`,
    execute,
    `${execute} --discard`,
  ]);
  expect(
    commands({ status: 'partial', tasks: [end('TASK-001', 'failed'), end('TASK-002', 'blocked')] }),
  ).toEqual([`${execute} --apply`, `${execute} --retry TASK-001`, `${execute} --discard`]);
  expect(commands({ applied: '3 files merged into main' })).toEqual([]);
});
