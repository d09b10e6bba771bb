import { mkdirSync, readdirSync, readFileSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { AgentAdapter, AgentEnd, RunFile } from '../../src/agents/agent.ts';
import { defaultModel, gemini } from '../../src/agents/gemini.ts';
import type { FailureCategory } from '../../src/model/failure.ts';
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
  room = roomFor(gemini);
});
afterEach(() => room.remove());

const key = 'test-key-of-nobody';

/** With the login by an API key, as a user’s settings have it. */
function roomFor(adapter: AgentAdapter, environment: NodeJS.ProcessEnv = {}): CliRoom {
  const made = cliRoom({
    adapter,
    environment: { GOOGLE_GEMINI_BASE_URL: server.url, GEMINI_API_KEY: key, ...environment },
    own: ['home/.gemini/tmp', 'home/.gemini/installation_id'],
  });
  made.write('home/.gemini/settings.json', loginSettings);
  return made;
}

const loginSettings = `{
  // As it may be written by hand.
  "security": { "auth": { "selectedType": "gemini-api-key" } }
}`;

let scenarios = 0;
/** A prompt to which the model replies so, in order. */
function scripted(...replies: Reply[]): string {
  const marker = `[[scenario:gemini-${(scenarios += 1)}]]`;
  server.on(marker, replies);
  return `${marker}\nWhat should we do?`;
}
const text = (words: string): Reply => ({ kind: 'text', text: words });
const shell = (command: string): Reply => ({ kind: 'tool', tool: 'shell', target: command });
const read = (target: string): Reply => ({ kind: 'tool', tool: 'read', target });
const write = (target: string): Reply => ({ kind: 'tool', tool: 'write', target, content: 'made' });
const status = (code: number, more: { retryAfter?: number; message?: string } = {}): Reply => ({
  kind: 'status',
  status: code,
  message: 'in the words of the provider',
  ...more,
});
const answerOf = (end: AgentEnd) => (end.ok ? end.text : end.failure);
const ask = (prompt: string, more?: RequestParts) =>
  runToEnd(room.agent(), room.request(prompt, more));
const keep = (name: string) => record(room, { adapter: gemini, name });

/** With tools that planning never gives to it. */
const unbound: AgentAdapter = {
  ...gemini,
  files: (request, user) => {
    const more = '"grep_search","run_shell_command","write_file"]';
    const withMore = (file: RunFile) =>
      typeof file === 'string' ? file.replace('"grep_search"]', more) : file;
    const files = Object.entries(gemini.files?.(request, user) ?? {});
    return Object.fromEntries(files.map(([path, file]) => [path, withMore(file)]));
  },
};

describe('answers', () => {
  test('a text comes with its session, model and tokens, thoughts among them', async () => {
    const prompt = scripted({ kind: 'text', text: 'Do this.', thinking: 'Well, so.' });
    const { events, end } = await ask(prompt);
    keep('text');
    expect(answerOf(end)).toBe('Do this.');
    expect(events).toEqual([
      expect.objectContaining({ kind: 'started' }),
      { kind: 'message', text: 'Do this.', partial: true },
      expect.objectContaining({ kind: 'usage' }),
      { kind: 'completed', text: null },
    ]);
    expect(end.facts).toMatchObject({
      agentSession: expect.stringMatching(/^[\da-f-]{36}$/),
      model: defaultModel,
      tokens: { input: 1000, output: 25, cached: 400 },
      costUsd: null,
      exitCode: 0,
      unknownEvents: 0,
      notes: [],
    });
    expect(server.log.at(-1)?.model).toBe(defaultModel);
    expect(gemini.vendorOf(end.facts.model)).toBe('google');
  });

  test('a long text comes whole, and so does one that takes its time', async () => {
    const long = 'A sentence of the answer. '.repeat(40_000);
    const { end } = await ask(scripted(text(long)));
    expect(answerOf(end) === long).toBe(true);
    const prompt = scripted({ kind: 'slow', text: 'Late.', delayMs: 3_000 });
    expect(answerOf((await ask(prompt)).end)).toBe('Late.');
  });

  test('a schema is said to be nothing for it, and does not reach the provider', async () => {
    expect(gemini.can.schema).toBe(false);
    const schema = { type: 'object', properties: { sum: { type: 'integer' } } };
    const { end } = await ask(scripted({ kind: 'structured', value: { sum: 4 } }), { schema });
    expect(answerOf(end)).toBe('{"sum":4}');
    expect(server.log.at(-1)?.schema).toBe(null);
  });

  test('role and model reach the provider', async () => {
    const role =
      'Be a "critic" of @src/list.js\nof C:\\paths and ’quotes’; --not-an-option {{args}}.';
    const prompt = scripted(text('Yes.'));
    const { end } = await ask(prompt, { role, model: 'gemini-3-flash-preview' });
    expect(end.facts.model).toBe('gemini-3-flash-preview');
    expect(server.log.at(-1)).toMatchObject({
      model: 'gemini-3-flash-preview',
      prompt: expect.stringContaining(`${role}\n\n${prompt}`),
    });
  });

  test('files are read, in further folders too, and nowhere else', async () => {
    room.write('extra, and more/notes.txt', 'noted there');
    room.write('home/private.txt', 'nobody’s business');
    const [extra, own] = [join(room.base, 'extra, and more'), join(room.repo, 'src/list.js')];
    const targets = ['src/list.js', join(extra, 'notes.txt'), join(room.home, 'private.txt')];
    const asked = server.log.length;
    const prompt = scripted(...[own, ...targets].map(read), text('Read.'));
    const { events, end } = await ask(prompt, { extraDirs: [extra] });
    keep('reading');
    expect(answerOf(end)).toBe('Read.');
    const seen = server.log.slice(asked).flatMap(({ toolResults }) => toolResults);
    expect(seen.join('\n')).toMatch(/export const list[^]*noted there/);
    expect(seen.join('\n')).not.toContain('nobody’s business');
    expect(events).toContainEqual({ kind: 'file-read', path: join(extra, 'notes.txt') });
    expect(events).toContainEqual({
      kind: 'warning',
      text: expect.stringContaining('not in workspace'),
    });
  });
});

