import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { AgentEnd } from '../../src/agents/agent.ts';
import { strictSchema } from '../../src/agents/strict-schema.ts';
import type { FailureCategory } from '../../src/model/failure.ts';
import { runToEnd, until } from '../agents/agent-room.ts';
import { codexRoom, commandLines, marked, stubKey, type CodexRoom } from './codex-room.ts';
import type { Reply } from './model-server/reply.ts';
import { startModelServer, type ModelServer } from './model-server/server.ts';

let server: ModelServer;
let room: CodexRoom;
beforeAll(async () => {
  server = await startModelServer();
});
afterAll(() => server.close());
beforeEach(() => {
  room = codexRoom(server.url);
});
afterEach(() => room.remove());

let scenarios = 0;
/** A prompt to which the model replies so, in order. */
function scripted(...replies: Reply[]): string {
  const marker = `[[scenario:codex-${(scenarios += 1)}]]`;
  server.on(marker, replies);
  return `${marker}\nWhat should we do?`;
}
const text = (words: string): Reply => ({ kind: 'text', text: words });
const shell = (command: string): Reply => ({ kind: 'tool', tool: 'shell', target: command });
const answerOf = (end: AgentEnd) => (end.ok ? end.text : end.failure);
const ask = (prompt: string, more?: Parameters<CodexRoom['request']>[1]) =>
  runToEnd(room.agent(), room.request(prompt, more));

/** Models that codex knows get their tools in another form (“code mode”) than others. */
const forms = [
  { form: 'code mode', model: 'gpt-6.1-sol' },
  { form: 'classic tools', model: 'some-model' },
];

describe('answers', () => {
  test('a text comes with its session, thinking and tokens', async () => {
    const { events, end } = await ask(
      scripted({ kind: 'text', text: 'Do this.', thinking: 'Well, so.' }),
    );
    expect(answerOf(end)).toBe('Do this.');
    expect(events.map(({ kind }) => kind)).toEqual([
      'started',
      'thinking',
      'message',
      'usage',
      'completed',
    ]);
    expect(end.facts).toMatchObject({
      agentSession: expect.stringMatching(/^[\da-f-]{36}$/),
      tokens: { input: 1000, output: 50, cached: 400 },
      costUsd: null,
      exitCode: 0,
      unknownEvents: 0,
      notes: [],
    });
  });

  test('a long text comes whole, and so does one that takes its time', async () => {
    const long = 'A sentence of the answer. '.repeat(20_000);
    expect(answerOf((await ask(scripted(text(long)))).end)).toBe(long);
    const slow = await ask(scripted({ kind: 'slow', text: 'Late.', delayMs: 3_000 }));
    expect(answerOf(slow.end)).toBe('Late.');
  });

  test('a schema reaches the provider in its strict form', async () => {
    const schema = {
      type: 'object',
      properties: { sum: { type: 'integer', minimum: 0 }, note: { type: 'string' } },
      required: ['sum'],
    };
    const prompt = scripted({ kind: 'structured', value: { sum: 4, note: null } });
    const { end } = await ask(prompt, { schema });
    expect(answerOf(end)).toBe('{"sum":4,"note":null}');
    expect(server.log.at(-1)?.schema).toEqual(strictSchema(schema));
  });

  test('role and model reach the provider', async () => {
    const role = 'Be a "critic"\nof C:\\paths and ’quotes’ \u007f.';
    await ask(scripted(text('Yes.')), { role, model: 'some-model' });
    expect(server.log.at(-1)).toMatchObject({
      model: 'some-model',
      system: expect.stringContaining(role),
    });
  });

  test.each(forms)('tools that read are run and told ($form)', async ({ model }) => {
    const read: Reply = { kind: 'tool', tool: 'read', target: 'src/list.js' };
    const prompt = scripted(read, shell('echo out; exit 3'), text('Done.'));
    const { events, end } = await ask(prompt, { model });
    expect(answerOf(end)).toBe('Done.');
    expect(server.log.at(-1)?.toolResults.join()).toContain('export const list');
    expect(events.filter(({ kind }) => kind === 'command')).toEqual([
      { kind: 'command', command: expect.stringContaining('cat'), exit_code: 0 },
      { kind: 'command', command: expect.stringContaining('echo out'), exit_code: 3 },
    ]);
    expect(end.facts.tokens).toEqual({ input: 3000, output: 150, cached: 1200 });
  });
});

