import { describe, expect, test } from 'vitest';
import { headerRows } from '../../../../src/faces/tui/frame.tsx';
import { type Row, plainText, widthOf } from '../../../../src/faces/tui/rows.ts';
import { runRows } from '../../../../src/faces/tui/screens/run/rows.ts';
import { sheetRows } from '../../../../src/faces/tui/screens/run/sheets.ts';
import {
  chosenPane,
  panesNow,
  scrolled,
  startingRun,
  topOf,
  type Sheet,
} from '../../../../src/faces/tui/screens/run/state.ts';
import { fieldsApart } from '../../../../src/faces/tui/screens/run/tail-rows.ts';
import { cleanText } from '../../../../src/model/clean-text.ts';
import { executionStory } from '../progress/execution-story.ts';
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
const execution = foldAll(executionStory);
const sizes = [
  [80, 24],
  [120, 40],
] as const;

function screen(width: number, rows: number, of = progress) {
  const shown = { progress: of, now, width };
  return [...headerRows(shown), ...runRows({ ...shown, state: startingRun, height: rows - 5 })];
}

function sheet(name: Sheet, of = progress) {
  const chosen = panesNow(of)[0] ?? null;
  const { head, body } = sheetRows({ sheet: name, progress: of, chosen, now, width: 80 });
  return textOf([...head, ...body]);
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
    for (let width = 80; width <= 210; width += 7) {
      for (let rows = 24; rows <= 62; rows += 9) {
        for (const of of [progress, execution]) {
          const drawn = screen(width, rows, of);
          expect(Math.max(...drawn.slice(3).map(widthOf))).toBeLessThanOrEqual(width);
          expect(drawn.length).toBeLessThanOrEqual(rows - 2);
        }
      }
    }
  });

  test('a zoomed agent has its whole tail', () => {
    expect(sheet('agent')).toMatchInlineSnapshot(`
      "▸● alpha  alpha-1                                                            7 s
         writing its answer
      ────────────────────────────────────────────────────────────────────────────────
      The others parse by hand, too.
      › read src/commands/list.js
      I would read the flag
      in list"
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
    const drawn = textOf(rows) + sheet('notes', attacked) + sheet('agent', attacked);
    expect(drawn).toContain('evil');
    expect(cleanText(drawn)).toBe(drawn);
  });
});

test('a zoomed agent is followed, stays where it was scrolled to, and is followed again at the end', () => {
  const zoomed = { ...startingRun, sheet: 'agent' } as const;
  expect(topOf(zoomed, 20)).toBe(20);
  const up = scrolled(zoomed, { by: -5, most: 20 });
  expect(topOf(up, 22)).toBe(15);
  expect(topOf(scrolled(up, { by: -Infinity, most: 22 }), 22)).toBe(0);
  expect(topOf(scrolled(up, { by: 9, most: 22 }), 30)).toBe(30);
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
  const rounds = foldAll([at(59, answered('beta', { round: 2 })), at(60, second)], progress);
  expect(sheet('rounds', rounds)).toMatchInlineSnapshot(`
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

test('the fields of an answer begin lines of their own', () => {
  const text = JSON.stringify({ session: 'MCP-x', solutions: [{ name: 'A', pros: ['Small'] }] });
  expect(fieldsApart(text).split('\n')).toEqual([
    '{',
    '"session":"MCP-x",',
    '"solutions":[{',
    '"name":"A",',
    '"pros":["Small"]}]}',
  ]);
  expect(fieldsApart('const { name, "risk": level } = plan;')).toContain('const { name');
});
