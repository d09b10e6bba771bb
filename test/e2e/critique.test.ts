import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { mkdirSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type Rig, program } from '../helpers/rig.ts';
import { todoRig } from '../helpers/test-rig.ts';
import { configureVendors, witnessed } from '../helpers/vendors.ts';

const critique = async (rig: Rig, plan: string) => {
  rig.write('plan.md', plan);
  const { stdout, code } = await rig.conclave('critique', '--fast', '--json', 'plan.md');
  const { verdict, places } = JSON.parse(stdout);
  const found: readonly Record<string, string>[] = places;
  return { code, verdict, places: found.map(({ text, status }) => `${status} ${text}`), found };
};

/** Gives a host’s JSON to the hook, in a project. */
async function hook(rig: Rig, said: object, environment: NodeJS.ProcessEnv = {}) {
  const env = { ...rig.environment, ...environment };
  const child = spawn(process.execPath, [program, 'critique', '--hook'], { env, cwd: rig.home });
  child.stdin.end(JSON.stringify({ cwd: rig.repo, session_id: 's1', ...said }));
  let text = '';
  for await (const part of child.stdout.setEncoding('utf8')) text += String(part);
  return { text, answer: text === '' ? null : JSON.parse(text) };
}

test('places of a plan are there, new or wrong, and a wrong one ends with 4', async () => {
  const plan = `# Plan
1. Change \`src/commands/list.js:2\` and \`src/commands/list.js:900\`.
2. Create \`src/format/json.js\` with \`printJson()\`.
3. Fix \`lib/store/cache.js\`, see src/store.ts:3.
`;
  const rig = await todoRig();
  const { code, verdict, places, found } = await critique(rig, plan);
  expect(places).toEqual([
    'there src/commands/list.js:2',
    'wrong src/commands/list.js:900',
    'new src/format/json.js',
    'new printJson',
    'wrong src/store.ts:3',
    'wrong lib/store/cache.js',
  ]);
  expect(found[1]?.['why']).toMatch(/that file ends with line \d+/);
  expect({ code, verdict }).toEqual({ code: 4, verdict: 'revise' });
});

test('a name that stands elsewhere is told, and is no objection', async () => {
  const rig = await todoRig();
  const { code, found } = await critique(rig, 'In `package.json` look at `listTodos()`.\n');
  const [, name] = found;
  expect(name).toMatchObject({ text: 'listTodos', status: 'elsewhere' });
  expect(name?.['why']).toContain('src/commands/list.js');
  expect(code).toBe(0);
});

test('what a code block, an address or a version names is no place', async () => {
  const rig = await todoRig();
  const plan =
    'See https://example.com/a/b.ts:3, v1.2.3, 10:30 and e.g. this.\n```js\nlib/none.js:4\n```\n';
  expect((await critique(rig, plan)).places).toEqual([]);
});

test('people see the wrong places first, and how many are there', async () => {
  const rig = await todoRig();
  rig.write('plan.md', 'Edit `src/commands/list.js` and `src/nothing/at.js`.\n');
  const { stdout } = await rig.conclave('critique', '--fast', 'plan.md');
  expect(stdout).toContain('✗ wrong');
  expect(stdout).toContain('2 places checked: 1 there, 1 wrong.');
});

test.each([
  ['an empty file', '', 'is empty'],
  ['a missing one', null, 'There is no file plan.md.'],
])('%s is refused in one sentence', async (_, plan, sentence) => {
  const rig = await todoRig();
  if (plan !== null) rig.write('plan.md', plan);
  const { stderr, code } = await rig.conclave('critique', '--fast', 'plan.md');
  expect(stderr).toContain(sentence);
  expect(code).toBe(2);
});

const wrong = 'Change `src/nothing/at.js:4`.';
const right = 'Change `src/commands/list.js:2`.';
const claude = (plan: string) => ({
  hook_event_name: 'PreToolUse',
  tool_name: 'ExitPlanMode',
  tool_input: { plan },
});

test('claude’s plan with a wrong place is denied once, and a right one leaves the dialog to the person', async () => {
  const rig = await todoRig();
  const { answer } = await hook(rig, claude(wrong));
  expect(answer.hookSpecificOutput).toMatchObject({ permissionDecision: 'deny' });
  expect(answer.hookSpecificOutput.permissionDecisionReason).toContain('src/nothing/at.js:4');
  expect((await hook(rig, claude(wrong))).text).toBe('');
  expect((await hook(rig, claude(right))).text).toBe('');
});

