import { expect, test } from 'vitest';
import { plainText, widthOf } from '../../../src/faces/tui/rows.ts';
import { executeChoices, workRows } from '../../../src/faces/tui/screens/execute.tsx';
import type { ExecuteAnswer } from '../../../src/model/execution.ts';
import type { ExecuteQuestion } from '../../../src/workflow/view.ts';

const question: ExecuteQuestion = {
  number: 1,
  tasks: [
    { id: 'TASK-001', title: 'Print JSON from listTodos' },
    { id: 'TASK-002', title: 'Test the JSON output' },
  ],
  preset: { execution_method: 'Auto', code_review_tool: 'Skip' },
  commands: ['node --test', 'npm run lint'],
  obstacle: null,
  byHand: null,
};
/** What is answered where the first choice is taken, then these entries of what it asks. */
function answered(of: ExecuteQuestion, ...entries: readonly number[]): ExecuteAnswer | undefined {
  let given: ExecuteAnswer | undefined;
  const [choice] = executeChoices(of, (answer) => (given = answer));
  const rest = [...entries];
  choice?.run((popup) => {
    const at = rest.shift() ?? popup.at ?? 0;
    for (const { run } of popup.keys({ ...popup, at })) run();
  });
  return given;
}

test('who carries a plan out and who reviews is asked next, with what the decision said first', () => {
  const now = { kind: 'now', by: 'user' };
  const preset = { execution_method: 'Auto', code_review_tool: 'Skip' };
  expect(answered(question)).toEqual({ ...now, ...preset });
  const others = { execution_method: 'Agent', code_review_tool: 'Agent Review' };
  expect(answered(question, 0, 3)).toEqual({ ...now, ...others });
});

test('a plan that cannot be carried out now is left', () => {
  const refused = { ...question, obstacle: 'src/cli.js has changed.' };
  expect(executeChoices(refused, () => undefined)).toHaveLength(1);
  expect(answered(refused)).toEqual({ kind: 'later' });
});

test('every command of the checks can be read, however long it is', () => {
  const long = `node --test ${'test/some-file.test.js '.repeat(20)}--last`;
  const rows = workRows({ ...question, commands: [long] }, 40);
  expect(Math.max(...rows.map(widthOf))).toBeLessThanOrEqual(40);
  const text = rows.map(plainText).join(' ');
  expect(text.match(/some-file/g)).toHaveLength(20);
  expect(text).toContain('--last');
});
