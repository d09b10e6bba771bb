import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { pageOf } from '../../../../src/faces/tui/screens/review/page.ts';
import {
  type ReviewState,
  onTab,
  startingReview,
  withFields,
} from '../../../../src/faces/tui/screens/review/state.ts';
import { widthOf } from '../../../../src/faces/tui/rows.ts';
import { deskOf, fullTask, taskOf } from './sample.ts';

const room = { width: 80, height: 19 };

function textOf(state: ReviewState, size = room): string {
  return pageOf(state, size)
    .rows.map((row) =>
      row
        .map(({ text }) => text)
        .join('')
        .trimEnd(),
    )
    .join('\n')
    .trimEnd();
}

describe('the overview', () => {
  test('says that an approval does not hold any more', () => {
    const text = textOf(startingReview(deskOf({ approvedHash: 'earlier' })));
    expect(text).toContain('changed since it was approved, so it needs a new approval');
    expect(textOf(startingReview(deskOf({ approvedHash: 'hash' })))).toContain('✓ approved as it');
  });

  test('tells of a rejection and why, and does not call the plan only unapproved', () => {
    const rejected = { why: 'too large', by: 'user' } as const;
    const text = textOf(startingReview(deskOf(), rejected));
    expect(text).toContain('✗ rejected: too large');
    expect(text).not.toContain('not approved yet');
  });

  test('names the fault where the files are not readable as a plan', () => {
    const message = 'line 3, column 1: a value is expected here';
    const finding = {
      severity: 'blocking',
      rule: 'json',
      file: 'plan.json',
      pointer: '',
      message,
    } as const;
    const desk = deskOf({ plan: null, tasks: [], hash: null, findings: [finding] });
    expect(textOf(startingReview(desk))).toContain(`✗ plan.json: ${message}`);
  });
});

test('changes are told task by task with what was before and what is after', () => {
  const changes = [
    { task: null, field: 'task_ids', change: 'changed', before: 'a, b', after: 'b, a' },
    { task: 'b', field: 'title', change: 'changed', before: 'Old', after: 'New' },
    { task: 'b', field: 'convergence.criteria.1', change: 'added', before: null, after: 'Faster' },
    { task: 'gone', field: 'task', change: 'removed', before: 'What it did', after: null },
  ] as const;
  expect(textOf(startingReview(deskOf({ version: 2, changes })))).toMatchInlineSnapshot(`
    "  overview    tasks 3    findings 0   [changes 4]   comments 0        version 2

    Version 2: 4 changes since version 1

    the plan
      ~ order changed
          - a, b
          + b, a

    b  What b does
      ~ title changed
          - Old
          + New
      + convergence criteria 2 added  + Faster

    gone
      - task removed  - What it did"
  `);
});

test('a task is read by sections, its entries on as few lines as they fit on', () => {
  const field = 'checks.1.path';
  const state = withFields({
    of: fullTask.id,
    field,
  })(startingReview(deskOf({ tasks: [fullTask] })));
  expect(textOf(state, { width: 80, height: 36 })).toMatchInlineSnapshot(`
    " [overview]   tasks 1    findings 0    changes 0    comments 0        version 1

        4. 3  Tidy
           tdd phase  refactor

      Done when
        • GET /health answers 200
        • It answers 503 without a database
        verification  npm test
        definition of done  Merged

      Checks
        1. command  npm  test  all tests
    ▸   2. test  test/health.test.ts  name answers 200  x
        3. file  src/health.ts  exists true  x
        4. symbol  src/health.ts  symbol health  x
        5. text  README.md  contains /health  x
        6. manual  Look at it

      Test
        commands
          • npm test
        unit
          • a
        integration
          • b
        coverage target  80
        manual checks
          • c
        success metrics
          • d
        reusable tools
          • e

      Risks
    checks 2 path                                                             ↓ more"
  `);
});

describe('for any room', () => {
  const anyRoom = fc.record({
    width: fc.integer({ min: 20, max: 220 }),
    height: fc.integer({ min: 4, max: 60 }),
  });
  const long =
    'A title that goes on and on, with 漢字 in it, until nobody reads it any more '.repeat(2);
  const tasks = [
    fullTask,
    ...Array.from({ length: 30 }, (_, index) =>
      taskOf(`T${index}`, {
        title: long,
        depends_on: index === 0 ? [] : [`T${index >> 1}`, fullTask.id],
      }),
    ),
  ];
  const finding = {
    severity: 'blocking',
    rule: 'x',
    file: '.task/T3.json',
    pointer: '/title',
    message: long,
  } as const;
  const state: ReviewState = {
    ...startingReview(deskOf({ tasks, findings: [finding, finding] })),
    comments: [{ task: 'T3', text: long }],
    about: fullTask.id,
  };
  const anyState = fc.record({
    page: fc.constantFrom('overview', 'tasks', 'findings', 'changes', 'comments', 'fields'),
    asGraph: fc.boolean(),
    task: fc.constantFrom(...tasks.map(({ id }) => id)),
    field: fc.nat(200),
    scroll: fc.integer({ min: -100, max: 200 }),
  });

  test('a page fills it, marks what is chosen, and has no task wider than it', () => {
    fc.assert(
      fc.property(anyRoom, anyState, (size, part) => {
        const shown = { ...state, ...part };
        const { rows } = pageOf(shown, size);
        expect(rows).toHaveLength(size.height);
        const isChosen = ['tasks', 'findings', 'comments', 'fields'].includes(part.page);
        expect(textOf({ ...shown, scroll: 0 }, size).includes('▸')).toBe(isChosen);
        // The tabs are cut by the one that draws them.
        const widths = part.page === 'tasks' ? rows.slice(4).map(widthOf) : [];
        expect(Math.max(0, ...widths)).toBeLessThanOrEqual(size.width);
      }),
      { numRuns: 60 },
    );
  });
});

test('findings say what they are about', () => {
  const finding = {
    severity: 'warning',
    rule: 'task-order',
    file: 'plan.json',
    pointer: '/task_ids/1',
    message: 'b stands before c.',
  } as const;
  const text = textOf(onTab(2)(startingReview(deskOf({ findings: [finding] }))));
  expect(text).toContain('▸ ! warning  b\n    b stands before c.');
});
