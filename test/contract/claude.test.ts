import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { AgentAdapter, AgentEnd } from '../../src/agents/agent.ts';
import { claude } from '../../src/agents/claude.ts';
import type { FailureCategory } from '../../src/model/failure.ts';
import { schemaCheck } from '../../src/store/published-schemas.ts';
import { runToEnd, until } from '../agents/agent-room.ts';
import { cliRoom, type CliRoom, commandLines, marked, type RequestParts } from './cli-room.ts';
import type { Reply } from './model-server/reply.ts';
import { startModelServer, type ModelServer } from './model-server/server.ts';
import { record } from './record.ts';

let server: ModelServer;
let room: CliRoom;
beforeAll(async () => {
  server = await startModelServer();
});
afterAll(() => server.close());
beforeEach(() => {
  room = roomFor(claude);
});
afterEach(() => room.remove());

function roomFor(adapter: AgentAdapter, environment: NodeJS.ProcessEnv = {}): CliRoom {
  return cliRoom({
    adapter,
    environment: { ANTHROPIC_BASE_URL: server.url, ANTHROPIC_API_KEY: 'test-key', ...environment },
    own: ['home/.claude', 'home/.claude.json', 'home/.cache'],
  });
}

let scenarios = 0;
/** A prompt to which the model replies so, in order. */
function scripted(...replies: Reply[]): string {
  const marker = `[[scenario:claude-${(scenarios += 1)}]]`;
  server.on(marker, replies);
  return `${marker}\nWhat should we do?`;
}
const text = (words: string): Reply => ({ kind: 'text', text: words });
const shell = (command: string): Reply => ({ kind: 'tool', tool: 'shell', target: command });
const read = (target: string): Reply => ({ kind: 'tool', tool: 'read', target });
const status = (code: number, more: { retryAfter?: number; message?: string } = {}): Reply => ({
  kind: 'status',
  status: code,
  message: 'in the words of the provider',
  ...more,
});
const answerOf = (end: AgentEnd) => (end.ok ? end.text : end.failure);
const ask = (prompt: string, more?: RequestParts) =>
  runToEnd(room.agent(), room.request(prompt, more));
const keep = (name: string) => record(room, { adapter: claude, name });

/** With all its tools, as planning never gives them to it. */
const unbound: AgentAdapter = {
  ...claude,
  argv: (request) => [
    ...claude.argv(request).filter((part) => !part.startsWith('--tools=')),
    '--tools=Bash,Edit,Read,Write',
    '--allowedTools=Bash,Edit,Write',
  ],
};

