import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { expect, onTestFinished, test, vi } from 'vitest';
import { planning, proposing } from '../helpers/planned-rig.ts';
import { commandLines } from '../contract/processes.ts';
import { type Rig, program } from '../helpers/rig.ts';
import { todoRig } from '../helpers/test-rig.ts';
import { todoTask } from '../helpers/todo-project.ts';
import { configureVendors, listSolution } from '../helpers/vendors.ts';

type Facts = Readonly<Record<string, unknown>>;

/** Two vendors that plan the same thing, and answer any other request in a word. */
async function hostRig(more = '') {
  const rig = await todoRig();
  const vendor = {
    propose: proposing(listSolution()),
    plan: planning,
    else: { answer: 'a word' },
    slow: { delay_ms: 60_000 },
  };
  configureVendors(rig, { alpha: vendor, beta: vendor }, more);
  return rig;
}

/** A host that has the server of the rig, and can ask nobody unless `person` says what a person does. */
async function connect(rig: Rig, { person, environment = {}, era = 'legacy' }: HostOptions = {}) {
  const env = { ...rig.environment, ...environment };
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [program, 'mcp'],
    env: Object.fromEntries(
      Object.entries(env).flatMap(([k, v]) => (v === undefined ? [] : [[k, v]])),
    ),
    cwd: rig.home,
  });
  const capabilities = person === undefined ? {} : { elicitation: { form: {} } };
  const client = new Client(
    { name: 'host', version: '1.0.0' },
    { capabilities, versionNegotiation: { mode: era } },
  );
  const questions: string[] = [];
  if (person !== undefined) {
    client.setRequestHandler('elicitation/create', async ({ params }) => {
      questions.push(params.message);
      return answersOf[person];
    });
  }
  await client.connect(transport);
  onTestFinished(() => client.close());
  const call = async (name: string, input: Facts = {}) => {
    const result = await client.callTool({ name, arguments: { folder: rig.repo, ...input } });
    const [block] = Array.isArray(result.content) ? result.content : [];
    const text = block?.type === 'text' ? block.text : '';
    return { text, isError: result.isError === true, facts: factsIn(result.structuredContent) };
  };
  return { client, call, questions, pid: () => transport.pid };
}

const answersOf = {
  agrees: { action: 'accept', content: { agree: true } },
  'says no': { action: 'accept', content: { agree: false } },
  declines: { action: 'decline' },
  'closes the question': { action: 'cancel' },
} as const;

interface HostOptions {
  /** Of the protocol: hosts speak the one of 2025, or negotiate a later one. */
  readonly era?: 'legacy' | 'auto';
  readonly person?: keyof typeof answersOf;
  readonly environment?: NodeJS.ProcessEnv;
}

const waiting = { timeout: 30_000, interval: 100 };

const factsIn = (value: unknown): Facts => Object.fromEntries(Object.entries(value ?? {}));

const eras = ['legacy', 'auto'] as const;

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

test('a question to another model comes back complete in text and in structure', async () => {
  const { call } = await connect(await hostRig());
  const { text, facts } = await call('consult_with', { model: 'alpha', question: 'What is it?' });
  expect(facts).toMatchObject({ state: 'done', text: 'a word', agent: 'alpha', part: 1, of: 1 });
  expect(text).toContain('a word');
  expect(text).toContain(`session: ${String(facts['session'])}`);
});

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

test('what a person decides is refused where the host can ask nobody, with the setting that allows it', async () => {
  const rig = await hostRig();
  const { call } = await connect(rig);
  const { isError, text } = await call('work_with', { agent: 'alpha', task: 'Do it.' });
  expect(isError).toBe(true);
  expect(text).toContain('This host cannot ask a person.');
  expect(text).toContain('[mcp] may_write = true');
});

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
  const { call } = await connect(await hostRig('[mcp]\nmay_write = true\n'));
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

test('a job outlives the server that started it, and a later server finds its end', async () => {
  const rig = await hostRig();
  const file = join(rig.home, 'alpha.json');
  const script = JSON.parse(readFileSync(file, 'utf8'));
  writeFileSync(file, JSON.stringify({ ...script, else: { answer: 'late', delay_ms: 3000 } }));
  const first = await connect(rig);
  const asked = { model: 'alpha', question: 'What?', wait_s: 0 };
  const { facts } = await first.call('consult_with', asked);
  expect(['starting', 'running']).toContain(facts['state']);
  process.kill(first.pid() ?? 0, 'SIGKILL');
  const later = await connect(rig);
  const end = await later.call('job_status', { job: facts['job'], wait_s: 60 });
  expect(end.facts).toMatchObject({ state: 'done', text: 'late' });
});

