import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { mkdirSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type Rig, program } from '../helpers/rig.ts';
import { short } from '../helpers/short-form.ts';
import { todoRig } from '../helpers/test-rig.ts';
import { configureVendors, type VendorScript } from '../helpers/vendors.ts';

const critique = async (rig: Rig, plan: string) => {
  rig.write('plan.md', plan);
  const { stdout, code } = await rig.conclave('critique', '--fast', '--json', 'plan.md');
  const { verdict, places } = JSON.parse(stdout);
  const found: readonly Record<string, string>[] = places;
  return { code, verdict, places: found.map(({ text, status }) => `${status} ${text}`), found };
};

/** Gives a host’s JSON to the hook, in a project. */
async function hook(rig: Rig, said: object, environment: NodeJS.ProcessEnv = {}) {
  return await rawHook(rig, JSON.stringify(inProject(rig, said)), environment);
}

const inProject = (rig: Rig, said: object) => ({ cwd: rig.repo, session_id: 's1', ...said });

/** Gives some bytes to the hook; null keeps its input open. */
async function rawHook(
  rig: Rig,
  input: string | Uint8Array | null,
  environment: NodeJS.ProcessEnv = {},
) {
  const env = { ...rig.environment, ...environment };
  const child = spawn(process.execPath, [program, 'critique', '--hook'], { env, cwd: rig.home });
  if (input !== null) child.stdin.end(input);
  let text = '';
  for await (const part of child.stdout.setEncoding('utf8')) text += String(part);
  return { text, answer: text === '' ? null : JSON.parse(text) };
}