describe('answers', () => {
  test('a text comes with its session, model, version, thinking, tokens and cost', async () => {
    const prompt = scripted({ kind: 'text', text: 'Do this.', thinking: 'Well, so.' });
    const { events, end } = await ask(prompt);
    keep('text');
    expect(answerOf(end)).toBe('Do this.');
    expect(events).toEqual([
      expect.objectContaining({ kind: 'started' }),
      { kind: 'thinking', text: 'Well, so.' },
      { kind: 'message', text: 'Do this.', partial: false },
      expect.objectContaining({ kind: 'usage' }),
      { kind: 'completed', text: 'Do this.' },
    ]);
    expect(end.facts).toMatchObject({
      agentSession: expect.stringMatching(/^[\da-f-]{36}$/),
      model: expect.stringMatching(/^claude-/),
      version: '2.1.197',
      tokens: { input: 19, output: 7, cached: 5 },
      costUsd: expect.closeTo(0, 2),
      exitCode: 0,
      unknownEvents: 0,
      notes: [],
    });
    expect(claude.vendorOf(end.facts.model)).toBe('anthropic');
  });

  test('a long text comes whole, and so does one that takes its time', async () => {
    const long = 'A sentence of the answer. '.repeat(20_000);
    const { end } = await ask(scripted(text(long)));
    expect(end.ok && end.text === long).toBe(true);
    const prompt = scripted({ kind: 'slow', text: 'Late.', delayMs: 3_000 });
    expect(answerOf((await ask(prompt)).end)).toBe('Late.');
  });

  test('one by a schema is the JSON, checked by claude itself', async () => {
    const schema = {
      type: 'object',
      properties: { sum: { type: 'integer' } },
      required: ['sum'],
      additionalProperties: false,
    };
    const wrong: Reply = { kind: 'structured', value: { sum: 'four' } };
    const right: Reply = { kind: 'structured', value: { sum: 4 } };
    const { events, end } = await ask(scripted(wrong, right), { schema });
    keep('schema');
    expect(answerOf(end)).toBe('{"sum":4}');
    expect(server.log.at(-1)).toMatchObject({
      schema,
      toolResults: [expect.stringContaining('must be integer')],
    });
    expect(events.map(({ kind }) => kind)).toEqual(['started', 'usage', 'completed']);
  });

  test('one in plain words where a schema was given is left to us', async () => {
    const schema = { type: 'object', properties: { sum: { type: 'integer' } } };
    const { end } = await ask(scripted(text('{"sum": 4}')), { schema });
    expect(answerOf(end)).toBe('{"sum": 4}');
  });

  test.each(['proposal', 'examination', 'plan-answer'] as const)(
    'the schema of our own that it answers by is taken: %s',
    async (name) => {
      const schema = (await schemaCheck({})).schema(name);
      const prompt = scripted({ kind: 'structured', value: {} }, text('{}'));
      const asked = server.log.length;
      const { end } = await ask(prompt, { schema });
      expect(answerOf(end)).toBe('{}');
      const results = server.log.slice(asked).flatMap(({ toolResults }) => toolResults);
      expect(results).toEqual([expect.stringMatching(/^Output does not match/)]);
    },
  );

  test('role and model reach the provider', async () => {
    const role = 'Be a "critic"\nof C:\\paths and ’quotes’; --not-an-option.';
    const { end } = await ask(scripted(text('Yes.')), { role, model: 'claude-haiku-4-5-20251001' });
    expect(end.facts.model).toBe('claude-haiku-4-5-20251001');
    expect(server.log.at(-1)).toMatchObject({
      model: 'claude-haiku-4-5-20251001',
      system: expect.stringContaining(role),
    });
  });

  test('files are read, in further folders too, and nowhere else', async () => {
    room.write('extra/notes.txt', 'noted there');
    room.write('home/private.txt', 'nobody’s business');
    const [own, extra] = [join(room.repo, 'src/list.js'), join(room.base, 'extra/notes.txt')];
    const prompt = scripted(
      ...[own, extra, join(room.home, 'private.txt')].map(read),
      text('Read.'),
    );
    const asked = server.log.length;
    const { events, end } = await ask(prompt, { extraDirs: [join(room.base, 'extra')] });
    keep('reading');
    expect(answerOf(end)).toBe('Read.');
    const seen = server.log.slice(asked).flatMap(({ toolResults }) => toolResults);
    expect(seen.join('\n')).toMatch(/export const list[^]*noted there/);
    expect(seen.join('\n')).not.toContain('nobody’s business');
    expect(events).toContainEqual({ kind: 'file-read', path: extra });
    expect(events).toContainEqual({
      kind: 'warning',
      text: 'it was not permitted to use Read',
    });
  });
});

describe('prompts', () => {
  test.each([1, 6])('one of %i MB arrives whole, and in no process’s arguments', async (size) => {
    const filler = 'word-of-the-prompt '.repeat(size * 53_000);
    const prompt = `${scripted({ kind: 'slow', text: 'Read.', delayMs: 1_000 })}\n${filler}.`;
    const asked = server.log.length;
    const running = ask(prompt);
    await until('the model is asked', () => server.log.length > asked);
    const lines = commandLines();
    expect(lines.some((line) => line.includes('--safe-mode'))).toBe(true);
    expect(lines.filter((line) => line.includes('word-of-the-prompt'))).toEqual([]);
    expect(answerOf((await running).end)).toBe('Read.');
    expect(server.log.at(-1)?.prompt.includes(prompt)).toBe(true);
  });

  test('the limit is the one that claude has', async () => {
    const marker = scripted(text('Taken.'));
    const atLimit = marker + 'x'.repeat(claude.maxPromptBytes - marker.length);
    expect(answerOf((await ask(atLimit)).end)).toBe('Taken.');
    const asked = server.log.length;
    expect(answerOf((await ask(`${atLimit}x`)).end)).toMatchObject({ category: 'request-refused' });
    expect(server.log.length).toBe(asked);
  });

  test('one that looks like an option is none', async () => {
    const prompt = `--version ${scripted(text('Understood.'))}`;
    expect(answerOf((await ask(prompt)).end)).toBe('Understood.');
  });

  test('one that looks like a command is none', async () => {
    const prompt = `/context ${scripted(text('Understood.'))}`;
    expect(answerOf((await ask(prompt)).end)).toBe('Understood.');
  });

  test('a file that is only mentioned is not sent', async () => {
    room.write('home/private.txt', 'nobody’s business');
    const mention = `@${room.home}/private.txt @src/list.js`;
    const prompt = `${mention} ${scripted(text('Not seen.'))} ${mention}`;
    expect(answerOf((await ask(prompt)).end)).toBe('Not seen.');
    expect(server.log.at(-1)?.prompt).toContain(prompt);
    expect(server.log.at(-1)?.prompt).not.toMatch(/nobody’s business|export const list/);
  });
});

