import { expect, test } from 'vitest';
import { linesView } from '../../../src/faces/lines/lines-view.ts';
import { CodeReview, ExecutionResult } from '../../../src/model/execution.ts';
import type { ExecuteQuestion } from '../../../src/workflow/view-port.ts';
import { samplesOf } from '../../helpers/samples.ts';
import { at, story } from '../tui/progress/story.ts';

const { signal } = new AbortController();
const question: ExecuteQuestion = {
  number: 1,
  tasks: [{ id: 'TASK-001', title: 'Print JSON' }],
  preset: { execution_method: 'Codex', code_review_tool: 'Skip' },
  who: {
    executors: [
      { name: 'claude', reviewer: 'codex' },
      { name: 'codex', reviewer: 'claude' },
    ],
    reviewers: ['claude', 'codex'],
  },
  files: ['src/list.js', 'test/list.test.js'],
  setup: ['npm', 'ci'],
  commands: ['node --test'],
  obstacle: null,
  limits: ['Checks and the set-up run in bubblewrap.'],
  byHand: 'codex "Carry out the plan"',
};

/** The question as it is put to a face. */
const put = (asks: ExecuteQuestion) => ({ ...asks, lookUp: () => Promise.resolve(asks) });

/** The face where these lines are typed, and all that it has written. */
function typing(...typed: readonly string[]) {
  const answers = [...typed];
  let told = '';
  const write = (text: string) => (told += text);
  const view = linesView(
    { write },
    {
      ask(prompt) {
        const answer = answers.shift() ?? '';
        write(`${prompt}${answer}\n`);
        return Promise.resolve(answer);
      },
    },
  );
  const approved = at(1, { type: 'plan.approved', hash: 'a', by: 'user' });
  for (const event of [...story.slice(0, 1), approved]) view.show(event);
  told = '';
  return { view, told: () => told };
}

test('Enter leaves an approved plan for later; nothing typed ahead carries it out', async () => {
  const { view, told } = typing('');
  expect(await view.execute(put(question), signal)).toEqual({ kind: 'later' });
  expect(told()).toMatchInlineSnapshot(`
    "
    The plan is approved. Carry it out now?
      later: the plan stays approved
        Later: conclave execute MCP-json
        By hand: codex "Carry out the plan"
      now: Each task has a work tree of its own, and its checks run there, without a shell. Yours stays as it is until you apply the result.
        tasks   TASK-001 Print JSON
        files   2: src/list.js, test/list.test.js
        set-up  npm ci
        checks  node --test
        limits  Checks and the set-up run in bubblewrap.
    Execute [later]: 
    "
  `);
});

test('now asks by whom, with what the decision said first', async () => {
  const { view, told } = typing('NOW', '', '2');
  expect(await view.execute(put(question), signal)).toEqual({
    kind: 'now',
    execution_method: 'Codex',
    code_review_tool: 'Agent Review',
    by: 'user',
  });
  expect(told()).toMatch(
    /Who should carry it out\?[^]*Number \[3\]: \n[^]*2\. claude, when the tasks are done\n[^]*Number \[1\]: 2/,
  );
});

test('Enter takes a reviewer of another vendor where nobody has said who it is', async () => {
  const executors = [{ name: 'codex', reviewer: 'claude', isProposed: true }];
  const open = { ...question.preset, code_review_tool: null };
  const asked = { ...question, preset: open, who: { executors, reviewers: ['claude'] } };
  expect(await typing('now', '', '').view.execute(put(asked), signal)).toMatchObject({
    code_review_tool: 'Agent Review',
  });
});

test('a set-up that was found is taken where that is typed, and not by Enter', async () => {
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
  const { view, told } = typing('now', '', '', 'yes');
  expect(await view.execute(put(found), signal)).toMatchObject({
    kind: 'now',
    setup: ['npm', 'ci'],
  });
  expect(told()).toContain('package-lock.json proposes a set-up');
  expect(await typing('now', '', '', '').view.execute(put(found), signal)).not.toHaveProperty(
    'setup',
  );
});

test('what is in the way is told, and nothing is asked', async () => {
  const { view, told } = typing();
  const refused = { ...question, obstacle: 'src/cli.js has changed.' };
  expect(await view.execute(put(refused), signal)).toEqual({ kind: 'later' });
  expect(told()).toContain('The plan cannot be carried out now: src/cli.js has changed.');
  expect(told()).not.toContain('Execute [');
});

const readChanges = () => Promise.resolve('');
const lookUp = () => Promise.resolve({});

test('the result is told with its review, and brought home where that is typed', async () => {
  const result = ExecutionResult.parse(samplesOf('execution-result').good.at(0));
  const review = CodeReview.parse(samplesOf('code-review').good.at(0));
  const { view, told } = typing('now');
  expect(await view.apply({ result, review, readChanges, lookUp }, signal)).toBe(true);
  expect(told()).toMatchInlineSnapshot(`
    "
    The result is on branch \`conclave/MCP-add-health-endpoint-2026-11-21-a1b2\`.
    Tasks: 1 of 2 tasks completed, 1 blocked, reviewed by nobody:
      - completed, TASK-001: Add the endpoint · 1 file · 1 check passed
      - blocked, TASK-002: Add the endpoint · 0 files
        - it needs TASK-001
    What else to know:
      - TASK-002 conflicted in src/a.ts
    Code review by gemini:
      Reviewed by: gemini (gemini-3-pro)
      Commit: dddddddddddd
      One thing blocks.
      Findings:
        - blocking, src/health.ts:3 return 200; The status is never 503.
          - Suggestion: Ask the database first.
      1 criterion judged

    Apply the result now?
      later: leave it on its own branch for now
        Branch: conclave/MCP-add-health-endpoint-2026-11-21-a1b2
        Later: conclave execute MCP-json --apply
        Or: conclave execute MCP-json --discard
      now: merge its branch into the branch that is checked out
    Apply [later]: now
    "
  `);
  expect(await typing('').view.apply({ result, review: null, readChanges, lookUp }, signal)).toBe(
    false,
  );
});
