import { expect, test } from 'vitest';
import { headlessShow } from '../../src/faces/headless.ts';
import type { SessionEvent } from '../../src/model/event.ts';
import { check, executionStory, finished } from './tui/progress/execution-story.ts';
import { at } from './tui/progress/story.ts';

const rest: readonly SessionEvent[] = [
  check('TASK-002', 'after', null, { check: 'The list reads well', note: 'for a person to see' }),
  finished('TASK-002', {
    status: 'failed',
    why: 'node --test failed after two rounds of fixes',
    out_of_scope: ['package.json'],
  }),
  { type: 'task.blocked', task: 'TASK-004', by: 'TASK-002' },
  { type: 'merge.conflicted', task: 'TASK-003', files: ['src/cli.js'], resolved: true },
  finished('TASK-003', { status: 'unproven', why: 'no check failed before' }),
  {
    type: 'execution.finished',
    number: 1,
    branch: 'conclave/MCP-json',
    completed: 1,
    unproven: 1,
    failed: 1,
    blocked: 1,
  },
  {
    type: 'review.finished',
    reviewer: 'gemini',
    blocking: 1,
    findings: ['blocking, src/cli.js:7: the flag is read twice'],
    file: '.workflow/MCP-json/code-review.md',
  },
];

test('an execution is told task by task, in lines that can be read in a log', () => {
  let told = '';
  const show = headlessShow({ write: (text) => (told += text), label: (text) => text });
  for (const event of [...executionStory.slice(1), ...rest.map((one) => at(80, one))]) show(event);
  expect(told).toMatchInlineSnapshot(`
    "execution    4 tasks, 2 at a time
                 TASK-001 Print JSON from listTodos (codex)
                 TASK-002 Test the JSON output (codex)
                 TASK-003 Choose the format in the command line (codex)
                 TASK-004 Say so in the README (codex)
      TASK-001   given to codex
      TASK-001   ✗ node --test, before the work
      TASK-001   codex: asked (default model)
      TASK-001   codex: answered in 9.0 s, 12000 + 900 tokens: listTodos prints JSON
      TASK-001   ✓ node --test, after the work
      TASK-001   completed, 1 file changed, commit aaaaaaaaaa
      TASK-003   given to codex
      TASK-003   ✗ node --test, before the work
      TASK-003   codex: asked (default model)
      TASK-002   given to codex
      TASK-002   ✗ node --test, before the work
      TASK-002   codex: asked (default model)
      TASK-002   ✓ node --check src/cli.js, before the work
      TASK-002   · The list reads well, after the work (not run): for a person to see
      TASK-002   failed, 1 file changed, commit aaaaaaaaaa: node --test failed after two rounds of fixes; it also changed package.json
      TASK-004   blocked: it needs TASK-002
      TASK-003   conflict in src/cli.js: resolved by the agent
      TASK-003   unproven, 1 file changed, commit aaaaaaaaaa: no check failed before
    execution    1 of 4 tasks completed, 1 unproven, 1 failed, 1 blocked; the result is on branch conclave/MCP-json
    code review  1 finding by gemini, 1 blocking
                 blocking, src/cli.js:7: the flag is read twice
    "
  `);
});
