// Tests what hosts really send to tools, and what they get back.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startModelServer } from '../contract/model-server/server.ts';
import { connect, eras, hostRig } from '../helpers/mcp-host.ts';
import { short } from '../helpers/short-form.ts';
import { todoTask } from '../helpers/todo-project.ts';

const question = { model: 'alpha', question: 'What is it?' };
const Form = {
  type: 'object',
  properties: { why: { type: 'string' }, tags: { type: 'array', items: { type: 'string' } } },
  required: ['why'],
};

/** The rig of hosts, where alpha answers with this. */
async function answering(answer: unknown, delay_ms = 0) {
  const rig = await hostRig();
  const file = join(rig.home, 'alpha.json');
  const script = JSON.parse(readFileSync(file, 'utf8'));
  writeFileSync(file, JSON.stringify({ ...script, else: { answer, delay_ms } }));
  return rig;
}

test.each(eras)(
  'numbers, lists and objects are read from JSON text, and null is what is left out, in the protocol era %s',
  async (era) => {
    const { call } = await connect(await answering({ why: 'so', tags: [] }), { era });
    const { facts, text } = await call('consult_with', {
      ...question,
      wait_s: '60',
      role: null,
      session_id: null,
      context: '["README.md"]',
      output_format: JSON.stringify(Form),
    });
    expect(facts, text).toMatchObject({ state: 'done', output: { why: 'so', tags: [] } });
    const listed = await call('list_sessions', { limit: '5', cursor: null, kind: null });
    expect(listed.facts).toMatchObject({ total: 1 });
    const named = await call('plan_start', { task: 'x', agents: '["nobody"]', constraints: null });
    expect(named.text).toContain('agents names "nobody"');
    const kept = await call('consult_with', { ...question, question: '["a"]', wait_s: 60 });
    expect(kept.facts, kept.text).toMatchObject({ state: 'done' });
    expect((await call('list_sessions')).text).toContain('[\\"a\\"]');
  },
);

test('an answer in a form is whole in the text and an object in the structure', short, async () => {
  const answer = { why: 'a long reason '.repeat(60), tags: ['x'] };
  const { call } = await connect(await answering(answer), { name: 'claude-code' });
  const { facts, text } = await call('consult_with', { ...question, output_format: Form });
  expect(JSON.parse(String(facts['text']))).toEqual(answer);
  expect(facts['output']).toEqual(answer);
  expect(text).toContain(JSON.stringify(answer, null, 2));
  expect(facts['next']).toBe(
    `to go on, call work_with or consult_with with session_id "${String(facts['session'])}"`,
  );
});

test('a long answer comes in parts that the host takes, cut between lines and words', async () => {
  const lines = Array.from({ length: 90 }, (_, n) => `${n}: ${'some words '.repeat(9)}`);
  const answer = `${lines.join('\n')}\n${'word '.repeat(100)}${'x'.repeat(100)}`;
  const rig = await answering(answer);
  const large = await connect(rig, { name: 'claude-code' });
  const whole = await large.call('consult_with', question);
  expect(whole.facts).toMatchObject({ text: answer, part: 1, of: 1 });
  expect(whole.facts['rest']).toBe(undefined);
  const { job } = whole.facts;
  const { call } = await connect(rig, { name: 'codex-mcp-client' });
  const parts: string[] = [];
  for (let part = 1; part <= 4; part += 1) {
    const { facts, text } = await call('job_status', { job, part });
    expect(facts).toMatchObject({ part, of: 4 });
    const more = `part ${part} of 4: call job_status with job "${String(job)}" and part: ${part + 1} for the rest`;
    expect(facts['rest']).toBe(part === 4 ? undefined : more);
    expect(text.length).toBeLessThan(4_500);
    parts.push(String(facts['text']));
  }
  expect(parts.join('')).toBe(answer);
  expect(parts.slice(0, -1).every((part) => /[\n ]$/.test(part))).toBe(true);
});

test('a model with a version in its name is asked by API where its key is there; an agent stays the agent', async () => {
  const server = await startModelServer();
  onTestFinished(() => server.close());
  const environment = {
    OPENAI_API_KEY: 'key-of-the-user-1234567890',
    OPENAI_BASE_URL: `${server.url}/v1`,
  };
  const { call } = await connect(await hostRig(), { environment });
  const { facts, text } = await call('consult_with', { model: 'gpt-5.2', question: 'What?' });
  expect(facts, text).toMatchObject({ state: 'done', agent: 'gpt-5-2', model: 'gpt-5.2' });
  expect(text).toContain(
    `OpenAI is asked by its API at ${server.url}/v1, as OPENAI_BASE_URL says,`,
  );
  expect(text).toContain('the name codex asks its program');
  const program = await call('consult_with', { model: 'codex', question: 'What?' });
  expect(program.text).toContain('"codex" is not on PATH');
});

