import { expect, test } from 'vitest';
import { connect, eras, hostRig } from '../helpers/mcp-host.ts';
import { rawServer } from '../helpers/raw-mcp.ts';
import { short } from '../helpers/short-form.ts';
import { todoRig } from '../helpers/test-rig.ts';
import { todoTask } from '../helpers/todo-project.ts';
import { configureVendors, listSolution } from '../helpers/vendors.ts';

test.each(eras)('the server offers exactly these tools, in the protocol era %s', async (era) => {
  const { client } = await connect(await hostRig(), { era });
  const { tools } = await client.listTools();
  const reading = tools.filter(({ annotations }) => annotations?.readOnlyHint === true);
  expect(tools.map(({ name }) => name).toSorted((a, b) => (a < b ? -1 : 1))).toEqual([
    'consult_with',
    'count_project_tokens',
    'critique_plan',
    'describe_session',
    'group_think',
    'job_cancel',
    'job_status',
    'list_sessions',
    'plan_decide',
    'plan_execute',
    'plan_get',
    'plan_options',
    'plan_review',
    'plan_start',
    'search_project_history',
    'work_with',
  ]);
  expect(reading.map(({ name }) => name)).not.toContain('consult_with');
  expect(reading).toHaveLength(7);
});

test(
  'a question to another model comes back complete in text and in structure',
  short,
  async () => {
    const { call } = await connect(await hostRig());
    const { text, facts } = await call('consult_with', { model: 'alpha', question: 'What is it?' });
    expect(facts).toMatchObject({ state: 'done', text: 'a word', agent: 'alpha', part: 1, of: 1 });
    expect(text).toContain('a word');
    expect(text).toContain(`session: ${String(facts['session'])}`);
  },
);

test.each(eras)(
  'planning stops at each question of a person, in the protocol era %s',
  async (era) => {
    const rig = await hostRig();
    const { call, questions } = await connect(rig, { person: 'agrees', era });
    const started = await call('plan_start', { task: todoTask, wait_s: 170 });
    expect(started.facts).toMatchObject({ state: 'waiting', waits_for: 'decision' });
    const { session } = started.facts;
    const options = await call('plan_options', { session });
    expect(options.text).toContain('## 1. Branch in listTodos');
    const decided = await call('plan_decide', { session, solution: 1, wait_s: 170 });
    expect(decided.facts).toMatchObject({ state: 'waiting', waits_for: 'approval of the plan' });
    expect((await call('plan_get', { session })).text).toContain('TASK-001');
    const reviewed = await call('plan_review', { session, approve: true, wait_s: 170 });
    expect(reviewed.facts).toMatchObject({ state: 'done' });
    expect((await call('describe_session', { session })).facts).toMatchObject({ approved: true });
    expect(questions).toHaveLength(2);
  },
);

test(
  'what a person decides is refused where the host can ask nobody, with the setting that allows it',
  short,
  async () => {
    const rig = await hostRig();
    const { call } = await connect(rig);
    const { isError, text } = await call('work_with', { agent: 'alpha', task: 'Do it.' });
    expect(isError).toBe(true);
    expect(text).toContain('This host cannot ask a person.');
    expect(text).toContain('add "write" to [mcp] may');
  },
);

test.each(
  eras.flatMap((era) =>
    (['says no', 'declines', 'closes the question'] as const).map((person) => ({ era, person })),
  ),
)('a person who $person is heard, in the protocol era $era', async ({ era, person }) => {
  const { call, questions } = await connect(await hostRig(), { era, person });
  const { isError, text } = await call('work_with', { agent: 'alpha', task: 'Do it.' });
  expect(isError).toBe(true);
  expect(text).toContain('The person did not agree.');
  expect(questions).toHaveLength(1);
});

test('an agent works where the user’s settings allow it, and the conversation goes on by its session', async () => {
  const { call } = await connect(await hostRig('[mcp]\nmay = ["write"]\n'));
  const first = await call('work_with', { agent: 'alpha', task: 'Do it.' });
  expect(first.facts).toMatchObject({ state: 'done', kind: 'work', text: 'a word' });
  const again = { agent: 'beta', task: 'Go on.', session_id: first.facts['session'] };
  expect((await call('work_with', again)).facts).toMatchObject({ context_source: 'history' });
  expect((await call('search_project_history', { query: 'word' })).facts).toMatchObject({
    found: 2,
  });
  const { facts } = await call('list_sessions', { kind: 'conversation' });
  expect(facts).toMatchObject({ total: 1, next: null });
});

test('within an agent of ours, nothing that starts agents is offered', short, async () => {
  const { client } = await connect(await hostRig(), { environment: { CONCLAVE_INSIDE: '1' } });
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name).toSorted((a, b) => (a < b ? -1 : 1))).toEqual([
    'count_project_tokens',
    'describe_session',
    'job_cancel',
    'job_status',
    'list_sessions',
    'plan_get',
    'plan_options',
    'search_project_history',
  ]);
});

