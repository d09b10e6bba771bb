import { describe, expect, test } from 'vitest';
import { headerRows } from '../../../../src/faces/tui/frame.tsx';
import { type Row, plainText } from '../../../../src/faces/tui/rows.ts';
import { runRows } from '../../../../src/faces/tui/screens/run/rows.ts';
import { sheetRows } from '../../../../src/faces/tui/screens/run/sheets.ts';
import {
  panesNow,
  startingRun,
  type RunState,
} from '../../../../src/faces/tui/screens/run/state.ts';
import type { SessionEvent } from '../../../../src/model/event.ts';
import { begun, check, executionStory, finished, worker } from '../progress/execution-story.ts';
import { at, foldAll, start } from '../progress/story.ts';

const textOf = (rows: readonly Row[]) => rows.map(plainText).join('\n');
const progress = foldAll(executionStory);
const now = start + 72_000;
const after = (...events: readonly SessionEvent[]) =>
  foldAll(
    events.map((event) => at(70, event)),
    progress,
  );

function screen(width: number, rows: number, { of = progress, ...state }: Shown = {}) {
  const shown = { progress: of, now, width };
  const body = runRows({ ...shown, state: { ...startingRun, ...state }, height: rows - 5 });
  return [...headerRows(shown), ...body];
}

type Shown = Partial<RunState> & { readonly of?: typeof progress };

/** The rows of the tasks, without what stands between. */
const tasksIn = (of: typeof progress) =>
  screen(120, 40, { of })
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
    await expect(`${textOf(screen(width, rows))}\n`).toMatchFileSnapshot(golden.pathname);
  });

  test('two tasks of one agent have a pane each', () => {
    expect(panesNow(progress).map(({ key }) => key)).toEqual([
      'execution-1/TASK-001/codex',
      'execution-1/TASK-003/codex',
      'execution-1/TASK-002/codex',
    ]);
    expect(textOf(screen(120, 40))).not.toContain('listTodos prints JSON');
    const chosen = screen(120, 40, { chosen: 'execution-1/TASK-001/codex' });
    expect(textOf(chosen)).toContain('✓ answered in 9.0 s: listTodos prints');
  });

  test('a task is checked after its agent, and works again when it fixes what failed', () => {
    const { step, ...who } = worker('TASK-002', 'codex', 'work');
    const facts = { ...who, kind: 'model', model: null } as const;
    const answered = { ...facts, duration_ms: 1, tokens: null, cost_usd: null, summary: 'done' };
    const checking = after({ type: 'agent.answered', step, ...answered });
    expect(tasksIn(checking)[2]).toMatch(/checking$/);
    const failing = [
      { type: 'agent.answered', step, ...answered } as const,
      check('TASK-002', 'after', false, { note: '1 test of 2 failed' }),
      { type: 'agent.started', ...facts, step: step.replace('work', 'fix-1') } as const,
    ];
    const fixing = after(...failing);
    expect(tasksIn(fixing)[2]).toMatch(/✗✓ → ✗ {2}codex {2}running$/);
    const fixed = after(...failing, check('TASK-002', 'after', true), finished('TASK-002'));
    expect(tasksIn(fixed)[2]).toMatch(/✗✓ → ✓ {2}codex {2}completed$/);
    expect(textOf(screen(120, 40, { of: fixing }))).toContain('— asked again: its checks failed —');
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
    expect(textOf(screen(80, 24, { of: failed }))).toMatch(
      /1 of 4 tasks completed[^]*✗ TASK-002 failed, 1 file changed[^]*! TASK-004 blocked: it needs TASK-002/,
    );
  });

  test('a task opens with its checks and what it has changed so far', () => {
    const text = textOf(
      sheetRows({ sheet: 'task', progress, chosen: panesNow(progress)[1] ?? null, now, width: 80 })
        .body,
    );
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
    const drawn = screen(80, 24, { of: many });
    expect(drawn.length).toBeLessThanOrEqual(22);
    expect(textOf(drawn)).toMatch(/▸● +TASK-040 .*running[^]*● TASK-040 codex/);
  });
});