describe('prompts', () => {
  test.each([1, 3])('one of %i MB arrives whole, and in no process’s arguments', async (size) => {
    const filler = 'word-of-the-prompt '.repeat(size * 53_000);
    const prompt = `${scripted({ kind: 'slow', text: 'Read.', delayMs: 1_000 })}\n${filler}.`;
    const asked = server.log.length;
    const running = ask(prompt);
    await until('the model is asked', () => server.log.length > asked);
    const lines = commandLines();
    expect(lines.some((line) => line.includes('--output-format=stream-json'))).toBe(true);
    expect(lines.filter((line) => line.includes('word-of-the-prompt'))).toEqual([]);
    expect(answerOf((await running).end)).toBe('Read.');
    expect(server.log.at(-1)?.prompt.includes(prompt)).toBe(true);
  });

  test('the largest one arrives whole, with a role; a larger one is refused', async () => {
    const role = 'r'.repeat(100_000);
    const marker = scripted(text('Taken.'));
    const atLimit = marker + 'x'.repeat(gemini.maxPromptBytes - marker.length - 1);
    expect(answerOf((await ask(`${atLimit}!`, { role })).end)).toBe('Taken.');
    expect(server.log.at(-1)?.prompt.endsWith(`${atLimit}!`)).toBe(true);
    const asked = server.log.length;
    for (const larger of [`${atLimit}!!`, 'x'.repeat(6_000_000)]) {
      const { end } = await ask(larger);
      expect(answerOf(end)).toMatchObject({ category: 'request-refused' });
    }
    expect(server.log.length).toBe(asked);
  });

  test('a conversation that has become too long is refused, not empty', async () => {
    const role = 'r'.repeat(600_000);
    const { end } = await ask('x'.repeat(gemini.maxPromptBytes), { role });
    keep('too-long');
    expect(answerOf(end)).toMatchObject({ category: 'request-refused' });
  });

  test.each([
    [
      'names of files',
      '@src/list.js and @src\n\n  "@src/list.js"\tto nobody@src/list.js, @types/x',
    ],
    ['what commands are made of', '!{touch made} @{src/list.js} {{args}} !ls'],
    ['an option', '--version'],
    ['a command', '/help me /clear'],
  ])('one that holds %s arrives as it is, and nothing else with it', async (_what, words) => {
    const before = room.tree();
    const prompt = `${words}\n${scripted(text('Understood.'))}\n${words}`;
    expect(answerOf((await ask(prompt)).end)).toBe('Understood.');
    expect(server.log.at(-1)?.prompt.endsWith(`\n${prompt}`)).toBe(true);
    expect(server.log.at(-1)?.prompt).not.toContain('export const list');
    expect(room.tree()).toEqual(before);
  });
});

