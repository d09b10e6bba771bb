import { describe, expect, test } from 'vitest';
import { headerRows } from '../../../../src/faces/tui/frame.tsx';
import { emptyTail, withLine } from '../../../../src/faces/tui/progress/tail.ts';
import { type Row, plainText, widthOf } from '../../../../src/faces/tui/rows.ts';
import { runRows } from '../../../../src/faces/tui/screens/run/rows.ts';
import { sheetRows } from '../../../../src/faces/tui/screens/run/sheets.ts';
import {
  chosenPane,
  panesNow,
  startingRun,
  type RunState,
} from '../../../../src/faces/tui/screens/run/state.ts';
import {
  fieldsApart,
  placeBeside,
  rowsFrom,
} from '../../../../src/faces/tui/screens/run/tail-rows.ts';
import { cleanText } from '../../../../src/model/clean-text.ts';
import {
  acted,
  answered,
  at,
  foldAll,
  roundFinished,
  start,
  started,
  story,
} from '../progress/story.ts';

const now = start + 52_000;
const textOf = (rows: readonly Row[]) => rows.map(plainText).join('\n');
const progress = foldAll(story);
const sizes = [
  [80, 24],
  [120, 40],
  [200, 60],
] as const;

function screen(width: number, rows: number, state: RunState = startingRun) {
  const height = rows - 5;
  const shown = { progress, now, width };
  return [...headerRows(shown), ...runRows({ ...shown, state, height })];
}

describe('the run screen', () => {
  test.each(sizes)('at %i × %i', async (width, rows) => {
    const golden = new URL(
      `../../../golden/screens/run-rows-${width}x${rows}.txt`,
      import.meta.url,
    );
    await expect(`${textOf(screen(width, rows))}\n`).toMatchFileSnapshot(golden.pathname);
  });

  test('nothing is wider than the terminal or higher than its room, at any size', () => {
    for (let width = 40; width <= 210; width += 7) {
      for (let rows = 8; rows <= 62; rows += 9) {
        for (const isZoomed of [false, true]) {
          const drawn = screen(width, rows, { ...startingRun, isZoomed });
          expect(Math.max(...drawn.slice(3).map(widthOf))).toBeLessThanOrEqual(width);
          expect(drawn.length).toBeLessThanOrEqual(rows - 2);
        }
      }
    }
  });

  test('a zoomed agent has the whole room', () => {
    const state = { ...startingRun, chosen: 'round-2/alpha', isZoomed: true };
    expect(textOf(screen(80, 24, state).slice(3, 11))).toMatchInlineSnapshot(`
      "▸● alpha  alpha-1                                                            7 s
         writing its answer
      ────────────────────────────────────────────────────────────────────────────────
      The others parse by hand, too.
      › read src/commands/list.js
      I would read the flag
      in list
      "
    `);
  });

  test('whoever is at work is looked at until somebody is chosen', () => {
    const panes = panesNow(foldAll([...story, at(53, started('beta', { round: 2 }))]));
    expect(chosenPane(panes, null)?.agent).toBe('alpha');
    expect(chosenPane(panes, 'round-2/gamma')?.agent).toBe('gamma');
    expect(chosenPane(panes, 'round-1/gone')?.agent).toBe('alpha');
  });

  test('control sequences of an agent never reach a row', () => {
    const hostile = '\u001b[2J\u001b]0;owned\u0007\u202eevil\r';
    const attacked = foldAll(
      [
        acted('alpha', { kind: 'message', text: `a\u001b`, partial: true }, { round: 2 }),
        acted('alpha', { kind: 'message', text: '[2Jb', partial: true }, { round: 2 }),
        acted('alpha', { kind: 'file-read', path: hostile }, { round: 2 }),
        { type: 'warning.raised' as const, text: hostile },
      ].map((event) => at(53, event)),
      progress,
    );
    const rows = runRows({ progress: attacked, state: startingRun, now, width: 120, height: 30 });
    const notes = sheetRows({ sheet: 'notes', task: null }, attacked, 80);
    const drawn = textOf([...rows, ...notes]);
    expect(drawn).toContain('evil');
    expect(cleanText(drawn)).toBe(drawn);
  });
});

describe('the tail of one agent', () => {
  const tail = withLine(
    emptyTail,
    Array.from({ length: 30 }, (_, n) => `line ${n}`).join('\n'),
    'plain',
  );
  const room = { width: 20, height: 10 };
  const first = (top: Parameters<typeof rowsFrom>[1], of = tail) =>
    rowsFrom(of, top, room)[0]?.[0]?.text;

  test('follows the end, stays where it was scrolled to, and follows again at the end', () => {
    expect(first(null)).toBe('line 20');
    const up = placeBeside(tail, { ...room, top: null, by: -5 });
    expect(first(up)).toBe('line 15');
    const longer = withLine(tail, 'line 30\nline 31', 'plain');
    expect(first(up, longer)).toBe('line 15');
    expect(first(null, longer)).toBe('line 22');
    expect(first(placeBeside(tail, { ...room, top: up, by: -Infinity }))).toBe('line 0');
    expect(placeBeside(tail, { ...room, top: up, by: 5 })).toBeNull();
  });

  test('a place whose line is gone is the first that is left', () => {
    const flood = withLine(tail, 'more\n'.repeat(1_000), 'plain');
    expect(first({ line: 3, part: 0 }, flood)).toBe('more');
  });
});

test('the rounds show how the score moved and what became of the solutions', () => {
  const second = roundFinished(2, {
    score: 0.8,
    recommendation: 'converged',
    new_solutions: ['A plugin'],
    revised_solutions: ['Branch in listTodos'],
    dropped_solutions: ['A formatter module'],
    disagreed: [],
  });
  const rounds = sheetRows(
    { sheet: 'rounds', task: null },
    foldAll([at(59, answered('beta', { round: 2 })), at(60, second)], progress),
    80,
  );
  expect(textOf(rounds)).toMatchInlineSnapshot(`
    "Rounds

    Round 1 of 3  ██████████░░░░░░░░░░ 0.50  no agreement yet
      by alpha, beta, gamma; 2 solutions, 1 agreement, 1 disagreement, 1 reference
      failed the check
      solutions
        • Branch in listTodos
        • A formatter module
      agreed
        = The flag is read in listTodos
      disagreed
        ≠ Where the formatter lives

    Round 2 of 3  ████████████████░░░░ 0.80 (+0.30)  agreement reached
      by beta; 2 solutions, 1 agreement, 1 disagreement, 1 reference failed the
      check
      solutions
        • Branch in listTodos
        • A formatter module
      new
        + A plugin
      revised
        ~ Branch in listTodos
      dropped
        - A formatter module
      agreed
        = The flag is read in listTodos"
  `);
});

test('the fields of an answer begin lines of their own, however much of it has come', () => {
  const solutions = [{ name: 'Branch', pros: ['Small', 'Plain'], cons: [], quote: 'if (a) {' }];
  const text = JSON.stringify({ session: 'MCP-x', solutions });
  const lines = 'solutions:|name: Branch|pros: Small; Plain|cons:|quote: if (a) {';
  expect(fieldsApart(text)).toBe(lines.replaceAll('|', '\n'));
  for (let end = 40; end <= text.length; end += 1) {
    const shown = fieldsApart(text.slice(0, end)).split('\n').slice(0, -1);
    expect(lines.split('|').slice(0, shown.length)).toEqual(shown);
  }
});

test.each([
  'const { name, "risk": level } = plan;',
  'if (a) { b(); }',
  '',
  '{"name": "one field"}',
])('other text stays as it is: %s', (text) => {
  expect(fieldsApart(text)).toBe(text);
});