describe('prompts', () => {
  test('the largest one arrives whole, and in the arguments of no process', async () => {
    const filler = 'word-of-the-prompt '.repeat(55_000);
    const prompt = `${scripted({ kind: 'slow', text: 'Read.', delayMs: 2_000 })}\n${filler}`;
    const asked = server.log.length;
    const running = ask(prompt);
    await until('the model is asked', () => server.log.length > asked);
    const lines = commandLines();
    expect(lines.some((line) => line.includes('--ignore-user-config'))).toBe(true);
    expect(lines.filter((line) => line.includes('word-of-the-prompt'))).toEqual([]);
    expect(answerOf((await running).end)).toBe('Read.');
    expect(server.log.at(-1)?.prompt).toContain(prompt);
  });

  test('one that it would not take is refused before it is started', async () => {
    const asked = server.log.length;
    const { end } = await ask('x'.repeat(6_000_000));
    expect(answerOf(end)).toMatchObject({ category: 'request-refused' });
    expect(server.log.length).toBe(asked);
  });

  test('its limit is the one that codex has', async () => {
    const atLimit = (bytes: number) => {
      const prompt = scripted(text('Taken.'));
      return prompt + 'x'.repeat(bytes - prompt.length);
    };
    expect(answerOf((await ask(atLimit(1_048_576))).end)).toBe('Taken.');
  });
});

describe('planning is read-only', () => {
  test.each(forms)('nothing is written, whatever the model tries ($form)', async ({ model }) => {
    const extra = join(room.home, 'extra');
    mkdirSync(extra);
    const before = room.tree();
    const targets = [`${room.repo}/made.txt`, `${room.repo}/.git/made`, `${room.home}/made`];
    const replies: Reply[] = [
      { kind: 'tool', tool: 'write', target: 'made.txt', content: 'made' },
      { kind: 'tool', tool: 'write', target: `${extra}/made.txt`, content: 'made' },
      ...[...targets, `${extra}/made`].map((path) => shell(`echo made > ${path}; rm -f ${path}2`)),
      shell(`rm -rf ${room.repo}/src; git -C ${room.repo} config user.name Nobody`),
    ];
    const prompt = scripted(...replies, text('I could not.'));
    const { end } = await ask(prompt, { model, extraDirs: [extra] });
    expect(answerOf(end)).toBe('I could not.');
    expect(server.log.at(-1)?.toolResults).toHaveLength(replies.length);
    expect(room.tree()).toEqual(before);
    expect(end.facts.filesChanged).toEqual([]);
  });

  test('a session that is gone on with is read-only too', async () => {
    const first = await ask(scripted(text('One.')));
    const before = room.tree();
    const resume = { agentSession: first.end.facts.agentSession ?? '', cwd: room.repo };
    const prompt = scripted(shell('echo made > made.txt'), text('I could not.'));
    expect(answerOf((await ask(prompt, { resume })).end)).toBe('I could not.');
    expect(room.tree()).toEqual(before);
  });

  test('further folders are readable and told to the model', async () => {
    room.writeHome('extra/notes.txt', 'noted there');
    const extra = join(room.home, 'extra');
    const prompt = scripted(
      { kind: 'tool', tool: 'read', target: `${extra}/notes.txt` },
      text('Read.'),
    );
    await ask(prompt, { extraDirs: [extra] });
    expect(server.log.at(-1)?.toolResults.join()).toContain('noted there');
  });

  test('its commands see the mark of the run, but no key', async () => {
    const request = room.request(scripted(shell('env'), text('Seen.')));
    await runToEnd(room.agent(), request);
    const seen = server.log.at(-1)?.toolResults.join() ?? '';
    expect(seen).toContain(request.mark);
    expect(seen).not.toContain(stubKey);
  });
});

describe('isolation', () => {
  const witness = (name: string) => `${room.home}/${name}-was-started`;
  const hook = (name: string) => ({
    hooks: { SessionStart: [{ hooks: [{ type: 'command', command: `touch ${witness(name)}` }] }] },
  });

  test('the login is kept; servers, hooks and settings of the user are not', async () => {
    room.writeHome('.codex/auth.json', '{"OPENAI_API_KEY":"key-of-the-login"}');
    room.writeHome('.codex/hooks.json', JSON.stringify(hook('hook')));
    room.writeHome(
      '.codex/config.toml',
      `model = "model-of-the-user"
notify = ["touch", ${JSON.stringify(witness('notify'))}]
[mcp_servers.mine]
command = "touch"
args = [${JSON.stringify(witness('server'))}]
[projects.${JSON.stringify(room.repo)}]
trust_level = "trusted"
`,
    );
    const prompt = scripted(text('Yes.'));
    const args = ['-c', `openai_base_url="${server.url}/v1"`];
    const { end } = await runToEnd(room.agent({ args }), room.request(prompt));
    expect(answerOf(end)).toBe('Yes.');
    expect(server.log.at(-1)?.model).not.toBe('model-of-the-user');
    expect(Object.keys(room.tree()).filter((path) => path.includes('was-started'))).toEqual([]);
  });

  test('without a login it is not-logged-in', async () => {
    const args = ['-c', `openai_base_url="${server.url}/v1"`];
    const { end } = await runToEnd(room.agent({ args }), room.request('Hello?'));
    expect(answerOf(end)).toMatchObject({
      category: 'not-logged-in',
      detail: expect.stringContaining('codex login'),
    });
  });
});

