import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { plainText, widthOf } from '../../../../src/faces/tui/screen-rows.ts';
import { pageOf } from '../../../../src/faces/tui/screens/review/review-screen.tsx';
import {
  type ReviewState,
  linesOn,
  startingReview,
  withNews,
} from '../../../../src/faces/tui/screens/review/review-state.ts';
import { PlanReading } from '../../../../src/model/plan-reading.ts';
import { samplesOf } from '../../../helpers/samples.ts';
import { deskOf, fullTask, taskOf } from './sample.ts';

const room = { width: 80, height: 19 };

const textOf = (state: ReviewState, size = room) =>
  pageOf(state, size).rows.map(plainText).join('\n').trimEnd();

describe('the head', () => {
  const rejected = { why: 'too large', by: 'user' } as const;
  test.each([
    ['not approved', null, null, '○ not approved yet'],
    ['approved', 'hash', null, '✓ approved'],
    [
      'changed since',
      'earlier',
      null,
      '! changed since it was approved, so it needs a new approval',
    ],
    ['rejected', null, rejected, '✗ rejected: too large'],
  ])('says that the plan is %s', (_what, approvedHash, by, says) => {
    expect(textOf(startingReview(deskOf({ approvedHash }), by))).toContain(`Approval  ${says}`);
  });

  test('names the fault where the files are not readable as a plan', () => {
    const message = 'line 3, column 1: a value is expected here';
    const place = { file: 'plan.json', pointer: '', message } as const;
    const finding = { severity: 'blocking', rule: 'json', ...place } as const;
    const desk = deskOf({ plan: null, tasks: [], hash: null, findings: [finding] });
    expect(textOf(startingReview(desk))).toContain(`✗ plan.json: ${message}`);
  });
});

describe('what readers found', () => {
  const reading = PlanReading.parse(samplesOf('plan-reading').good[0]);
  const findings = reading.findings.map((one) => ({ ...one, fate: 'open' as const, task: 'b' }));
  const open = { ...reading, findings };

  test('stands at the head, and first in the plan with its place and its reply, as it comes in', () => {
    const news = { reading: open, waitsFor: [], asksAuthor: true };
    const state = withNews(startingReview(deskOf()), news, 'ada');
    const page = textOf(state, { width: 80, height: 30 });
    expect(page).toContain('Readers   ! codex: 1 finding (1 open)');
    expect(page).toContain('✗ F1, blocking, open (b): The status is never 503');
    expect(page).toContain('Evidence: src/health.ts:3');
    expect(page).toContain('Suggestion: Ask the database first.');
    expect(page).toContain('Reply: It is asked before.');
    expect(page.indexOf('F1, blocking')).toBeLessThan(page.indexOf('Summary') >>> 0);
  });

  test('is not to be found where nobody read the plan, and that is said', () => {
    const unread = 'you skipped codex';
    const none = { ...reading, readers: [], findings: [], unread };
    const page = textOf(startingReview(deskOf({ reading: none })));
    expect(page).toContain('○ not yet read by others: you skipped codex');
  });

  test('a version that came of it opens at its head, as nobody has seen the one before', () => {
    const desk = deskOf({ version: 2, reading: { ...open, version: 2 } });
    expect(startingReview(desk).anchor).toBe('');
    expect(startingReview({ ...desk, version: 3 }).anchor).toBe('changes');
  });
});

test('changes are listed with what was before and what is after', () => {
  const changes = [
    { task: null, field: 'task_ids', change: 'changed', before: 'a, b', after: 'b, a' },
    { task: 'b', field: 'title', change: 'changed', before: 'Old', after: 'New' },
    { task: 'b', field: 'convergence.criteria.1', change: 'added', before: null, after: 'Faster' },
    { task: 'gone', field: 'task', change: 'removed', before: 'What it did', after: null },
  ] as const;
  const page = textOf(startingReview(deskOf({ version: 2, changes })), { width: 80, height: 60 });
  expect(page.slice(page.indexOf('▸ What'), page.indexOf('  Why this')).trimEnd())
    .toMatchInlineSnapshot(`
      "▸ What changed
          • plan task_ids: "a, b" → "b, a"
          • b title: "Old" → "New"
          • b convergence.criteria.2: added "Faster"
          • gone removed: "What it did""
    `);
});

test('the whole plan is one page: each task with its files, steps, criteria and checks', () => {
  const page = textOf(startingReview(deskOf({ tasks: [fullTask] })), { width: 80, height: 200 });
  for (const text of [
    'GET /health answers 200',
    'command: npm test',
    'src/health.ts',
    'Done when',
    'Steps',
  ])
    expect(page).toContain(text);
});

test('in any room, a page fills it, marks what is chosen, and has no task wider than it', () => {
  const anyRoom = fc.record({
    width: fc.integer({ min: 20, max: 220 }),
    height: fc.integer({ min: 4, max: 60 }),
  });
  const long = 'A title that goes on and on, with 漢字 in it, until nobody reads it '.repeat(2);
  const tasks = [
    fullTask,
    ...Array.from({ length: 30 }, (_, at) =>
      taskOf(`T${at}`, { title: long, depends_on: at === 0 ? [] : [`T${at >> 1}`, fullTask.id] }),
    ),
  ];
  const place = { file: '.task/T3.json', pointer: '/title', message: long } as const;
  const finding = { severity: 'blocking', rule: 'x', ...place } as const;
  const comment = { id: 'C1', on: 'plan', version: 1, sent: null, task: 'T3', text: long } as const;
  const state: ReviewState = startingReview(
    deskOf({ tasks, findings: [finding, finding], comments: [{ ...comment, anchor: 'T3' }] }),
  );
  const lines = linesOn(state);
  const anyState = fc.record({ at: fc.nat(lines.length - 1), top: fc.option(fc.nat(200)) });
  fc.assert(
    fc.property(anyRoom, anyState, (size, { at, top }) => {
      const shown = { ...state, anchor: lines[at] ?? '', top };
      const { rows } = pageOf(shown, size);
      expect(rows).toHaveLength(size.height);
      expect(textOf({ ...shown, top: null }, size)).toContain('▸');
      // A graph, a link or a path of a narrow page is cut, never wider than the screen.
      expect(Math.max(0, ...rows.map(widthOf))).toBeLessThanOrEqual(size.width);
    }),
    { numRuns: 15 },
  );
});

test('findings say what they are about', () => {
  const place = { file: 'plan.json', pointer: '/task_ids/1', message: 'b stands before c.' };
  const finding = { severity: 'warning', rule: 'task-order', ...place } as const;
  const text = textOf(startingReview(deskOf({ findings: [finding] })), { width: 80, height: 40 });
  expect(text).toContain('! warning b stands before c. (plan.json/task_ids/1)');
});