test(
  'a plan of the host is examined by other vendors, with its places and what was found',
  short,
  async () => {
    const rig = await todoRig();
    const stance = {
      solution: 'A',
      stance: 'oppose',
      reasons: ['The flag is cut off before (src/cli.js:6).'],
      evidence: [
        {
          statement: 'The command hands over the rest of its arguments.',
          path: 'src/cli.js',
          line: 6,
          quote: "if (command === 'list') listTodos(args);",
        },
      ],
    };
    const answer = { stances: [stance], revision: null, search_terms: [], questions: [] };
    configureVendors(rig, { alpha: { else: {} }, beta: { examine: { answer } } });
    const { call } = await connect(rig);
    const { facts, text } = await call('critique_plan', {
      plan: '1. Read the flag in `src/commands/list.js:900`.',
      host_vendor: 'vendor-alpha',
      wait_s: 170,
    });
    expect(facts).toMatchObject({ state: 'done', verdict: 'revise' });
    expect(text).toContain('✗ src/commands/list.js:900 (line 1 of the plan)');
    expect(text).toContain('✗ beta: The flag is cut off before (src/cli.js:6).');
    expect(text.length).toBeLessThanOrEqual(8000);
  },
);

test(
  'models discuss a topic without a plan: positions, agreements, disagreements, summary',
  short,
  async () => {
    const { call } = await connect(await hostRig());
    const given = {
      topic: todoTask,
      models: ['alpha', 'beta'],
      context: ['src/cli.js'],
      rounds: 1,
    };
    const { facts, text } = await call('group_think', { ...given, wait_s: 170 });
    expect(facts).toMatchObject({ state: 'done', kind: 'discuss' });
    for (const title of ['Positions', 'Agreements', 'Disagreements', 'Summary']) {
      expect(text).toContain(`## ${title}\n`);
    }
    expect(text).toContain('### Branch in listTodos (alpha, beta)');
    const bad = await call('group_think', { ...given, context: ['no.txt'] });
    expect(bad).toMatchObject({ isError: true, text: 'context: there is no file no.txt.' });
  },
);

test('a discussion tells first who did not answer', async () => {
  const rig = await hostRig();
  const proposing = { answer: { solutions: [listSolution()], questions: [] } };
  configureVendors(rig, { alpha: { propose: proposing }, beta: { else: { exit: 3 } } });
  const { call } = await connect(rig);
  const given = { topic: todoTask, models: ['alpha', 'beta'], rounds: 1, wait_s: 170 };
  const { facts } = await call('group_think', given);
  expect(String(facts['text'])).toMatch(/^1 of 2 answered; beta did not: .+\.\n\n## Positions/);
});

test('the lists that are told before the tools are loaded are those of the loaded tools', async () => {
  const server = await rawServer(await hostRig());
  const list = async (id: number, method: string) => {
    server.send(JSON.stringify({ jsonrpc: '2.0', id, method }));
    const answer = await server.answer(id);
    return JSON.parse(JSON.stringify(answer)).result;
  };
  const early = [await list(2, 'tools/list'), await list(3, 'prompts/list')];
  expect(JSON.stringify(early)).toContain(', alpha, beta.');
  // What the build has not kept loads the tools.
  await list(4, 'ping');
  const late = [await list(5, 'tools/list'), await list(6, 'prompts/list')];
  expect(late).toEqual(early);
  expect(await server.end()).toBe(0);
});

test('tokens are counted for each file and in total', short, async () => {
  const { call } = await connect(await hostRig());
  const { facts } = await call('count_project_tokens', { paths: ['src/cli.js', 'src/store.js'] });
  const files = [{ path: 'src/cli.js' }, { path: 'src/store.js' }];
  expect(facts).toMatchObject({ files });
  expect(facts['total']).toBeGreaterThan(50);
});

test.each(eras)(
  'hosts get a plan with its tasks, and prompts, in the protocol era %s',
  async (era) => {
    const rig = await hostRig('[mcp]\nmay = ["decide"]\n');
    const { client, call } = await connect(rig, { era });
    const { facts } = await call('plan_start', { task: todoTask, wait_s: 170 });
    const session = String(facts['session']);
    await call('plan_decide', { session, solution: 1, wait_s: 170 });
    expect((await call('plan_get', { session })).text).toContain('TASK-001');
    const { prompts } = await client.listPrompts();
    expect(prompts.map(({ name }) => name)).toEqual(['plan', 'second-opinion', 'critique']);
    const prompt = await client.getPrompt({ name: 'plan', arguments: { task: 'Do it.' } });
    expect(JSON.stringify(prompt.messages)).toContain('plan_start');
  },
);

test('fifty calls at once over ten sessions each get the answer of their own', async () => {
  const { call } = await connect(await hostRig());
  const names = Array.from({ length: 10 }, (_, n) => `subject${'abcdefghij'[n]}`);
  const begun = await Promise.all(
    names.map(async (name) => {
      const given = { model: 'alpha', question: name, wait_s: 170 };
      const { facts, text } = await call('consult_with', given);
      expect([text, facts['state'], facts['text']]).toEqual([text, 'done', 'a word']);
      return { name, session: String(facts['session']), job: String(facts['job']) };
    }),
  );
  expect(new Set(begun.map(({ session }) => session)).size).toBe(10);
  const calls = begun.flatMap(({ name, session, job }) => [
    call('describe_session', { session }).then(({ facts, text }) => [name, facts['about'] ?? text]),
    call('describe_session', { session }).then(({ facts }) => [session, facts['session']]),
    call('job_status', { job }).then(({ facts }) => [session, facts['session']]),
    call('job_status', { job, wait_s: 1 }).then(({ facts }) => [job, facts['job']]),
    call('search_project_history', { query: name, kind: 'conversation' }).then(({ text }) => [
      session,
      /talk-[\w-]+/.exec(text)?.[0],
    ]),
  ]);
  const answers = await Promise.all(calls);
  expect(answers).toHaveLength(50);
  for (const [own, answered] of answers) expect(answered).toBe(own);
});