test.each([
  [
    'claude without a terminal',
    { hook_event_name: 'Stop', permission_mode: 'plan', last_assistant_message: wrong },
  ],
  [
    'codex in exec',
    {
      hook_event_name: 'Stop',
      turn_id: 't1',
      last_assistant_message: `<proposed_plan>${wrong}</proposed_plan>`,
    },
  ],
])('%s is sent on with the reason', async (_, said) => {
  const { answer } = await hook(await todoRig(), said);
  expect(answer).toMatchObject({ decision: 'block' });
  expect(answer.reason).toContain('src/nothing/at.js:4');
});

test('codex’s plan mode is read from its own record of the turn, and gemini’s plan from its file', async () => {
  const rig = await todoRig();
  const transcript = join(rig.home, 'rollout.jsonl');
  const item = { type: 'Plan', text: wrong };
  writeFileSync(transcript, `${JSON.stringify({ payload: { turn_id: 't1', item } })}\n`);
  const codex = { hook_event_name: 'Stop', turn_id: 't1', last_assistant_message: null };
  expect((await hook(rig, { ...codex, transcript_path: transcript })).answer.decision).toBe(
    'block',
  );
  const file = join(rig.home, 'plan.md');
  writeFileSync(file, wrong);
  const gemini = { hook_event_name: 'BeforeTool', tool_name: 'exit_plan_mode' };
  const said = { ...gemini, tool_input: { plan_path: file }, session_id: 's2' };
  expect((await hook(rig, said)).answer).toMatchObject({ decision: 'deny' });
});

test('gemini names its plan only, which lies beside the record of the session', async () => {
  const rig = await todoRig();
  const plans = join(rig.home, 'tmp/repo/s3/plans');
  mkdirSync(plans, { recursive: true });
  writeFileSync(join(plans, 'p.md'), wrong);
  const said = {
    hook_event_name: 'BeforeTool',
    tool_name: 'exit_plan_mode',
    session_id: 's3',
    transcript_path: join(rig.home, 'tmp/repo/chats/session-1.jsonl'),
    tool_input: { plan_filename: 'p.md' },
  };
  expect((await hook(rig, said)).answer).toMatchObject({ decision: 'deny' });
});

test.each([
  [
    'a turn without a plan',
    { hook_event_name: 'Stop', turn_id: 't1', last_assistant_message: 'Done.' },
    {},
  ],
  ['no JSON of a host', { hello: 1 }, {}],
  [
    'our own agents',
    { hook_event_name: 'Stop', permission_mode: 'plan', last_assistant_message: wrong },
    { CONCLAVE_RUN: 'x' },
  ],
  [
    'a gate that is switched off',
    { hook_event_name: 'Stop', permission_mode: 'plan', last_assistant_message: wrong },
    { CONCLAVE_CRITIQUE: 'off' },
  ],
])('%s passes at once', async (_, said, environment) => {
  expect((await hook(await todoRig(), said, environment)).answer).toEqual({});
});

test('a fault of ours lets the plan pass and says so', async () => {
  const rig = await todoRig();
  writeFileSync(join(rig.home, 'data-file'), '');
  const environment = { XDG_DATA_HOME: join(rig.home, 'data-file') };
  const { answer } = await hook(rig, claude(wrong), environment);
  expect(answer.systemMessage).toContain('Conclave could not check the plan');
});

test('with hook = "full", other vendors than the author’s examine a plan, and the same plan passes then', async () => {
  const rig = await todoRig();
  const evidence = [
    {
      statement: 'The command hands over the rest of its arguments.',
      path: 'src/cli.js',
      line: 6,
      quote: "if (command === 'list') listTodos(args);",
    },
  ];
  const reasons = ['The flag is cut off before (src/cli.js:6).'];
  const stances = [{ solution: 'A', stance: 'oppose', reasons, evidence }];
  const answer = { stances, revision: null, search_terms: [], questions: [] };
  const vendor = { examine: { answer } };
  configureVendors(rig, { alpha: vendor, beta: vendor });
  const known = rig.configured().replace('"vendor-alpha"', '"anthropic"');
  rig.config(`${known}\n[critique]\nhook = "full"\n`);
  const { answer: denial } = await hook(rig, claude(right));
  const { permissionDecision, permissionDecisionReason } = denial.hookSpecificOutput;
  expect(permissionDecision).toBe('deny');
  expect(permissionDecisionReason).toContain('✗ beta: The flag is cut off before (src/cli.js:6).');
  expect(witnessed(rig, 'alpha')).toEqual([]);
  expect((await hook(rig, claude(right))).text).toBe('');
});