describe('planning is read-only', () => {
  const refused = () => [
    ...[`${room.repo}/made.txt`, `${room.repo}/.git/made`, `${room.home}/made`].flatMap(
      (target) => [write(target), shell(`echo made > ${target}`)],
    ),
    shell(`rm -rf ${room.repo}/src; git -C ${room.repo} config user.name Nobody`),
  ];

  test('nothing is written, whatever the model tries and the user’s settings allow', async () => {
    room.write(
      'home/.gemini/settings.json',
      JSON.stringify({
        security: { auth: { selectedType: 'gemini-api-key' } },
        general: { defaultApprovalMode: 'auto_edit' },
        tools: { allowed: ['run_shell_command', 'write_file'] },
      }),
    );
    const all = '[[rule]]\ntoolName = "*"\ndecision = "allow"\npriority = 999\n';
    room.write('home/.gemini/policies/all.toml', all);
    const before = room.tree();
    const replies = refused();
    const { end } = await ask(scripted(...replies, text('I could not.')));
    keep('refused');
    expect(answerOf(end)).toBe('I could not.');
    expect(room.tree()).toEqual(before);
    expect(end.facts.filesChanged).toEqual([]);
    expect(server.log.at(-1)?.toolResults).toHaveLength(replies.length);
    expect(server.log.at(-1)?.tools.toSorted()).toEqual([
      'glob',
      'grep_search',
      'list_directory',
      'read_file',
    ]);
  });

  test('each of its two locks holds without the other', async () => {
    const parts = { settings: '.gemini/settings.json', policy: 'read-only.toml' };
    for (const [part, opened] of Object.entries(parts)) {
      const half: AgentAdapter = {
        ...gemini,
        files: (request, user) => ({
          ...gemini.files?.(request, user),
          [opened]: unbound.files?.(request, user)[opened] ?? '',
        }),
      };
      const halfOpen = roomFor(half);
      const before = halfOpen.tree();
      const target = join(halfOpen.repo, 'made.txt');
      const prompt = scripted(write(target), shell(`echo made > ${target}`), text('I could not.'));
      const { end } = await runToEnd(halfOpen.agent(), halfOpen.request(prompt));
      expect({ part, answer: answerOf(end), tree: halfOpen.tree() }).toEqual({
        part,
        answer: 'I could not.',
        tree: before,
      });
      halfOpen.remove();
    }
  });

  test('with both open it would write', async () => {
    const open = roomFor(unbound);
    const target = join(open.repo, 'made.txt');
    const { end } = await runToEnd(
      open.agent(),
      open.request(scripted(write(target), shell('echo out; exit 3'), text('Done.'))),
    );
    record(open, { adapter: gemini, name: 'writing' });
    expect(answerOf(end)).toBe('Done.');
    expect(readFileSync(target, 'utf8')).toBe('made');
    expect(server.log.at(-1)?.toolResults.join()).toContain('Exit Code: 3');
    open.remove();
  });

  test('a session that is gone on with is read-only too', async () => {
    const first = await ask(scripted(text('One.')));
    const before = room.tree();
    const resume = { agentSession: first.end.facts.agentSession ?? '', cwd: room.repo };
    const prompt = scripted(...refused(), text('I could not.'));
    expect(answerOf((await ask(prompt, { resume })).end)).toBe('I could not.');
    expect(room.tree()).toEqual(before);
  });
});

