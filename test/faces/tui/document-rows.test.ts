import { expect, test } from 'vitest';
import { documentRows, plainRows } from '../../../src/faces/tui/document-rows.ts';
import { plainText, widthOf } from '../../../src/faces/tui/screen-rows.ts';
import {
  code,
  diff,
  documentOf,
  facts,
  fold,
  graph,
  item,
  list,
  prose,
  section,
  table,
} from '../../../src/model/document.ts';

const status = { badge: 'completed', mark: '✓', tone: 'good' } as const;
const { blocks } = documentOf('Plan', [
  prose('A summary that is long enough to be wrapped where the screen is narrow.', 'summary'),
  facts([['Risk', 'Low']]),
  section('#TASK-001', 'TASK-001: Add it', [
    list([[status, ', it is there'], item('plain', [list(['below'])])]),
    table(
      ['Name', 'Cost'],
      [
        ['ada', '$1'],
        ['eve', '$2'],
      ],
    ),
    code('if (a) {\n  b();\n}'),
  ]),
  fold('notes', '2 notes', [list(['one', 'two'])]),
  graph([
    { id: 'TASK-001', title: 'Add it', after: [], status },
    { id: 'TASK-002', title: 'Use it', after: ['TASK-001'], status: null },
  ]),
  diff('src/a.ts', '@@ -1 +1 @@\n-old\n+new'),
]);
const textOf = (look: Parameters<typeof plainRows>[1]) =>
  plainRows(blocks, look).map(plainText).join('\n');

test('all kinds of blocks are shown, what is folded and changed files only by name', () => {
  expect(textOf({ width: 60 })).toMatchInlineSnapshot(`
    "A summary that is long enough to be wrapped where the screen
    is narrow.
    Risk      Low

    TASK-001: Add it
      ✓ completed, it is there
      • plain
        • below
      Name  Cost
      ada   $1
      eve   $2
        if (a) {
          b();
        }
    + 2 notes
    ┌── ✓ TASK-001  Add it
    └─▶ TASK-002  Use it
    + src/a.ts  +1 −1"
  `);
});

test('what a person opened is open, and what was closed is closed', () => {
  const toggled = new Set(['notes', 'TASK-001', 'src/a.ts']);
  const text = textOf({ width: 60, toggled });
  expect(text).toContain('− 2 notes\n  • one\n  • two');
  expect(text).toContain('+ TASK-001: Add it');
  expect(text).not.toContain('it is there');
  expect(text).toContain('− src/a.ts  +1 −1\n  @@ -1 +1 @@\n  -old\n  +new');
});

test.each([20, 40, 80])('no row is wider than a screen of %i columns', (width) => {
  const rows = plainRows(blocks, { width, folds: 'open' });
  expect(Math.max(...rows.map(widthOf))).toBeLessThanOrEqual(width);
});

test('each row has the anchor of its line', () => {
  const rows = documentRows(blocks, { width: 20 });
  const summary = rows.filter(({ anchor }) => anchor === 'summary');
  expect(summary.length).toBeGreaterThan(2);
  expect(rows.map(({ anchor }) => anchor)).toEqual(
    expect.arrayContaining(['risk', 'TASK-001', 'TASK-001.plain', 'TASK-001.plain.below']),
  );
});
