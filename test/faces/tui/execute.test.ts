import { expect, test } from 'vitest';
import { plainText, widthOf } from '../../../src/faces/tui/screen-rows.ts';
import { executeForm, proposeReview } from '../../../src/faces/execution-forms.ts';
import { fieldKey, offersIn, textRows } from '../../../src/faces/tui/screens/form-screen.tsx';
import type { FormValues } from '../../../src/model/form.ts';
import type { ExecuteAnswer } from '../../../src/model/execution.ts';
import type { ExecuteQuestion } from '../../../src/workflow/view-port.ts';

const preset = { execution_method: 'Auto', code_review_tool: 'Skip' };
const question: ExecuteQuestion = {
  number: 1,
  tasks: [
    { id: 'TASK-001', title: 'Print JSON from listTodos' },
    { id: 'TASK-002', title: 'Test the JSON output' },
  ],
  preset,
  who: {
    executors: [
      { name: 'claude', reviewer: 'codex' },
      { name: 'codex', reviewer: 'claude' },
      { name: 'mine', reviewer: 'claude' },
    ],
    reviewers: ['claude', 'codex', 'grok', 'mine'],
  },
  files: ['src/list.js', 'test/list.test.js'],
  setup: ['npm', 'ci'],
  commands: ['node --test', 'npm run lint'],
  obstacle: null,
  limits: ['Checks and the set-up run in bubblewrap.'],
  byHand: null,
};

const form = (of: ExecuteQuestion) => executeForm(of, { session: 'MCP-json' });

/** What the first choice answers where the keys have changed who does it. */
function answered(of: ExecuteQuestion, keys = ''): ExecuteAnswer | undefined {
  let given: ExecuteAnswer | undefined;
  let values: FormValues = {};
  const asked = form(of);
  for (const name of keys) {
    const bindings = asked.form.fields.map((field) =>
      fieldKey(field, values, (next) => (values = next)),
    );
    bindings.find((one) => one.keys.includes(name))?.run();
  }
  offersIn(asked, values, (answer) => (given = answer))[0]?.run();
  return given;
}

test('a plan is carried out by whom the decision named, or by whom a key has chosen', () => {
  const now = { kind: 'now', by: 'user' };
  expect(answered(question)).toEqual({ ...now, ...preset });
  const others = { execution_method: 'Agent', code_review_tool: 'Agent Review' };
  expect(answered(question, 'tr')).toEqual({ ...now, ...others });
  expect(answered(question, 'tttttrrrrr')).toEqual({ ...now, ...preset });
  const own = { execution_method: 'mine', code_review_tool: 'grok Review' };
  expect(answered(question, 'ttttrrr')).toEqual({ ...now, ...own });
});

test('another vendor that is ready is proposed as reviewer where nobody has said who it is', () => {
  const open = { ...preset, code_review_tool: null };
  const executors = [
    { name: 'claude', reviewer: 'codex', isProposed: true },
    { name: 'codex', reviewer: 'own', isProposed: false },
  ];
  const asked = { preset: open, who: { executors, reviewers: ['claude', 'codex', 'own'] } };
  expect(proposeReview(asked, 'Agent')).toBe('Agent Review');
  expect(proposeReview(asked, 'Codex')).toBe('Skip');
  expect(proposeReview({ ...asked, preset }, 'Agent')).toBe('Skip');
});

test('a plan that cannot be carried out now is left', () => {
  const refused = { ...question, obstacle: 'src/cli.js has changed.' };
  expect(offersIn(form(refused), {}, () => undefined)).toHaveLength(1);
  expect(answered(refused)).toEqual({ kind: 'later' });
});

/** What is read before a plan is carried out. */
function workLines(of: ExecuteQuestion): readonly string[] {
  const choices = form(of).form.fields[0]?.choices ?? [];
  return choices.find(({ value }) => value === 'now')?.lines ?? [];
}

test('every command of the checks can be read, however long it is', () => {
  const long = `node --test ${'test/some-file.test.js '.repeat(20)}--last`;
  const rows = textRows(workLines({ ...question, commands: [long] }), 40);
  expect(Math.max(...rows.map(widthOf))).toBeLessThanOrEqual(40);
  const text = rows.map(plainText).join(' ');
  expect(text.match(/some-file/g)).toHaveLength(20);
  expect(text).toContain('--last');
});

test('the number of files and the set-up that runs stand beside the commands', () => {
  const text = textRows(workLines(question), 80).map(plainText).join('\n');
  expect(text).toContain(
    'files     2: src/list.js, test/list.test.js\nset-up    npm ci\nchecks    node',
  );
});

test('a set-up that was found is taken by a key, and left by the same', () => {
  const found = {
    ...question,
    setUp: {
      argv: ['npm', 'ci'],
      copy: [],
      secrets: [],
      missing: null,
      source: 'package-lock.json',
    },
  };
  expect(answered(found, 's')).toMatchObject({ kind: 'now', setup: ['npm', 'ci'] });
  expect(answered(found, 'ss')).not.toHaveProperty('setup');
  expect(answered(question, 's')).not.toHaveProperty('setup');
});

test('conventional commits that the history has are taken by a key, and left by the same', () => {
  const found = { ...question, commits: { conventional: 18, of: 20 } };
  expect(answered(found, 'm')).toMatchObject({ commit_style: 'conventional' });
  expect(answered(found, 'mm')).not.toHaveProperty('commit_style');
  expect(answered(question, 'm')).not.toHaveProperty('commit_style');
});
