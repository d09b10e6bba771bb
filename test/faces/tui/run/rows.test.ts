import { describe, expect, test } from 'vitest';
import { headerRows } from '../../../../src/faces/tui/frame.tsx';
import { type Row, plainText, widthOf } from '../../../../src/faces/tui/screen-rows.ts';
import { runPage } from '../../../../src/faces/tui/screens/run/run-rows.ts';
import {
  currentPane,
  panesNow,
  startingRun,
  type Sheet,
} from '../../../../src/faces/tui/screens/run/run-state.ts';
import { splitFields } from '../../../../src/faces/tui/screens/run/run-rows.ts';
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
const spent = {
  agent_runs: 5,
  input_tokens: 38_000,
  output_tokens: 2_800,
  cost_usd: 0.77,
  agents_ms: 84_000,
  since_start_ms: 52_000,
  waiting_ms: 21_000,
};
const progress = foldAll([...story, at(51, { type: 'usage.counted', spent })]);
const execution = foldAll(executionStory);
function screen(width: number, rows: number, of = progress, chosen: string | null = null) {
  const shown = {
    progress: of,
    clocks: { sinceStart: 52_000, waiting: 21_000, at: null },
    now: nowIn(of),
    width,
  };
  const state = { ...startingRun, chosen };
  return [...headerRows(shown), ...runPage({ ...shown, state, height: rows - 5 }).rows];
}

function sheet(name: Sheet, of = progress, pane = 0) {
  const chosen = panesNow(of)[pane]?.key ?? null;
  const state = { ...startingRun, sheet: name, chosen };
  const page = runPage({ progress: of, state, now: nowIn(of), width: 80, height: 60 });
  return textOf(page.rows).trimEnd();
}

describe('the run screen', () => {
  test('at 80 × 24', async () => {
    const golden = new URL('../../../golden/screens/run-rows-80x24.txt', import.meta.url);
    await expect(`${textOf(screen(80, 24))}\n`).toMatchFileSnapshot(golden.pathname);
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
    expect(currentPane(panes, null)?.agent).toBe('alpha');
    expect(currentPane(panes, 'round-2/gamma')?.agent).toBe('gamma');
    expect(currentPane(panes, 'round-1/gone')?.agent).toBe('alpha');
  });

  test('control sequences of an agent never reach a row', () => {
    const hostile = '\u001b[2J\u001b]0;owned\u0007\u202eevil\r';
    const attacked = foldAll(
      [
        acted('alpha', { type: 'message', content: `a\u001b`, partial: true }, { round: 2 }),
        acted('alpha', { type: 'message', content: '[2Jb', partial: true }, { round: 2 }),
        acted('alpha', { type: 'file_read', path: hostile }, { round: 2 }),
        { type: 'warning.raised' as const, text: hostile },
      ].map((event) => at(53, event)),
      progress,
    );
    const drawn =
      textOf(screen(120, 30, attacked)) + sheet('notes', attacked) + sheet('agent', attacked);
    expect(drawn).toContain('evil');
    expect(cleanText(drawn)).toBe(drawn);
  });
});

test('a zoomed agent is followed until it is scrolled, other pages begin at their top', () => {
  const size = { width: 80, height: 5 };
  const opened = (name: Sheet, top: number | null) =>
    runPage({ progress, state: { ...startingRun, sheet: name, top }, now, ...size });
  const { most, first } = opened('agent', null);
  expect([first, opened('agent', 1).first, opened('notes', null).first]).toEqual([most, 1, 0]);
});

test('all that happened can be read: what a round brought, and what went wrong', () => {
  const second = roundFinished(2, {
    score: 0.8,
    recommendation: 'converged',
    new_solutions: ['A plugin'],
    revised_solutions: ['Branch in listTodos'],
    dropped_solutions: ['A formatter module'],
    disagreed: [],
  });
  const rounds = foldAll([at(59, answered('beta', { round: 2 })), at(60, second)], progress);
  expect(sheet('notes', rounds)).toMatchInlineSnapshot(`
    "What has happened so far

    files, best first
      src/commands/list.js:1-20
      src/store.js:1-9

    session
      • session: MCP-json
      • task: Add a --json flag to listTodos
      • context: 2 files by ripgrep

    round 1
      • discussion: round 1 of at most 3: alpha, beta, gamma
      • alpha answered in 42 s, 12000 + 900 tokens: Branch in listTodos; A formatter
      module
      • beta answered in 42 s, 12000 + 900 tokens: Branch in listTodos; A formatter
      module
      • gamma answered in 42 s, 12000 + 900 tokens: Branch in listTodos; A formatter
      module
      • round 1: score 0.50, no agreement yet, 2 solutions, 1 agreement, 1
      disagreement, 1 reference failed the check
          agreed: The flag is read in listTodos
          disagreed: Where the formatter lives

    round 2
      • discussion: round 2 of at most 3: alpha, beta, gamma
      ✗ gamma failed after 3.1 s (rate-limited): HTTP 429 Too Many Requests
      ! gamma tries again in 12 s: HTTP 429 Too Many Requests
      • beta answered in 42 s, 12000 + 900 tokens: Branch in listTodos; A formatter
      module
      • round 2: score 0.80, agreement reached, 2 solutions, 1 agreement, 1
      disagreement, 1 reference failed the check
          score: +0.30 since the round before
          agreed: The flag is read in listTodos
          new: A plugin
          revised: Branch in listTodos
          dropped: A formatter module"
  `);
});

const listed = (of: Progress) => sheet('notes', of).match(/src\S+/g);

test('all files that were found are listed', () => {
  const files = Array.from({ length: 12 }, (_, index) => `src/file-${index}.ts:1-9`);
  const found = { provider: 'ripgrep', degraded: false, files, reason: null };
  const gathered = foldAll([at(1, { type: 'context.gathered', ...found })]);
  expect(listed(gathered)).toEqual(files);
});

test('the fields of an answer begin lines of their own', () => {
  const text = JSON.stringify({ session: 'MCP-x', solutions: [{ name: 'A', pros: ['Small'] }] });
  expect(splitFields(text).split('\n')).toEqual(['solutions: ', 'name: "A"', 'pros: ["Small"]}]}']);
  expect(splitFields('const { name } = plan;')).toBe('const { name } = plan;');
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

  test('where there is little room, a task is named before what it is at', () => {
    const rows = screen(40, 10, execution).map(plainText);
    expect(rows.filter((line) => /TASK-00\d .*(?:running|waiting)/.test(line))).not.toEqual([]);
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
    expect(tasksIn(fixing)[2]).toMatch(/0 of 2 checks {2}codex {2}running$/);
    const fixed = after(...failing, check('TASK-002', 'after', true), finished('TASK-002'));
    expect(tasksIn(fixed)[2]).toMatch(/1 of 2 checks {2}codex {2}completed$/);
    const counts = { tests: { passed: 12, failed: 2 } };
    const tested = after(...failing, check('TASK-002', 'after', false, counts));
    expect(tasksIn(tested)[2]).toMatch(/12 of 14 tests {2}codex/);
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
        src/cli.js  +2 −1
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
    expect(textOf(drawn)).toMatch(/▸ ● TASK-040 .*running[^]*● TASK-040 codex/);
  });
});
