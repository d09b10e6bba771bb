import { describe, expect, test } from 'vitest';
import { plainText, widthOf } from '../../../../src/faces/tui/rows.ts';
import {
  answerOf,
  choiceRows,
  lineBeside,
  picked,
  startingExecute,
  workRows,
} from '../../../../src/faces/tui/screens/execute/page.ts';
import type { ExecuteQuestion } from '../../../../src/workflow/view.ts';

const id = 'MCP-add-a-json-flag-to-the-list-command-so-t-2026-11-21-aaaa';
const question: ExecuteQuestion = {
  number: 1,
  tasks: [
    { id: 'TASK-001', title: 'Print JSON from listTodos' },
    { id: 'TASK-002', title: 'Test the JSON output' },
  ],
  preset: { execution_method: 'Auto', code_review_tool: 'Skip' },
  commands: ['node --test', 'npm run lint'],
  obstacle: null,
  byHand: `codex "Carry out the plan in .workflow/.multi-cli-plan/${id}/plan.md, task by task"`,
};
/** It was approved in an earlier run. */
const saved = { isApprovedNow: false };
const command = `conclave execute ${id}`;

function screen(
  of: ExecuteQuestion,
  { width = 80, state = startingExecute(of, saved) } = {},
): readonly string[] {
  const rows = [...choiceRows({ question: of, state, command, width }), [], ...workRows(of, width)];
  expect(Math.max(...rows.map(widthOf))).toBeLessThanOrEqual(width);
  return rows.map(plainText);
}

test('what the decision said is proposed, with what would be done', () => {
  expect(screen(question).join('\n')).toMatchInlineSnapshot(`
    "The plan is approved. Carry it out now?

    ▸ 1 Now     tasks by   ‹ Auto ›          simple tasks: default agent, else Codex
                review by    Skip            nobody reviews the changes
      2 Later   the plan stays approved

    Each task has a work tree of its own. Yours stays as it is until you apply the
    result.
      TASK-001  Print JSON from listTodos
      TASK-002  Test the JSON output

    A model chose these commands. Checks run them in the work trees of the tasks,
    without a shell.
      node --test
      npm run lint"
  `);
});

describe('the answer', () => {
  const start = startingExecute(question, saved);

  test('is the one of the line, whose agent goes round and round', () => {
    expect(answerOf(start)).toMatchObject({ kind: 'now', execution_method: 'Auto' });
    const other = picked(lineBeside(picked(start, 1), 1), -1);
    expect(answerOf(other)).toEqual({
      kind: 'now',
      execution_method: 'Agent',
      code_review_tool: 'Agent Review',
      by: 'user',
    });
    const later = lineBeside(lineBeside(other, 1), 1);
    expect(answerOf(picked(later, 1))).toEqual({ kind: 'later' });
  });

  test('is later where Enter is pressed once more right after the approval', () => {
    const now = startingExecute(question, { isApprovedNow: true });
    expect(answerOf(now)).toEqual({ kind: 'later' });
  });

  test('later is told with its commands, whole', () => {
    const state = lineBeside(lineBeside(start, 1), 1);
    const lines = screen(question, { state });
    expect(lines.join('').replaceAll(/ {2,}/g, ' ')).toContain(`conclave execute ${id}`);
    expect(lines.join('').replaceAll(/ {2,}/g, '')).toContain(`${id}/plan.md, task by task"`);
  });

  test('is later alone where something is in the way, which is told', () => {
    const refused = { ...question, obstacle: 'src/cli.js has changed since the plan was made.' };
    const state = startingExecute(refused, saved);
    expect(answerOf(state)).toEqual({ kind: 'later' });
    const lines = screen(refused, { state });
    expect(lines.slice(0, 2)).toEqual([
      'The plan is approved. It cannot be carried out now.',
      'src/cli.js has changed since the plan was made.',
    ]);
    expect(lines.join('\n')).not.toContain('tasks by');
  });
});

test('every command of the checks can be read, however long it is', () => {
  const long = `node --test ${'test/some-file.test.js '.repeat(20)}--last`;
  const rows = workRows({ ...question, commands: [long] }, 40);
  expect(Math.max(...rows.map(widthOf))).toBeLessThanOrEqual(40);
  const text = rows.map(plainText).join(' ');
  expect(text.match(/some-file/g)).toHaveLength(20);
  expect(text).toContain('--last');
});