describe('planning is read-only', () => {
  test('nothing is written, whatever the model tries and the user’s settings allow', async () => {
    room.write(
      'home/.claude/settings.json',
      JSON.stringify({
        permissions: { allow: ['Bash', 'Write', 'Edit'], defaultMode: 'bypassPermissions' },
      }),
    );
    const before = room.tree();
    const targets = [`${room.repo}/made.txt`, `${room.repo}/.git/made`, `${room.home}/made`];
    const replies: Reply[] = [
      ...targets.map((target): Reply => ({ kind: 'tool', tool: 'write', target, content: 'x' })),
      ...targets.map((target) => shell(`echo made > ${target}`)),
      shell(`rm -rf ${room.repo}/src; git -C ${room.repo} config user.name Nobody`),
    ];
    const { end } = await ask(scripted(...replies, text('I could not.')));
    keep('refused');
    expect(answerOf(end)).toBe('I could not.');
    expect(room.tree()).toEqual(before);
    expect(end.facts.filesChanged).toEqual([]);
    expect(server.log.at(-1)?.tools).toEqual(['Glob', 'Grep', 'Read']);
  });

  test('a session that is gone on with is read-only too', async () => {
    const first = await ask(scripted(text('One.')));
    const before = room.tree();
    const resume = { agentSession: first.end.facts.agentSession ?? '', cwd: room.repo };
    const prompt = scripted(shell('echo made > made.txt'), text('I could not.'));
    expect(answerOf((await ask(prompt, { resume })).end)).toBe('I could not.');
    expect(room.tree()).toEqual(before);
  });

  test('what it is made to write all the same is told', async () => {
    const free = roomFor(unbound, { IS_SANDBOX: '1' });
    const target = join(free.repo, 'made.txt');
    const write: Reply = { kind: 'tool', tool: 'write', target, content: 'made' };
    const prompt = scripted(write, shell('echo out; exit 3'), text('Done.'));
    const { events, end } = await runToEnd(free.agent(), free.request(prompt));
    record(free, { adapter: claude, name: 'writing' });
    free.remove();
    expect(answerOf(end)).toBe('Done.');
    expect(end.facts.filesChanged).toEqual([target]);
    expect(events).toContainEqual({ kind: 'tool-call', name: 'Bash', detail: 'echo out; exit 3' });
  });
});

const hooks = (witness: string) => ({
  hooks: Object.fromEntries(
    ['SessionStart', 'UserPromptSubmit', 'Stop'].map((event) => [
      event,
      [{ hooks: [{ type: 'command', command: `touch ${witness}-${event}` }] }],
    ]),
  ),
});
const servers = (witness: string) => ({
  mcpServers: { mine: { command: 'touch', args: [witness] } },
});