/** The programs of the agents of a rig that live now. */
const agentsOf = (rig: Rig) =>
  commandLines().filter((line) => line.includes(`${rig.home}/alpha.json`));

/** An agent that answers after a minute, and a host that has asked it. */
async function askedHost(options: HostOptions = {}) {
  const rig = await hostRig();
  const file = join(rig.home, 'alpha.json');
  const script = JSON.parse(readFileSync(file, 'utf8'));
  writeFileSync(file, JSON.stringify({ ...script, else: { answer: 'late', delay_ms: 60_000 } }));
  return { rig, ...(await connect(rig, options)) };
}

const question = { model: 'alpha', question: 'What?' };

test.each(eras)('job_cancel ends the agents of a job, in the protocol era %s', async (era) => {
  const { rig, call } = await askedHost({ era });
  const { facts } = await call('consult_with', { ...question, wait_s: 0 });
  await vi.waitUntil(() => agentsOf(rig).length > 0, waiting);
  const { facts: ended } = await call('job_cancel', { job: facts['job'] });
  expect(ended).toMatchObject({ state: 'cancelled' });
  expect(agentsOf(rig)).toEqual([]);
});

test.each(eras)(
  'a call that the host takes back ends the job that it started, in the protocol era %s',
  async (era) => {
    const { rig, client } = await askedHost({ era });
    const back = new AbortController();
    const call = { name: 'consult_with', arguments: { folder: rig.repo, ...question } };
    const result = client.callTool(call, { signal: back.signal }).catch(() => 'taken back');
    await vi.waitUntil(() => agentsOf(rig).length > 0, waiting);
    back.abort();
    expect(await result).toBe('taken back');
    await vi.waitUntil(() => agentsOf(rig).length === 0, waiting);
  },
);

test('a job goes on where the host closes in the middle of the call', async () => {
  const { rig, client } = await askedHost();
  const call = { name: 'consult_with', arguments: { folder: rig.repo, ...question } };
  const result = client.callTool(call).catch(() => 'closed');
  await vi.waitUntil(() => agentsOf(rig).length > 0, waiting);
  await client.close();
  expect(await result).toBe('closed');
  await wait(1500);
  expect(agentsOf(rig)).toHaveLength(1);
  const later = await connect(rig);
  const [job] = readdirSync(join(rig.home, 'data/conclave/jobs'));
  expect((await later.call('job_cancel', { job })).facts).toMatchObject({ state: 'cancelled' });
});

test('within an agent of ours, nothing that starts agents is offered', async () => {
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

test.each([
  ['a relative folder', 'plan_start', { task: 'x', folder: '.' }, 'is not an absolute path'],
  ['an unknown session', 'plan_options', { session: 'MCP-no' }, 'There is no session "MCP-no"'],
  ['an impossible job', 'job_status', { job: '../x' }, 'There is no job "../x"'],
  [
    'an unknown agent',
    'consult_with',
    { model: 'nobody', question: 'x' },
    'There is no agent "nobody"',
  ],
  ['a missing file', 'count_project_tokens', { paths: ['no.txt'] }, 'there is no file no.txt'],
  [
    'nothing to decide',
    'plan_decide',
    { session: 'MCP-no' },
    'Give solution, feedback or answers.',
  ],
  ['both or none', 'plan_review', { session: 'MCP-no' }, 'Give either comments or approve'],
])('%s is told in one sentence', async (_, name, input, sentence) => {
  const { call } = await connect(await hostRig());
  const { text } = await call(name, input);
  expect(text).toContain(sentence);
});

test('the budget of a day is told in each result, and nothing is started beyond it', async () => {
  const { call } = await connect(await hostRig('[mcp]\nbudget_tokens = 1\n'));
  const first = await call('consult_with', { model: 'alpha', question: 'What is it?' });
  expect(first.facts).toMatchObject({ state: 'done', budget_tokens: 1 });
  expect(first.facts['tokens_today']).toBeGreaterThan(0);
  const { isError, text } = await call('consult_with', { model: 'alpha', question: 'And now?' });
  expect(isError).toBe(true);
  expect(text).toContain('of 1 tokens today, so no other one is started');
});

test('a plan of the host is examined by other vendors, with its places and what was found', async () => {
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
});
