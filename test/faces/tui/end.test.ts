import { expect, test } from 'vitest';
import { emptyBill } from '../../../src/model/bill.ts';
import { noProgress, type Progress } from '../../../src/faces/tui/progress/progress.ts';
import { plainText } from '../../../src/faces/tui/screen-rows.ts';
import { endRows } from '../../../src/faces/tui/screens/end.tsx';
import { executionStory, finished as finishedTask } from './progress/execution-story.ts';
import { at, foldAll } from './progress/story.ts';

type End = NonNullable<Progress['end']>;

const finished: End = {
  seq: 1,
  at: '2026-11-21T08:00:00.000Z',
  replayed: false,
  type: 'session.finished',
  session: 'MCP-1',
  end: 'done',
  exit_code: 0,
  message: 'It ended.',
  plan: 'plan.json',
  tasks: null,
  summary: null,
  titles: [],
  approved: false,
  next: null,
  spent: {
    ...emptyBill,
    agent_runs: 2,
    input_tokens: 48_123,
    cost_usd: 0.31,
    agents_ms: 31_000,
    since_start_ms: 185_000,
  },
};

const shown = (end: Partial<End>, from = noProgress) =>
  endRows({ ...from, session: 'MCP-1', end: { ...finished, ...end } }, 80).map(plainText);

function stepAfter(end: Partial<End>): string | undefined {
  const rows = shown(end);
  return rows.find((line) => line.startsWith('Next'))?.replace(/^Next +/, '');
}

test.each<[string, Partial<End>, string | undefined]>([
  ['a plan is reviewed', {}, 'conclave review MCP-1'],
  [
    'an approved one is carried out',
    { approved: true, next: 'conclave execute MCP-1' },
    'conclave execute MCP-1',
  ],
  [
    'one that was carried out in part, too',
    { end: 'failed', next: 'conclave execute MCP-1 --apply' },
    'conclave execute MCP-1 --apply',
  ],
  ['also one that is invalid', { end: 'failed' }, 'conclave review MCP-1'],
  ['without one the session goes on', { end: 'failed', plan: null }, 'conclave resume MCP-1'],
  ['one that was interrupted, too', { end: 'interrupted' }, 'conclave resume MCP-1'],
  [
    'nothing is said twice',
    { end: 'cancelled', message: 'Cancelled; go on with: conclave resume MCP-1' },
    undefined,
  ],
  [
    'nor beside what is said instead',
    { end: 'failed', message: 'Nobody is ready to do it; then: conclave execute MCP-1' },
    undefined,
  ],
])('what can be done after the end: %s', (_what, end, step) => {
  expect(stepAfter(end)).toBe(step);
});

test('a plan that was only approved can be handed to an agent by hand', () => {
  const end = { approved: true, next: 'conclave execute MCP-1', by_hand: 'codex "Carry it out"' };
  expect(shown(end)).toContain('By hand   codex "Carry it out"');
});

test('of a plan that was carried out each task is told with its end, and where the review is', () => {
  const events = [
    ...executionStory,
    ...['TASK-002', 'TASK-004'].map((id) =>
      at(70, finishedTask(id, { status: id === 'TASK-004' ? 'failed' : 'unproven', why: 'w' })),
    ),
    at(71, {
      type: 'review.finished',
      reviewer: 'gemini',
      blocking: 0,
      findings: [],
      file: 'code-review.md',
    }),
    at(72, { ...finished, end: 'interrupted' }),
  ] as const;
  const lines = shown({ message: 'It went on.', approved: true }, foldAll(events));
  expect(lines[0]).toBe('! It went on.');
  expect(lines).toContain('✓ completed, TASK-001: Print JSON from listTodos');
  expect(lines).toContain('! unproven, TASK-002: Test the JSON output');
  expect(lines).toContain('○ waiting, TASK-003: Choose the format in the command line');
  expect(lines).toContain('✗ failed, TASK-004: Say so in the README');
  expect(lines).toContain('Review    code-review.md');
});

test('breaks a path that is longer than a line behind its folders, and nowhere in a name', () => {
  const folder = 'MCP-add-a-json-flag-to-the-list-command-so-t-2026-11-25-ab12';
  const rows = shown({ plan: `.workflow/.multi-cli-plan/${folder}/plan.md` });
  const first = rows.findIndex((line) => line.startsWith('Plan'));
  expect(rows.slice(first, first + 2)).toEqual([
    'Plan      .workflow/.multi-cli-plan/',
    `          ${folder}/plan.md`,
  ]);
});