test('places of a plan are there, new or wrong, and a wrong one ends with 4', short, async () => {
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

test(
  'a name that is said to exist and does not is wrong, and the gate denies the plan',
  short,
  async () => {
    const rig = await todoRig();
    const plan =
      'Reuse the existing `sortTodos()` in src/commands/list.js, then call `printAll()`.\n';
    expect(await critique(rig, plan)).toMatchObject({
      code: 4,
      verdict: 'revise',
      places: ['there src/commands/list.js', 'wrong sortTodos', 'not-found printAll'],
    });
    const { answer } = await hook(rig, claude(plan));
    expect(answer.hookSpecificOutput.permissionDecisionReason).toContain(
      'src/commands/list.js has no sortTodos, and no file contains it',
    );
  },
);

test('a plan is sound only as far as it was checked, and the rest is counted', short, async () => {
  const rig = await todoRig();
  rig.write('plan.md', 'Edit `src/commands/list.js`, then call `printAll()` and `sortAll()`.\n');
  const { stdout, code } = await rig.conclave('critique', '--fast', 'plan.md');
  expect(stdout).toContain('3 places checked: 1 there, 0 wrong.\n2 names were not found.');
  expect(code).toBe(0);
  expect((await critique(rig, 'Call `printAll()`.\n')).verdict).toBe('unsure');
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

test('people see the wrong places first, and how many are there', short, async () => {
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

test(
  'claude’s plan with a wrong place is denied once, and a right one leaves the dialog to the person',
  short,
  async () => {
    const rig = await todoRig();
    const { answer } = await hook(rig, claude(wrong));
    expect(answer.hookSpecificOutput).toMatchObject({ permissionDecision: 'deny' });
    expect(answer.hookSpecificOutput.permissionDecisionReason).toContain('src/nothing/at.js:4');
    expect((await hook(rig, claude(wrong))).text).toBe('');
    expect((await hook(rig, claude(right))).text).toBe('');
  },
);

/** So does claude tell its hooks that nobody sits before it. */
const alone = { CLAUDE_CODE_ENTRYPOINT: 'sdk-cli' };
const withPerson = { CLAUDE_CODE_ENTRYPOINT: 'cli' };

test.each([
  [
    'claude without a person',
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
  const { answer } = await hook(await todoRig(), said, alone);
  expect(answer).toMatchObject({ decision: 'block' });
  expect(answer.reason).toContain('src/nothing/at.js:4');
});

test(
  'codex’s plan mode is read from its own record of the turn, and gemini’s plan from its file',
  short,
  async () => {
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
  },
);

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
  [
    'a question of claude to a person',
    { hook_event_name: 'Stop', permission_mode: 'plan', last_assistant_message: wrong },
    withPerson,
  ],
  [
    'our own agents',
    { hook_event_name: 'Stop', permission_mode: 'plan', last_assistant_message: wrong },
    { ...alone, CONCLAVE_RUN: 'x' },
  ],
  [
    'a gate that is switched off',
    { hook_event_name: 'Stop', permission_mode: 'plan', last_assistant_message: wrong },
    { ...alone, CONCLAVE_CRITIQUE: 'off' },
  ],
])('%s passes at once', async (_, said, environment) => {
  expect((await hook(await todoRig(), said, environment)).answer).toEqual({});
});

test('a fault of ours lets the plan pass and says so', short, async () => {
  const rig = await todoRig();
  writeFileSync(join(rig.home, 'data-file'), '');
  const environment = { XDG_DATA_HOME: join(rig.home, 'data-file') };
  const { answer } = await hook(rig, claude(wrong), environment);
  expect(answer.systemMessage).toContain('Conclave could not check the plan');
});

test.each<[string, (shown: object) => string | Uint8Array, string]>([
  ['nothing', () => '', 'the host sent no JSON object'],
  ['no object', () => '[]', 'the host sent no JSON object'],
  ['a text that is cut short', (shown) => JSON.stringify(shown).slice(0, -2), 'no JSON object'],
  ['two documents', (shown) => JSON.stringify(shown).repeat(2), 'the host sent no JSON object'],
  [
    'what is not in UTF-8',
    (shown) => Buffer.from(JSON.stringify({ ...shown, x: 'é' }), 'latin1'),
    'not in UTF-8',
  ],
  [
    'no folder',
    (shown) => JSON.stringify({ ...shown, cwd: undefined }),
    'the host named no absolute path as cwd',
  ],
  ['a number as folder', (shown) => JSON.stringify({ ...shown, cwd: 7 }), 'no absolute path'],
  [
    'an event that nobody knows',
    (shown) => JSON.stringify({ ...shown, hook_event_name: 'PlanShown' }),
    'the host sent an event that shows no plan',
  ],
  ['no plan', (shown) => JSON.stringify({ ...shown, tool_input: {} }), 'the host sent no plan'],
])('of %s, the gate says that the plan passes unchecked', async (_, bytes, why) => {
  const rig = await todoRig();
  const { answer } = await rawHook(rig, bytes(inProject(rig, claude(wrong))));
  expect(answer).toEqual({ systemMessage: expect.stringContaining(why) });
  expect(answer.systemMessage).toContain('so it passes unchecked');
});

test(
  'a plan behind a byte order mark is checked, and so is one that only its file has',
  short,
  async () => {
    const rig = await todoRig();
    const marked = `\uFEFF${JSON.stringify(inProject(rig, claude(wrong)))}`;
    expect((await rawHook(rig, marked)).text).toContain('src/nothing/at.js:4');
    const planFilePath = join(rig.home, 'plan.md');
    writeFileSync(planFilePath, `${wrong} Now.`);
    const { text } = await hook(rig, { ...claude(''), tool_input: { planFilePath } });
    expect(text).toContain('src/nothing/at.js:4');
  },
);

test(
  'a host that never ends its input gets an answer, as does one whose plan is all brackets',
  short,
  async () => {
    const rig = await todoRig();
    const { answer } = await rawHook(rig, null);
    expect(answer.systemMessage).toContain('it took longer than 5 seconds');
    const brackets = `${'['.repeat(200_000)} ${'(src/'.repeat(30_000)}`;
    expect((await hook(rig, claude(brackets))).text).toBe('');
  },
);

test(
  'a file that git ignores, and links and brackets around one that is there, are no wrong places',
  short,
  async () => {
    const rig = await todoRig();
    rig.write('.gitignore', 'dist/\n');
    const plan =
      'Edit [list](src/commands/list.js#L2) (see src/store.js), then run ./dist/cli.js.\n';
    expect(await critique(rig, plan)).toMatchObject({
      code: 0,
      places: ['there src/commands/list.js#L2', 'there src/store.js', 'new ./dist/cli.js'],
    });
  },
);

test('a plan of a project that is gone passes, and that is said', async () => {
  const rig = await todoRig();
  const { answer } = await hook(rig, { ...claude(wrong), cwd: join(rig.repo, 'gone') });
  expect(answer).toEqual({ systemMessage: expect.stringContaining('/gone is gone') });
});

test('what of a plan was not checked is told with it', async () => {
  const rig = await todoRig();
  const long = Array.from({ length: 501 }, (_, at) => `Create \`new-${at}.js\`.`).join('\n');
  const unchecked = 'Not checked: 1 place after the first 500.';
  rig.write('plan.md', long);
  expect((await rig.conclave('critique', '--fast', 'plan.md')).stdout).toContain(unchecked);
  const { stdout } = await rig.conclave('critique', '--fast', '--json', 'plan.md');
  expect(JSON.parse(stdout)).toMatchObject({ unchecked });
  expect((await hook(rig, claude(long))).answer).toEqual({ systemMessage: unchecked });
});

/** Agents that examine; alpha is of the vendor of claude’s model. */
async function examinersRig(scripts: Readonly<Record<string, VendorScript>>) {
  const rig = await todoRig();
  configureVendors(rig, scripts);
  rig.config(rig.configured().replace('"vendor-alpha"', '"anthropic"'));
  return rig;
}

const examination = (stance: string, evidence: readonly object[], reason: string) => {
  const stances = [{ solution: 'A', stance, reasons: [reason], evidence }];
  return { examine: { answer: { stances, revision: null, search_terms: [], questions: [] } } };
};
test(
  'that a name is not there is proven by the search that did not find it, and not for what the plan makes',
  short,
  async () => {
    const missing = examination('oppose', [], 'src/commands/list.js has no sortTodos to call.');
    const rig = await examinersRig({ beta: missing });
    rig.write('plan.md', 'Call the existing `sortTodos()` in src/commands/list.js.\n');
    const found = await rig.conclave('critique', 'plan.md');
    expect(found.code).toBe(4);
    expect(rig.json('critique.json')).toMatchObject({
      verdict: 'revise',
      reason: '1 wrong place and 1 objection that a search of the code bears out.',
      objections: [{ proven: true, by: ['beta'] }],
    });
    rig.write('plan.md', 'Add `sortTodos()` to src/commands/list.js, and call `sortTodos()`.\n');
    const made = await rig.conclave('critique', 'plan.md');
    expect(made.code).toBe(0);
    expect(made.stdout).toContain('? unproven, beta');
  },
);