describe('isolation', () => {
  const settings = (witness: string) => ({
    security: { auth: { selectedType: 'gemini-api-key' } },
    hooksConfig: { enabled: true },
    hooks: Object.fromEntries(
      ['SessionStart', 'BeforeAgent', 'BeforeModel', 'SessionEnd'].map((event) => [
        event,
        [{ hooks: [{ type: 'command', command: `touch ${witness}-${event}` }] }],
      ]),
    ),
    mcpServers: { mine: { command: 'touch', args: [`${witness}-server`] } },
    tools: { discoveryCommand: `touch ${witness}-discovery` },
  });

  test('hooks, servers, memory, skills, commands stay out, of the user and of the project', async () => {
    for (const place of ['home', 'repo']) {
      const witness = join(room.base, `${place}-was-run`);
      room.write(`${place}/.gemini/settings.json`, JSON.stringify(settings(witness)));
      room.write(place === 'home' ? 'home/.gemini/GEMINI.md' : 'repo/GEMINI.md', 'note-of-memory');
      room.write(
        `${place}/.gemini/skills/mine/SKILL.md`,
        '---\nname: mine\ndescription: note-of-skill\n---\nHello.',
      );
      room.write(`${place}/.gemini/commands/question.toml`, 'prompt = "note-of-command"');
      room.write(
        `${place}/.gemini/extensions/mine/gemini-extension.json`,
        JSON.stringify({
          name: 'mine',
          version: '1.0.0',
          contextFileName: 'note.md',
          mcpServers: { other: { command: 'touch', args: [`${witness}-extension`] } },
        }),
      );
      room.write(`${place}/.gemini/extensions/mine/note.md`, 'note-of-extension');
    }
    expect(answerOf((await ask(scripted(text('Yes.')))).end)).toBe('Yes.');
    expect(Object.keys(room.tree()).filter((path) => path.includes('was-run'))).toEqual([]);
    const { prompt = '', system = '' } = server.log.at(-1) ?? {};
    expect(`${prompt}${system}`).not.toMatch(/note-of-/);
  });

  test('variables of the project do not lead it elsewhere', async () => {
    const elsewhere = 'GOOGLE_GEMINI_BASE_URL=http://127.0.0.1:9\nGEMINI_SYSTEM_MD=src/list.js\n';
    room.write('repo/.env', `${elsewhere}GEMINI_API_KEY=key-of-the-project\n`);
    room.write('repo/.gemini/.env', elsewhere);
    const bare = { GEMINI_API_KEY: undefined, GOOGLE_GEMINI_BASE_URL: undefined };
    const { end } = await ask(scripted(text('Yes.')));
    expect(answerOf(end)).toBe('Yes.');
    const keyless = roomFor(gemini, bare);
    keyless.write('repo/.env', 'GEMINI_API_KEY=key-of-the-project\n');
    const refused = await runToEnd(keyless.agent(), keyless.request('Hello?'));
    keyless.remove();
    expect(answerOf(refused.end)).toMatchObject({ category: 'not-logged-in' });
  });

  test('its own prompt and tools are not for the user’s shell to change', async () => {
    const changed = roomFor(gemini, {
      GEMINI_SYSTEM_MD: join(room.repo, 'src/list.js'),
      GEMINI_SANDBOX: 'docker',
      GEMINI_MODEL: 'model-of-the-shell',
      GEMINI_CLI_TRUST_WORKSPACE: 'true',
    });
    const { end } = await runToEnd(changed.agent(), changed.request(scripted(text('Yes.'))));
    changed.remove();
    expect(answerOf(end)).toBe('Yes.');
    expect(server.log.at(-1)).toMatchObject({ model: defaultModel });
    expect(server.log.at(-1)?.system).not.toContain('export const list');
  });

  test.each(['.gemini/.env', '.env'])('a login in the user’s %s is kept', async (path) => {
    const bare = roomFor(gemini, { GEMINI_API_KEY: undefined });
    bare.write(`home/${path}`, `GEMINI_API_KEY=${key}\n`);
    const { end } = await runToEnd(bare.agent(), bare.request(scripted(text('Yes.'))));
    bare.remove();
    expect(answerOf(end)).toBe('Yes.');
  });

  test('a login in another home of it is kept', async () => {
    const moved = join(room.base, 'moved');
    room.write('moved/.gemini/settings.json', loginSettings);
    const elsewhere = roomFor(gemini, { GEMINI_CLI_HOME: moved });
    elsewhere.write('home/.gemini/settings.json', '{}');
    const { end } = await runToEnd(elsewhere.agent(), elsewhere.request(scripted(text('Yes.'))));
    elsewhere.remove();
    expect(answerOf(end)).toBe('Yes.');
    expect(readdirSync(join(moved, '.gemini/tmp'))).toHaveLength(1);
  });

  test('nothing of the user’s is changed, old sessions included', async () => {
    const name = 'session-2020-01-01T00-00-11111111.jsonl';
    const old = `home/.gemini/tmp/repo/chats/${name}`;
    room.write('home/.gemini/tmp/repo/.project_root', room.repo);
    room.write(old, '{"sessionId":"11111111-1111-4111-8111-111111111111","messages":[]}\n');
    utimesSync(join(room.base, old), 1_577_836_800, 1_577_836_800);
    const before = room.tree();
    expect(answerOf((await ask(scripted(text('Yes.')))).end)).toBe('Yes.');
    expect(room.tree()).toEqual(before);
    expect(readdirSync(join(room.home, '.gemini/tmp'))).toEqual(['repo']);
    expect(readdirSync(join(room.home, '.gemini/tmp/repo/chats'))).toHaveLength(2);
    expect(readFileSync(join(room.base, old), 'utf8')).not.toBe('');
  });

  test('a home that cannot be written to is no hindrance', async () => {
    const closed = roomFor(gemini);
    closed.write('home/.gemini/tmp', 'a file where a folder would have to be');
    const { end } = await runToEnd(closed.agent(), closed.request(scripted(text('Yes.'))));
    closed.remove();
    expect(answerOf(end)).toBe('Yes.');
  });

  test('without a login it is not-logged-in, at once', async () => {
    const bare = roomFor(gemini, { GEMINI_API_KEY: undefined, GOOGLE_GEMINI_BASE_URL: undefined });
    bare.write('home/.gemini/settings.json', '{}');
    const { end } = await runToEnd(bare.agent(), bare.request('Hello?'));
    bare.remove();
    expect(answerOf(end)).toMatchObject({
      category: 'not-logged-in',
      detail: expect.stringContaining('GEMINI_API_KEY'),
    });
    expect(end.facts.durationMs).toBeLessThan(10_000);
  });

  test('its readiness is its version', async () => {
    const ready = await room.agent().ready(new AbortController().signal);
    expect(ready).toMatchObject({ state: 'ready', version: '0.61.0' });
  });
});