test('a model that nobody carries is refused with the reason', async () => {
  const { call } = await connect(await hostRig());
  const { text } = await call('consult_with', { model: 'grok-4', question: 'What?' });
  expect(text).toMatch(
    /There is no agent "grok-4": .*it needs an agent with model = "grok-4" and provider = "xai"/,
  );
});

test.each(eras)(
  'each tool says what it changes, and each argument what it is, in the era %s',
  async (era) => {
    const { client } = await connect(await hostRig(), { era });
    const { tools } = await client.listTools();
    for (const { name, annotations, inputSchema } of tools) {
      expect({ name, ...annotations }).toMatchObject({
        readOnlyHint: expect.any(Boolean),
        destructiveHint: name === 'work_with',
      });
      expect(inputSchema['additionalProperties']).toBe(false);
      const known = Object.entries(inputSchema.properties ?? {});
      const mute = known.filter(([, shape]) => !JSON.stringify(shape).includes('"description"'));
      expect({ name, mute }).toEqual({ name, mute: [] });
    }
  },
);

test('a host that waits is told in words how far the job and its wait are', short, async () => {
  const rig = await answering('late', 7000);
  const { client } = await connect(rig);
  const told: unknown[] = [];
  const call = { name: 'consult_with', arguments: { folder: rig.repo, ...question, wait_s: 60 } };
  await client.callTool(call, { onprogress: (progress) => told.push(progress) });
  expect(told).toContainEqual(
    expect.objectContaining({
      message: 'alpha: using search',
      total: 60,
      progress: expect.any(Number),
    }),
  );
});

test('a discussion that has ended waits for a decision, like a plan', async () => {
  const { call } = await connect(await hostRig());
  const given = { topic: todoTask, models: ['alpha', 'beta'], rounds: 1, wait_s: 170 };
  const discussed = await call('group_think', given);
  const planned = await call('plan_start', { task: todoTask, wait_s: 170 });
  const { facts } = await call('list_sessions');
  const [discussion, plan] = [discussed, planned].map((one) => one.facts['session']);
  expect(facts['sessions']).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ session: discussion, state: 'waiting', waits_for: 'decision-1' }),
      expect.objectContaining({ session: plan, kind: 'plan', state: 'waiting' }),
    ]),
  );
  const described = await call('describe_session', { session: discussion });
  expect(described.facts).toMatchObject({ state: 'waiting', waits_for: 'decision-1' });
});

test.each([
  [
    'no agent could answer: alpha: the answer does not fit: /stances is empty',
    /^fix what the message says/,
  ],
  [
    'no agent could answer: alpha: OPENAI_API_KEY is not set',
    /^log the agent in by its own program/,
  ],
  ['no agent could answer: alpha is not logged in', /^log the agent in by its own program/],
])('after "%s" the way on fits', async (message, next) => {
  const rig = await hostRig();
  const folder = join(rig.home, 'data/conclave/jobs/job-aaaaaaaa');
  mkdirSync(folder, { recursive: true });
  const request = { kind: 'critique', folder: rig.repo, plan: 'x' };
  const now = new Date().toISOString();
  const end = {
    session: null,
    doing: '',
    waits_for: null,
    result: null,
    started_at: now,
    ended_at: now,
  };
  writeFileSync(join(folder, 'request.json'), JSON.stringify(request));
  writeFileSync(join(folder, 'state.json'), JSON.stringify({ state: 'failed', message, ...end }));
  const { call } = await connect(rig);
  const { facts } = await call('job_status', { job: 'job-aaaaaaaa' });
  expect(facts['next']).toMatch(next);
});

test('an answer that its schema takes for ever to check ends the job', short, async () => {
  const { call } = await connect(await answering({ name: `${'a'.repeat(40)}!` }));
  const schema = { type: 'object', properties: { name: { type: 'string', pattern: '^(a+)+$' } } };
  const { facts } = await call('consult_with', { ...question, output_format: schema });
  expect(facts).toMatchObject({ state: 'failed' });
  expect(facts['message']).toContain('cannot be checked within 2 s');
});