describe('sessions', () => {
  test('one is gone on with from its id, and only the new tokens count', async () => {
    const first = await ask(scripted(text('One.')));
    const { agentSession, tokens } = first.end.facts;
    const resume = { agentSession: agentSession ?? '', cwd: room.repo };
    const { end } = await ask(scripted(text('Two.')), {
      resume: { ...resume, ...(tokens === null ? {} : { spent: tokens }) },
    });
    expect(answerOf(end)).toBe('Two.');
    expect(end.facts).toMatchObject({ agentSession, tokens });
    expect(server.log.at(-1)?.prompt).toMatch(/scenario.*scenario/s);
  });

  test.each(['01a1fd7a-0000-7000-8000-000000000000', 'no-such-session'])(
    'an unknown one is lost, not begun anew: %s',
    async (agentSession) => {
      const asked = scripted({ kind: 'slow', text: 'Paid in vain.', delayMs: 5_000 });
      const { end } = await ask(asked, { resume: { agentSession, cwd: room.repo } });
      expect(answerOf(end)).toMatchObject({ category: 'session-lost' });
      expect(end.facts.durationMs).toBeLessThan(4_000);
    },
  );
});

describe('failures', () => {
  const status = (code: number, retryAfter?: number): Reply => ({
    kind: 'status',
    status: code,
    message: 'in the words of the provider',
    ...(retryAfter === undefined ? {} : { retryAfter }),
  });
  const cells: readonly [string, Reply, FailureCategory][] = [
    ['400', status(400), 'request-refused'],
    ['401', status(401), 'not-logged-in'],
    ['403', status(403), 'not-logged-in'],
    ['404', status(404), 'request-refused'],
    ['429', status(429), 'rate-limited'],
    ['429 that names its wait', status(429, 1), 'rate-limited'],
    ['500', status(500), 'network'],
    ['529', status(529), 'rate-limited'],
    ['a dropped connection', { kind: 'drop', when: 'before' }, 'network'],
    ['a connection dropped in the middle', { kind: 'drop', when: 'middle' }, 'network'],
    ['garbage', { kind: 'garbage' }, 'network'],
    ['no answer', { kind: 'empty' }, 'empty-answer'],
  ];

  test.each(cells)('%s ends within ten seconds, rightly named', async (_name, reply, category) => {
    const { end } = await ask(scripted(reply), { limits: { totalMs: 10_000 } });
    expect(answerOf(end)).toMatchObject({ category, agent: 'codex' });
  });

  test.each(['before', 'middle'] as const)('a model that hangs (%s) is left', async (when) => {
    const { end } = await ask(scripted({ kind: 'hang', when }), { limits: { idleMs: 2_000 } });
    expect(answerOf(end)).toMatchObject({ category: 'timed-out' });
    expect(end.facts.durationMs).toBeLessThan(6_000);
  });

  test('a failure that it gets over is told and no failure', async () => {
    const { events, end } = await ask(scripted({ kind: 'drop', when: 'middle' }, text('At last.')));
    expect(answerOf(end)).toBe('At last.');
    expect(events).toContainEqual({
      kind: 'retrying',
      reason: expect.stringContaining('disconnected'),
      delay_ms: null,
    });
  });

  test('no network ends in time, though it would wait for one', async () => {
    const closed = codexRoom('http://127.0.0.1:9');
    const { end } = await runToEnd(closed.agent(), closed.request('Hello?'));
    closed.remove();
    expect(answerOf(end)).toMatchObject({ category: 'network' });
    expect(end.facts.durationMs).toBeLessThan(15_000);
  });
});

describe('ends during a running tool', () => {
  const times = process.env['CONCLAVE_CONTRACT'] === 'full' ? 10 : 2;
  const runs = Array.from({ length: times }, (_, run) => run + 1);

  test.each(runs)('a cancelled run leaves no process (%i)', async () => {
    const abort = new AbortController();
    const naptime = `98${scenarios}.5`;
    const request = room.request(scripted(shell(`sleep ${naptime} & sleep ${naptime}`)));
    const running = runToEnd(room.agent(), request, abort.signal);
    const sleepers = () => commandLines().filter((line) => line === `sleep\0${naptime}\0`);
    await until('the tool runs', () => sleepers().length === 2);
    abort.abort();
    expect(answerOf((await running).end)).toMatchObject({ category: 'cancelled' });
    expect(sleepers()).toEqual([]);
    expect(marked(request.mark)).toEqual([]);
  });

  test.each(runs)('a run that takes too long leaves no process (%i)', async () => {
    const limits = { totalMs: 3_000 };
    const request = room.request(scripted(shell('sleep 986.5')), { limits });
    const { end } = await runToEnd(room.agent(), request);
    expect(answerOf(end)).toMatchObject({ category: 'timed-out' });
    expect(marked(request.mark)).toEqual([]);
    expect(commandLines().filter((line) => line.includes('986.5'))).toEqual([]);
  });
});
