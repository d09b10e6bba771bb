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
import type { SessionEvent } from '../../../../src/model/event.ts';
import type { Progress } from '../../../../src/faces/tui/progress/progress.ts';
import { cleanText } from '../../../../src/model/clean-text.ts';
import { begun, check, executionStory, finished, worker } from '../progress/execution-story.ts';
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
const nowIn = (of: Progress) => (of.execution === null ? now : start + 72_000);
const textOf = (rows: readonly Row[]) => rows.map(plainText).join('\n');
const progress = foldAll(story);
const execution = foldAll(executionStory);
const sizes = [
  [80, 24],
  [120, 40],
] as const;

function screen(width: number, rows: number, of = progress, chosen: string | null = null) {
  const shown = { progress: of, now: nowIn(of), width };
  const state = { ...startingRun, chosen };
  return [...headerRows(shown), ...runRows({ ...shown, state, height: rows - 5 })];
}

function sheet(name: Sheet, of = progress, pane = 0) {
  const chosen = panesNow(of)[pane] ?? null;
  const { head, body } = sheetRows({
    sheet: name,
    progress: of,
    chosen,
    now: nowIn(of),
    width: 80,
  });
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
  expect(fieldsApart(text).split('\n')).toEqual(['solutions: ', 'name: "A"', 'pros: ["Small"]}]}']);
  expect(fieldsApart('const { name } = plan;')).toBe('const { name } = plan;');
});

const after = (...events: readonly SessionEvent[]) =>
  foldAll(
    events.map((event) => at(70, event)),
    execution,
  );

/** The rows of the tasks, without what stands between. */
const tasksIn = (of: Progress) =>
  screen(120, 40, of)
    .map(plainText)
    .filter((line) => /TASK-00\d  /.test(line))
    .map((line) => line.replaceAll(/ {2,}/g, '  '));

describe('while a plan is carried out', () => {
  test.each([
    [80, 24],
    [120, 40],
  ])('the graph and all running tasks are seen together at %i × %i', async (width, rows) => {
    const golden = new URL(
      `../../../golden/screens/execution-rows-${width}x${rows}.txt`,
      import.meta.url,
    );
    await expect(`${textOf(screen(width, rows, execution))}\n`).toMatchFileSnapshot(
      golden.pathname,
    );
  });

  test('two tasks of one agent have a pane each', () => {
    expect(panesNow(execution).map(({ key }) => key)).toEqual([
      'execution-1/TASK-001/codex',
      'execution-1/TASK-003/codex',
      'execution-1/TASK-002/codex',
    ]);
    expect(textOf(screen(120, 40, execution))).not.toContain('listTodos prints JSON');
    const chosen = screen(120, 40, execution, 'execution-1/TASK-001/codex');
    expect(textOf(chosen)).toContain('✓ answered in 9.0 s: listTodos prints');
  });

  test('a task is checked after its agent, and works again when it fixes what failed', () => {
    const { step, ...who } = worker('TASK-002', 'codex', 'work');
    const facts = { ...who, kind: 'model', model: null } as const;
    const done = { ...facts, duration_ms: 1, tokens: null, cost_usd: null, summary: 'done' };
    const checking = after({ type: 'agent.answered', step, ...done });
    expect(tasksIn(checking)[2]).toMatch(/checking$/);
    const failing = [
      { type: 'agent.answered', step, ...done } as const,
      check('TASK-002', 'after', false, { note: '1 test of 2 failed' }),
      { type: 'agent.started', ...facts, step: step.replace('work', 'fix-1') } as const,
    ];
    const fixing = after(...failing);
    expect(tasksIn(fixing)[2]).toMatch(/✗✓ → ✗ {2}codex {2}running$/);
    const fixed = after(...failing, check('TASK-002', 'after', true), finished('TASK-002'));
    expect(tasksIn(fixed)[2]).toMatch(/✗✓ → ✓ {2}codex {2}completed$/);
    expect(textOf(screen(120, 40, fixing))).toContain('— asked again: its checks failed —');
  });

  test('whoever takes the place of an agent that failed in one of its tasks takes it in that one', () => {
    const { step, ...who } = worker('TASK-003', 'codex');
    const replaced = after(
      {
        type: 'agent.failed',
        step,
        ...who,
        kind: 'model',
        model: null,
        duration_ms: 1,
        tokens: null,
        cost_usd: null,
        category: 'rate-limited',
        reason: 'HTTP 429',
      },
      {
        type: 'agent.replaced',
        seat: 'codex',
        agent: 'claude',
        instead_of: 'codex',
        reason: 'HTTP 429',
      },
      { type: 'agent.started', ...worker('TASK-003', 'claude'), kind: 'model', model: null },
    );
    const panes = panesNow(replaced).map(({ key, state }) => [key, state]);
    expect(panes).toContainEqual(['execution-1/TASK-003/claude', 'running']);
    expect(panes).toContainEqual(['execution-1/TASK-002/codex', 'running']);
    expect(tasksIn(replaced)[1]).toMatch(/TASK-003 .* claude {2}running$/);
  });

  test('what failed, what it blocks, and why stay in sight', () => {
    const failed = after(
      finished('TASK-002', { status: 'failed', why: 'node --test failed twice' }),
      { type: 'task.blocked', task: 'TASK-004', by: 'TASK-002' },
    );
    expect(tasksIn(failed).slice(2)).toEqual([
      expect.stringMatching(/✗ .*TASK-002 .* failed$/),
      expect.stringMatching(/○ .*TASK-004 .* blocked$/),
    ]);
    expect(textOf(screen(80, 24, failed))).toMatch(
      /1 of 4 tasks completed[^]*✗ TASK-002 failed, 1 file changed[^]*! TASK-004 blocked: it needs TASK-002/,
    );
  });

  test('a task opens with its checks and what it has changed so far', () => {
    const text = sheet('task', execution, 1);
    expect(text).toMatchInlineSnapshot(`
      "TASK-003  Choose the format in the command line
      ● running · codex

      Checks before the work
        ✗ node --test

      Changes
        diff --git a/src/cli.js b/src/cli.js
        @@ -4,3 +4,4 @@
         const args = process.argv.slice(2);
        -run(args);
        +const format = args.includes('--json') ? json : text;
        +run(args, format);"
    `);
  });

  test('a plan of more tasks than there is room for shows those around the chosen one', () => {
    const tasks = Array.from({ length: 60 }, (_, n) => ({
      id: `TASK-${String(n + 1).padStart(3, '0')}`,
      title: `Task ${n + 1}`,
      depends_on: [],
      executor: 'codex',
      reason: '',
    }));
    const many = foldAll(
      [
        { type: 'execution.started', number: 1, commit: 'c', jobs: 2, tasks } as const,
        ...begun('TASK-040', 'codex'),
      ].map((event) => at(60, event)),
      foldAll(executionStory.slice(0, 2)),
    );
    const drawn = screen(80, 24, many);
    expect(drawn.length).toBeLessThanOrEqual(22);
    expect(textOf(drawn)).toMatch(/▸● +TASK-040 .*running[^]*● TASK-040 codex/);
  });
});