describe('sessions', () => {
  test('one is gone on with from its id, and only the new tokens count', async () => {
    const first = await ask(scripted(text('One.')));
    const { agentSession, tokens } = first.end.facts;
    const resume = { agentSession: agentSession ?? '', cwd: room.repo };
    const { end } = await ask(scripted(text('Two.')), { resume, role: 'Be brief.' });
    keep('resumed');
    expect(answerOf(end)).toBe('Two.');
    expect(end.facts).toMatchObject({ agentSession, tokens });
    expect(server.log.at(-1)?.prompt).toMatch(/scenario[^]*Be brief\.[^]*scenario/);
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
      const resume = { agentSession, cwd: room.repo };
      const asked = server.log.length;
      expect(answerOf((await ask('Hello?', { resume })).end)).toMatchObject({
        category: 'session-lost',
      });
      expect(server.log.length).toBe(asked);
      await ask(scripted(text('One.')));
      expect(answerOf((await ask('Hello?', { resume })).end)).toMatchObject({
        category: 'session-lost',
      });
    },
  );

  test('a conversation has an id of ours, another for each run', async () => {
    const request = room.request(scripted(text('One.')));
    const { end } = await runToEnd(room.agent(), request);
    expect(gemini.argv(request)).toContain(`--session-id=${end.facts.agentSession}`);
    expect(gemini.argv(room.request('x'))).not.toEqual(gemini.argv(request));
  });

  test('a lock that another run left behind does not hold it up', async () => {
    mkdirSync(join(room.home, '.gemini/projects.json.lock'));
    const { end } = await ask(scripted(text('Yes.')));
    expect(answerOf(end)).toBe('Yes.');
    expect(end.facts.durationMs).toBeLessThan(10_000);
  });

  test('one run after the other, and two at once, none waits for a lock', async () => {
    const runs = ['a', 'b'].map((name) => async () => {
      const rawOutput = join(room.base, `${name}.jsonl`);
      const first = await ask(scripted(text('Yes.')), { rawOutput });
      const second = await ask(scripted(text('Yes.')), { rawOutput });
      return Math.max(first.end.facts.durationMs, second.end.facts.durationMs);
    });
    const longest = Math.max(...(await Promise.all(runs.map((run) => run()))));
    expect(longest).toBeLessThan(10_000);
  });
});

