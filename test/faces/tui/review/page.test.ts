import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { plainText, widthOf } from '../../../../src/faces/tui/screen-rows.ts';
import { pageOf } from '../../../../src/faces/tui/screens/review/review-page.ts';
import {
  type ReviewState,
  openTab,
  startingReview,
  withFields,
} from '../../../../src/faces/tui/screens/review/review-state.ts';
import { PlanReading } from '../../../../src/model/plan-reading.ts';
import { samplesOf } from '../../../helpers/samples.ts';
import { deskOf, fullTask, taskOf } from './sample.ts';

const room = { width: 80, height: 19 };

const textOf = (state: ReviewState, size = room) =>
  pageOf(state, size).rows.map(plainText).join('\n').trimEnd();

describe('the overview', () => {
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

  test('stands on the overview, and with its place and its reply under the findings', () => {
    const state = startingReview(deskOf({ reading: open }));
    expect(textOf(state)).toContain('Readers   ! codex: 1 finding (1 open)');
    const page = textOf(openTab(2)(state), { width: 80, height: 30 });
    expect(page).toContain('[findings 1]');
    expect(page).toContain('! blocking, open  b, by codex, src/health.ts:3');
    expect(page).toContain('Suggestion: Ask the database first.');
    expect(page).toContain('Reply: It is asked before.');
  });

  test('is not to be found where nobody read the plan, and that is said', () => {
    const unread = 'you skipped codex';
    const none = { ...reading, readers: [], findings: [], unread };
    const page = textOf(startingReview(deskOf({ reading: none })));
    expect(page).toContain('○ not yet read by others: you skipped codex');
  });

  test('a version that came of it opens with the overview, as nobody has seen the one before', () => {
    const desk = deskOf({ version: 2, reading: { ...open, version: 2 } });
    expect(startingReview(desk).page).toBe('overview');
    expect(startingReview({ ...desk, version: 3 }).page).toBe('changes');
  });
});

test('changes are listed by task with what was before and what is after', () => {
  const changes = [
    { task: null, field: 'task_ids', change: 'changed', before: 'a, b', after: 'b, a' },
    { task: 'b', field: 'title', change: 'changed', before: 'Old', after: 'New' },
    { task: 'b', field: 'convergence.criteria.1', change: 'added', before: null, after: 'Faster' },
    { task: 'gone', field: 'task', change: 'removed', before: 'What it did', after: null },
  ] as const;
  expect(textOf(startingReview(deskOf({ version: 2, changes })))).toMatchInlineSnapshot(`
    "  overview    tasks 3    findings 0   [changes 4]   comments 0

    Version 2: 4 changes since version 1

    the plan
      order changed
        - a, b
        + b, a

    b  What b does
      title changed
        - Old
        + New
      convergence criteria 2 added
        + Faster

    gone
      task removed
        - What it did"
  `);
});

test('a task is read as an outline of its fields', () => {
  const state = withFields(
    fullTask.id,
    'checks.1.path',
  )(startingReview(deskOf({ tasks: [fullTask] })));
  expect(textOf(state, { width: 80, height: 36 })).toMatchInlineSnapshot(`
    " [overview]   tasks 1    findings 0    changes 0    comments 0

        criteria
          1.  GET /health answers 200
          2.  It answers 503 without a database
        verification  npm test
        definition of done  Merged

      checks
        1. kind  command
           argv  npm test
           describes  all tests
        2. kind  test
    ▸      path  test/health.test.ts
           name  answers 200
           describes  x
        3. kind  file
           path  src/health.ts
           exists  true
           describes  x
        4. kind  symbol
           path  src/health.ts
           symbol  health
           describes  x
        5. kind  text
           path  README.md
           contains  /health
           describes  x
        6. kind  manual
           describes  Look at it

      test
        commands
          1.  npm test
        unit
    … ↓ more"
  `);
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
  const state: ReviewState = {
    ...startingReview(deskOf({ tasks, findings: [finding, finding] })),
    comments: [{ id: 'C1', on: 'plan', version: 1, sent: null, task: 'T3', text: long }],
    about: fullTask.id,
  };
  const anyState = fc.record({
    page: fc.constantFrom('overview', 'tasks', 'findings', 'changes', 'comments', 'fields'),
    asGraph: fc.boolean(),
    chosen: fc.nat(200),
    top: fc.option(fc.nat(200)),
  });
  fc.assert(
    fc.property(anyRoom, anyState, (size, { chosen, ...part }) => {
      const shown = { ...state, ...part, at: { ...state.at, [part.page]: chosen } };
      const { rows } = pageOf(shown, size);
      expect(rows).toHaveLength(size.height);
      const isChosen = ['tasks', 'findings', 'comments', 'fields'].includes(part.page);
      expect(textOf({ ...shown, top: null }, size).includes('▸')).toBe(isChosen);
      const widths = part.page === 'tasks' ? rows.slice(4).map(widthOf) : [];
      expect(Math.max(0, ...widths)).toBeLessThanOrEqual(size.width);
    }),
    { numRuns: 60 },
  );
});

test('findings say what they are about', () => {
  const place = { file: 'plan.json', pointer: '/task_ids/1', message: 'b stands before c.' };
  const finding = { severity: 'warning', rule: 'task-order', ...place } as const;
  const text = textOf(openTab(2)(startingReview(deskOf({ findings: [finding] }))));
  expect(text).toContain('▸ ! warning  b\n    b stands before c.');
});