describe('isolation', () => {
  test('hooks, servers, memory and skills stay out, of the user and of the project', async () => {
    for (const place of ['home', 'repo']) {
      const witness = join(room.base, `${place}-was-run`);
      room.write(`${place}/.claude/settings.json`, JSON.stringify(hooks(witness)));
      room.write(
        place === 'home' ? 'home/.claude.json' : 'repo/.mcp.json',
        JSON.stringify(servers(witness)),
      );
      room.write(place === 'home' ? 'home/.claude/CLAUDE.md' : 'repo/CLAUDE.md', 'note-of-memory');
      room.write(
        `${place}/.claude/skills/mine/SKILL.md`,
        '---\nname: mine\ndescription: note-of-skill\n---\nHello.',
      );
    }
    expect(answerOf((await ask(scripted(text('Yes.')))).end)).toBe('Yes.');
    expect(Object.keys(room.tree()).filter((path) => path.includes('was-run'))).toEqual([]);
    const { prompt = '', system = '' } = server.log.at(-1) ?? {};
    expect(`${prompt}${system}`).not.toMatch(/note-of-(?:memory|skill)/);
  });

  test('the login of the user’s settings is kept, and the model that they name', async () => {
    const bare = roomFor(claude, { ANTHROPIC_API_KEY: undefined });
    const settings = { apiKeyHelper: 'echo key-of-the-helper', model: 'haiku' };
    bare.write('home/.claude/settings.json', JSON.stringify(settings));
    const { end } = await runToEnd(bare.agent(), bare.request(scripted(text('Yes.'))));
    bare.remove();
    expect(answerOf(end)).toBe('Yes.');
    expect(server.log.at(-1)?.model).toContain('haiku');
  });

  test('inside another session of it, it is a session of its own', async () => {
    const inner = roomFor(claude, {
      CLAUDECODE: '1',
      CLAUDE_CODE_ENTRYPOINT: 'cli',
      CLAUDE_CODE_SSE_PORT: '1',
      CLAUDE_CODE_SESSION_ID: '11111111-1111-4111-8111-111111111111',
    });
    const { end } = await runToEnd(inner.agent(), inner.request(scripted(text('Yes.'))));
    inner.remove();
    expect(answerOf(end)).toBe('Yes.');
  });

  test('without a login it is not-logged-in, at once', async () => {
    const bare = roomFor(claude, { ANTHROPIC_API_KEY: undefined });
    const { end } = await runToEnd(bare.agent(), bare.request('Hello?'));
    record(bare, { adapter: claude, name: 'not-logged-in' });
    bare.remove();
    expect(answerOf(end)).toMatchObject({
      category: 'not-logged-in',
      detail: expect.stringContaining('claude auth login'),
    });
    expect(end.facts.durationMs).toBeLessThan(5_000);
  });

  test('its readiness is its version, told without a home', async () => {
    const ready = await room.agent().ready(new AbortController().signal);
    expect(ready).toMatchObject({ state: 'ready', version: '2.1.197' });
  });
});

describe('sessions', () => {
  test('one is gone on with from its id, and only the new tokens count', async () => {
    const first = await ask(scripted(text('One.')));
    const { agentSession, tokens } = first.end.facts;
    const resume = { agentSession: agentSession ?? '', cwd: room.repo };
    const { end } = await ask(scripted(text('Two.')), { resume, role: 'Be brief.', model: 'opus' });
    keep('resumed');
    expect(answerOf(end)).toBe('Two.');
    expect(end.facts).toMatchObject({ agentSession, tokens });
    expect(server.log.at(-1)?.prompt).toMatch(/scenario[^]*scenario/);
    expect(server.log.at(-1)?.system).toContain('Be brief.');
  });

  test('one is gone on with in the folder where it began', async () => {
    const first = await ask(scripted(text('One.')));
    const cwd = join(room.repo, 'src');
    const resume = { agentSession: first.end.facts.agentSession ?? '', cwd: room.repo };
    const { end } = await ask(scripted(read(join(cwd, 'list.js')), text('Two.')), { cwd, resume });
    expect(answerOf(end)).toBe('Two.');
    expect(server.log.at(-1)?.toolResults.join()).toContain('export const list');
  });

  test.each(['01a1fd7a-0000-4000-8000-000000000000', 'no-such-session'])(
    'an unknown one is lost, not begun anew: %s',
    async (agentSession) => {
      const asked = server.log.length;
      const { end } = await ask('Hello?', { resume: { agentSession, cwd: room.repo } });
      expect(answerOf(end)).toMatchObject({ category: 'session-lost' });
      expect(server.log.length).toBe(asked);
    },
  );

  test('a conversation has an id of ours, another for each run', async () => {
    const ids = [await ask(scripted(text('One.'))), await ask(scripted(text('Two.')))].map(
      ({ end }) => end.facts.agentSession,
    );
    expect(new Set(ids).size).toBe(2);
    expect(claude.argv(room.request('x', { mark: 'm' }))).toEqual(
      claude.argv(room.request('y', { mark: 'm' })),
    );
  });
});