describe('failures', () => {
  const cells: readonly [string, Reply, FailureCategory][] = [
    ['400', status(400), 'request-refused'],
    [
      '400 for a bad key',
      status(400, { message: 'API key not valid. Please pass a valid API key.' }),
      'not-logged-in',
    ],
    ['401', status(401), 'not-logged-in'],
    ['403', status(403), 'not-logged-in'],
    [
      '404',
      status(404, { message: 'models/x is not found for API version v1beta' }),
      'request-refused',
    ],
    ['429', status(429, { message: 'Resource has been exhausted' }), 'rate-limited'],
    [
      '429 that names its wait',
      status(429, { message: 'You exceeded your current quota', retryAfter: 1 }),
      'rate-limited',
    ],
    [
      '429 that names a long wait',
      status(429, { message: 'You exceeded your current quota', retryAfter: 3_600 }),
      'rate-limited',
    ],
    ['500', status(500), 'network'],
    ['503', status(503), 'network'],
    ['a dropped connection', { kind: 'drop', when: 'before' }, 'network'],
    ['a connection dropped in the middle', { kind: 'drop', when: 'middle' }, 'network'],
    ['garbage', { kind: 'garbage' }, 'network'],
    ['no answer', { kind: 'empty' }, 'empty-answer'],
  ];

  test.each(cells)('%s ends within 15 seconds, rightly named', async (name, reply, category) => {
    const { end } = await ask(scripted(reply), { limits: { totalMs: 15_000 } });
    keep(`failed: ${name}`.replace(/\W+/g, '-'));
    expect(answerOf(end)).toMatchObject({ category, agent: 'gemini' });
    expect(end.facts.exitCode).not.toBe(null);
  });

  test('the wait that a rate limit asks for is told', async () => {
    const message = 'You exceeded your current quota';
    const { end } = await ask(scripted(status(429, { message, retryAfter: 3_600 })));
    expect(answerOf(end)).toMatchObject({ retry_after_ms: 3_600_000 });
  });

  test.each(['before', 'middle'] as const)('a model that hangs (%s) is left', async (when) => {
    const limits = { idleMs: 3_000 };
    const { end } = await ask(scripted({ kind: 'hang', when }), { limits });
    expect(answerOf(end)).toMatchObject({ category: 'timed-out' });
    expect(end.facts.durationMs).toBeLessThan(12_000);
  });

  test('a model that never comes to an end is stopped after a hundred turns', async () => {
    const asked = server.log.length;
    const { end } = await ask(scripted(read('src/list.js')));
    expect(answerOf(end)).toMatchObject({ category: 'timed-out' });
    expect(server.log.length - asked).toBe(100);
  });

  test.each([
    ['500', status(500)],
    ['429', status(429, { message: 'Resource has been exhausted' })],
    ['an empty answer', { kind: 'empty' }],
  ] as const)('one failure in between is no failure: %s', async (_name, reply) => {
    expect(answerOf((await ask(scripted(reply, text('At last.')))).end)).toBe('At last.');
  });

  test('no network ends in time', async () => {
    const closed = roomFor(gemini, { GOOGLE_GEMINI_BASE_URL: 'http://127.0.0.1:9' });
    const { end } = await runToEnd(closed.agent(), closed.request('Hello?'));
    closed.remove();
    expect(answerOf(end)).toMatchObject({ category: 'network' });
    expect(end.facts.durationMs).toBeLessThan(20_000);
  });

  test('no report of an error is left behind', async () => {
    const reported = roomFor(gemini, { TMPDIR: join(room.base, 'reports') });
    mkdirSync(join(room.base, 'reports'));
    await runToEnd(reported.agent(), reported.request(scripted(status(401))));
    expect(Object.keys(reported.tree()).filter((path) => path.endsWith('.files'))).toEqual([]);
    reported.remove();
    expect(readdirSync(join(room.base, 'reports'))).toEqual([]);
  });
});

const naptime = () => `96${(scenarios += 1)}.5`;
const sleepers = (time: string) =>
  commandLines().filter((line) => line.includes(`sleep\0${time}\0`));

describe('ends during a running tool', () => {
  const times = process.env['CONCLAVE_CONTRACT'] === 'full' ? 10 : 3;
  const runs = Array.from({ length: times }, (_, run) => run + 1);

  test.each(runs)('a cancelled run leaves no process (%i)', async () => {
    const free = roomFor(unbound);
    const time = naptime();
    const abort = new AbortController();
    const request = free.request(scripted(shell(`sleep ${time} & sleep ${time}`), text('Late.')));
    const running = runToEnd(free.agent(), request, abort.signal);
    await until('the tool runs', () => sleepers(time).length === 2);
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
      limits: { totalMs: 5_000 },
    });
    const running = runToEnd(free.agent(), request);
    await until('the tool runs', () => sleepers(time).length === 1);
    expect(answerOf((await running).end)).toMatchObject({ category: 'timed-out' });
    expect(sleepers(time)).toEqual([]);
    expect(marked(request.mark)).toEqual([]);
    free.remove();
  });
});