describe('failures', () => {
  const cells: readonly [string, Reply, FailureCategory][] = [
    ['400', status(400), 'request-refused'],
    [
      '400 for want of credit',
      status(400, { message: 'Your credit balance is too low to access the Anthropic API.' }),
      'rate-limited',
    ],
    [
      '400 for too long a prompt',
      status(400, { message: 'prompt is too long: 300000 tokens > 200000 maximum' }),
      'request-refused',
    ],
    ['401', status(401), 'not-logged-in'],
    ['403', status(403), 'not-logged-in'],
    ['404', status(404), 'request-refused'],
    ['413', status(413), 'request-refused'],
    ['429', status(429), 'rate-limited'],
    ['429 that names its wait', status(429, { retryAfter: 1 }), 'rate-limited'],
    ['429 that names a long wait', status(429, { retryAfter: 3_600 }), 'rate-limited'],
    ['500', status(500), 'network'],
    ['503', status(503), 'network'],
    ['529', status(529), 'rate-limited'],
    ['a dropped connection', { kind: 'drop', when: 'before' }, 'network'],
    ['a connection dropped in the middle', { kind: 'drop', when: 'middle' }, 'network'],
    ['garbage', { kind: 'garbage' }, 'network'],
    ['no answer', { kind: 'empty' }, 'empty-answer'],
  ];

  test.each(cells)('%s ends within ten seconds, rightly named', async (name, reply, category) => {
    const { end } = await ask(scripted(reply), { limits: { totalMs: 10_000 } });
    keep(`failed: ${name}`.replace(/\W+/g, '-'));
    expect(answerOf(end)).toMatchObject({ category, agent: 'claude' });
    expect(end.facts.exitCode).not.toBe(null);
  });

  test.each(['before', 'middle'] as const)('a model that hangs (%s) is left', async (when) => {
    const { end } = await ask(scripted({ kind: 'hang', when }), { limits: { idleMs: 2_000 } });
    expect(answerOf(end)).toMatchObject({ category: 'timed-out', detail: 'no output for 2 s' });
    expect(end.facts.durationMs).toBeLessThan(6_000);
  });

  test('its own time limit, where the user set one, is a time limit', async () => {
    const hasty = roomFor(claude, { API_TIMEOUT_MS: '500' });
    const { end } = await runToEnd(
      hasty.agent(),
      hasty.request(scripted({ kind: 'hang', when: 'before' })),
    );
    hasty.remove();
    expect(answerOf(end)).toMatchObject({ category: 'timed-out' });
  });

  test('a failure that it gets over is told and no failure', async () => {
    const { events, end } = await ask(scripted(status(500), text('At last.')));
    keep('retried');
    expect(answerOf(end)).toBe('At last.');
    expect(events).toContainEqual({
      kind: 'retrying',
      reason: 'server_error (500)',
      delay_ms: expect.any(Number),
    });
  });

  test('no network ends in time', async () => {
    const closed = roomFor(claude, { ANTHROPIC_BASE_URL: 'http://127.0.0.1:9' });
    const { end } = await runToEnd(closed.agent(), closed.request('Hello?'));
    closed.remove();
    expect(answerOf(end)).toMatchObject({ category: 'network' });
    expect(end.facts.durationMs).toBeLessThan(15_000);
  });
});

const naptime = () => `97${(scenarios += 1)}.5`;
const sleepers = (time: string) =>
  commandLines().filter((line) => line.includes(`sleep\0${time}\0`));

describe('ends during a running tool', () => {
  const times = process.env['CONCLAVE_CONTRACT'] === 'full' ? 10 : 3;
  const runs = Array.from({ length: times }, (_, run) => run + 1);

  test.each(runs)('a cancelled run leaves no process (%i)', async () => {
    const free = roomFor(unbound);
    const time = naptime();
    const abort = new AbortController();
    const request = free.request(scripted(shell(`sleep ${time}`), text('Late.')));
    const running = runToEnd(free.agent(), request, abort.signal);
    await until('the tool runs', () => sleepers(time).length === 1);
    abort.abort();
    expect(answerOf((await running).end)).toMatchObject({ category: 'cancelled' });
    expect(sleepers(time)).toEqual([]);
    expect(marked(request.mark)).toEqual([]);
    free.remove();
  });

  test.each(runs)('a run that takes too long leaves no process (%i)', async () => {
    const free = roomFor(unbound);
    const time = naptime();
    const request = free.request(scripted(shell(`sleep ${time}`), text('Late.')), {
      limits: { totalMs: 3_000 },
    });
    const running = runToEnd(free.agent(), request);
    await until('the tool runs', () => sleepers(time).length === 1);
    expect(answerOf((await running).end)).toMatchObject({ category: 'timed-out' });
    expect(sleepers(time)).toEqual([]);
    expect(marked(request.mark)).toEqual([]);
    free.remove();
  });
});

test('a program that is no claude is said to be none', async () => {
  const bin = join(room.base, 'bin');
  mkdirSync(bin);
  execFileSync('ln', ['-s', '/bin/false', join(bin, 'claude')]);
  const ready = await room.agent({ path: join(bin, 'claude') }).ready(AbortSignal.timeout(5_000));
  expect(ready.state).toBe('not-installed');
});
