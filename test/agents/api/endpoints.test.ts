// Tests addresses and keys that are not right, and servers that are not what they should be.
import { existsSync, readFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { describe, expect, test } from 'vitest';
import { addressNote, addressOf, findKey } from '../../../src/agents/api/api-setup.ts';
import { familyOf } from '../../../src/agents/api/api-providers.ts';
import {
  findLocalServers,
  llamaPlace,
  offerOf,
  usualPlaces,
} from '../../../src/agents/api/local-servers.ts';
import type { CliAgentSettings } from '../../../src/agents/cli/cli-setup.ts';
import type { ProviderName } from '../../../src/model/agent-settings.ts';
import { neverAborted } from '../../../src/model/signal.ts';
import { isAlive, runToEnd, until } from '../agent-room.ts';
import { apiRoom, secretKey, serverWith } from './room.ts';

const of = (
  baseUrl: string | undefined,
  provider: ProviderName = 'openai',
  environment: NodeJS.ProcessEnv = {},
) => {
  const setup = { api: { provider, model: 'm', baseUrl }, settings: {}, environment };
  return [addressOf(setup).address, addressNote(setup)];
};

describe('an address', () => {
  test('is the provider’s own, loses a slash at its end, and gets the path that it lacks with a note', () => {
    expect(of(undefined)).toEqual(['https://api.openai.com/v1', null]);
    expect(of('http://127.0.0.1:1/v1/')).toEqual(['http://127.0.0.1:1/v1', null]);
    expect(of('http://127.0.0.1:1/', 'compatible')).toEqual([
      'http://127.0.0.1:1/v1',
      'its base_url has no path, so http://127.0.0.1:1/v1 is asked',
    ]);
    expect(of('http://127.0.0.1:1', 'google')[0]).toBe('http://127.0.0.1:1/v1beta');
    expect(of('http://127.0.0.1:1/own/path')).toEqual(['http://127.0.0.1:1/own/path', null]);
  });

  test.each([
    ['openai', 'OPENAI_BASE_URL', 'http://gate/v1', 'http://gate/v1'],
    ['openai', 'OPENAI_BASE_URL', 'http://gate/openai/', 'http://gate/openai'],
    ['openai', 'OPENAI_BASE_URL', 'http://gate', 'http://gate/v1'],
    ['anthropic', 'ANTHROPIC_BASE_URL', 'http://gate/claude', 'http://gate/claude/v1'],
    ['anthropic', 'ANTHROPIC_BASE_URL', 'http://gate/v1', 'http://gate/v1'],
    ['google', 'GOOGLE_GEMINI_BASE_URL', 'http://gate', 'http://gate/v1beta'],
    ['xai', 'XAI_BASE_URL', 'http://gate/v1', 'http://gate/v1'],
  ] as const)(
    'of %s is that of the gateway in %s (%s), which its own base_url comes before',
    (provider, name, given, asked) => {
      const note = `it uses ${asked}, from ${name}`;
      expect(of(undefined, provider, { [name]: given })).toEqual([asked, note]);
      expect(of('http://own/v1', provider, { [name]: given })).toEqual(['http://own/v1', null]);
      expect(of(undefined, provider, { [name]: '' })).toEqual(of(undefined, provider));
    },
  );

  test('of a gateway that answers with a web page is named by its variable', async () => {
    const room = await apiRoom();
    const gateway = await serverWith((_, response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).end('<html>Hello</html>');
    });
    const environment = { OPENAI_BASE_URL: gateway, OPENAI_API_KEY: secretKey };
    const agent = await room.agent('openai', {
      baseUrl: undefined,
      keyEnv: undefined,
      environment,
    });
    const { end } = await runToEnd(agent, room.request('Hello?'));
    expect(end).toMatchObject({
      ok: false,
      failure: { detail: expect.stringContaining('check OPENAI_BASE_URL') },
    });
  });

  test.each([
    [
      'that answers with a web page',
      (_: unknown, response: Parameters<RequestListener>[1]) => {
        response.writeHead(200, { 'content-type': 'text/html' }).end('<html>Hello</html>');
      },
      /answered with a web page, not with an answer of a model; check base_url/,
    ],
    [
      'that leads elsewhere',
      (_: unknown, response: Parameters<RequestListener>[1]) => {
        response.writeHead(302, { location: 'https://example.invalid/v1' }).end();
      },
      /leads elsewhere \(https:\/\/example\.invalid\/v1\); put that address into base_url/,
    ],
  ])('%s is named as wrong', async (_, listener, detail) => {
    const room = await apiRoom();
    const agent = await room.agent('compatible', { baseUrl: `${await serverWith(listener)}/v1` });
    const { end } = await runToEnd(agent, room.request('Hello?'));
    expect(end).toMatchObject({
      ok: false,
      failure: { category: 'request-refused', detail: expect.stringMatching(detail) },
    });
  });

  test('with https to a plain port is named as wrong', async () => {
    const room = await apiRoom();
    const baseUrl = room.server.url.replace('http:', 'https:');
    const agent = await room.agent('compatible', { baseUrl: `${baseUrl}/api/v1` });
    const { end } = await runToEnd(agent, room.request('Hello?'));
    expect(end).toMatchObject({
      ok: false,
      failure: {
        category: 'network',
        detail: expect.stringContaining(
          'begins with https, but the server there speaks plain http',
        ),
      },
    });
  });

  test('where nobody listens is a failure of the network', async () => {
    const room = await apiRoom();
    const agent = await room.agent('compatible', { baseUrl: 'http://127.0.0.1:9/v1' });
    const { end } = await runToEnd(agent, room.request('Hello?'));
    expect(end).toMatchObject({ ok: false, failure: { category: 'network' } });
  });
});

const setup = (environment: NodeJS.ProcessEnv, more: object = {}) => ({
  name: 'mine',
  settings: {},
  api: { provider: 'google' as const, model: 'm', ...more },
  environment,
});

const printer = (code: string) => [process.execPath, '-e', code];
const onPath = { PATH: process.env['PATH'] ?? '' };

describe('a key', () => {
  test('is found in the first variable that holds one', () => {
    const both = { GEMINI_API_KEY: ' ', GOOGLE_GENERATIVE_AI_API_KEY: 'k' };
    expect(findKey(setup(both))).toEqual({
      state: 'found',
      key: 'k',
      source: 'GOOGLE_GENERATIVE_AI_API_KEY',
    });
    expect(findKey(setup(both, { keyEnv: 'OTHER' }))).toEqual({
      state: 'missing',
      why: 'OTHER is not set',
    });
    expect(findKey(setup({ GEMINI_API_KEY: '' }))).toEqual({
      state: 'missing',
      why: 'GEMINI_API_KEY or GOOGLE_GENERATIVE_AI_API_KEY is empty',
    });
  });

  test('that is empty leaves the agent not ready, with what to do', async () => {
    const room = await apiRoom();
    const agent = await room.agent('xai', { environment: { MY_API_KEY: '' } });
    expect(await agent.ready(neverAborted)).toEqual({
      state: 'not-logged-in',
      why: 'MY_API_KEY is empty',
      remedy:
        'Set MY_API_KEY to a key, or name a program that prints one: key_command under [agents.mine] of your own settings.',
    });
  });

  test('comes from a program that is run once, and is in nothing that is kept', async () => {
    const room = await apiRoom();
    const count = `${room.folder}/count`;
    const code = `require('fs').appendFileSync(${JSON.stringify(count)}, 'x'); console.log(${JSON.stringify(secretKey)})`;
    const agent = await room.agent('openai', {
      keyCommand: [process.execPath, '-e', code],
      environment: { PATH: process.env['PATH'] ?? '' },
    });
    room.server.fallback(() => ({ kind: 'text', text: `{"said": "${secretKey}"}` }));
    const first = await runToEnd(agent, room.request('Hello?'));
    const second = await runToEnd(agent, room.request('Hello?'));
    expect(first.end).toMatchObject({ ok: true });
    expect(JSON.stringify([first, second])).not.toContain(secretKey);
    expect(readFileSync(count, 'utf8')).toBe('x');
    expect(readFileSync(`${room.folder}/events.jsonl`, 'utf8')).not.toContain(secretKey);
  });

  test('that two agents wait for reaches the one that stays, where the other is cancelled or out of time', async () => {
    const room = await apiRoom();
    const lead = JSON.stringify(`${room.folder}/lead`);
    const code = `const fs = require('fs'); fs.appendFileSync(${JSON.stringify(`${room.folder}/count`)}, 'x');
      setInterval(() => fs.existsSync(${lead}) && (console.log('${secretKey}'), process.exit()), 20);`;
    const withKey = (settings: CliAgentSettings) =>
      room.agent('openai', { keyCommand: printer(code), environment: onPath, settings });
    const [hasty, left, patient] = [
      await withKey({ timeoutMs: 500 }),
      await withKey({}),
      await withKey({}),
    ];
    room.server.fallback(() => ({ kind: 'text', text: 'Hello.' }));
    const abort = new AbortController();
    const request = () => room.request('Hello?');
    const first = runToEnd(hasty, request());
    const second = runToEnd(left, request(), abort.signal);
    const third = runToEnd(patient, request());
    expect((await first).end).toMatchObject({ failure: { category: 'timed-out' } });
    abort.abort();
    expect((await second).end).toMatchObject({ failure: { category: 'cancelled' } });
    room.write('lead', '');
    expect((await third).end).toMatchObject({ ok: true, text: 'Hello.' });
    expect(readFileSync(`${room.folder}/count`, 'utf8')).toBe('x');
  });

  test('that nobody waits for any more is not asked for on', async () => {
    const room = await apiRoom();
    const pid = `${room.folder}/pid`;
    const code = `require('fs').writeFileSync(${JSON.stringify(pid)}, String(process.pid)); setInterval(() => {}, 1000)`;
    const agent = await room.agent('openai', { keyCommand: printer(code), environment: onPath });
    const abort = new AbortController();
    const running = runToEnd(agent, room.request('Hello?'), abort.signal);
    const told = () => (existsSync(pid) ? Number(readFileSync(pid, 'utf8')) : 0);
    await until('the program runs', () => told() > 0);
    abort.abort();
    expect((await running).end).toMatchObject({ failure: { category: 'cancelled' } });
    await until('it has ended', () => !isAlive(told()));
  });

  test('is that of its own agent, where one program prints it by its variables', async () => {
    const room = await apiRoom();
    const keyCommand = printer('console.log(`key-of-${process.env.SERVICE}`)');
    const sent: unknown[] = [];
    const listening = await serverWith(({ headers }, response) => {
      sent.push(headers.authorization);
      response.writeHead(401).end();
    });
    for (const SERVICE of ['one', 'two']) {
      const more = { keyCommand, environment: onPath, baseUrl: `${listening}/v1` };
      const agent = await room.agent('compatible', { ...more, settings: { env: { SERVICE } } });
      await runToEnd(agent, room.request('Hello?'));
    }
    expect(sent).toEqual(['Bearer key-of-one', 'Bearer key-of-two']);
  });

  test('that its server refused is printed anew for the next run, because it may have expired', async () => {
    const room = await apiRoom();
    const count = JSON.stringify(`${room.folder}/count`);
    const keyCommand = printer(
      `const fs = require('fs'); fs.appendFileSync(${count}, 'x'); console.log('key-' + fs.statSync(${count}).size)`,
    );
    const sent: unknown[] = [];
    const listening = await serverWith(({ headers }, response) => {
      sent.push(headers.authorization);
      response.writeHead(401).end();
    });
    const more = { keyCommand, environment: onPath, baseUrl: `${listening}/v1` };
    const agent = await room.agent('compatible', more);
    await runToEnd(agent, room.request('Hello?'));
    await runToEnd(agent, room.request('Hello?'));
    expect(sent).toEqual(['Bearer key-1', 'Bearer key-2']);
  });

  test.each([
    [['false'], 'key_command "false" ended with exit code 1'],
    [['true'], 'key_command "true" printed no key'],
    [['no-such-program-here'], 'key_command "no-such-program-here" could not be run'],
  ])('that %j does not print is a missing login', async (keyCommand, detail) => {
    const room = await apiRoom();
    const agent = await room.agent('openai', { keyCommand, environment: onPath });
    const { end } = await runToEnd(agent, room.request('Hello?'));
    expect(end).toMatchObject({
      ok: false,
      failure: { category: 'not-logged-in', detail: expect.stringContaining(detail) },
    });
  });
});

describe('a server of the user', () => {
  const schema = { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] };

  test.each([
    ['tools', 'registry.ollama.ai/library/gemma:2b does not support tools'],
    [
      'tools',
      '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set',
    ],
    ['schema', "'response_format.type' must be 'text'"],
    ['schema', 'Unrecognized request argument supplied: response_format'],
  ] as const)('that refuses %s is asked without: %s', async (part, message) => {
    const room = await apiRoom();
    const agent = await room.agent('compatible');
    room.server.fallback(({ tools, schema: asked }) => {
      const isOffered = part === 'tools' ? tools.length > 0 : asked !== null;
      return isOffered
        ? { kind: 'status', status: 400, message }
        : { kind: 'text', text: 'Sure:\n```json\n{"a": "b"}\n```' };
    });
    const { end, events } = await runToEnd(agent, room.request('Hello?', { schema }));
    const what =
      part === 'tools' ? 'the tools that read the repository' : 'the schema of the answer';
    expect(end).toMatchObject({ ok: true, text: 'Sure:\n```json\n{"a": "b"}\n```' });
    expect(end.facts.notes).toEqual([`it was asked without ${what}, which its endpoint refused`]);
    expect(events).toContainEqual(
      expect.objectContaining({ type: 'warning', message: expect.stringContaining(message) }),
    );
  });

  test.each([
    ['in a fence', '```json\n{"a": "b"}\n```'],
    ['of two objects', '{"a": "draft"}\n{"a": "b"}'],
  ])('whose answer %s breaks the schema is read as it came, and counts', async (_what, answer) => {
    const room = await apiRoom();
    const agent = await room.agent('openai');
    room.server.fallback(() => ({ kind: 'text', text: answer }));
    const { end } = await runToEnd(agent, room.request('Hello?', { schema }));
    expect(end).toMatchObject({ ok: true, text: answer, facts: { tokens: { input: 1000 } } });
  });

  test('of a hosted model that refuses the schema is told it in words', async () => {
    const room = await apiRoom();
    const agent = await room.agent('google');
    const message = "Function calling with a response mime type: 'application/json' is unsupported";
    room.server.fallback(({ schema: asked }) =>
      asked === null
        ? { kind: 'text', text: '{"a": "b"}' }
        : { kind: 'status', status: 400, message },
    );
    expect(agent.traits.schemaWay(schema)).toEqual({ tool: null });
    const { end } = await runToEnd(agent, room.request('Hello?', { schema }));
    expect(end.ok).toBe(true);
    const [first, second] = room.server.log;
    expect(first?.prompt).not.toContain('JSON Schema of the answer');
    expect(second?.prompt).toContain(`JSON Schema of the answer:\n{"type":"object"`);
    expect(second?.tools).toHaveLength(3);
  });

  test('that cuts a long prompt in silence fails the run and says what to raise', async () => {
    const room = await apiRoom();
    const agent = await room.agent('compatible');
    const { server } = room;
    const { url } = server;
    expect(url).toContain('127.0.0.1');
    const cutting = await serverWith((request, response) => {
      request.resume().on('end', () => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        const choices = [{ index: 0, delta: { content: '{"a":1}' }, finish_reason: 'stop' }];
        const usage = { prompt_tokens: 2_048, completion_tokens: 5, total_tokens: 2_053 };
        const chunk = { id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm' };
        response.end(`data: ${JSON.stringify({ ...chunk, choices, usage })}\n\ndata: [DONE]\n\n`);
      });
    });
    const own = await room.agent('compatible', { baseUrl: `${cutting}/v1` });
    const long = 'const value = compute(input);\n'.repeat(2_000);
    const { end } = await runToEnd(own, room.request(long));
    expect(end).toMatchObject({
      ok: false,
      failure: {
        category: 'request-refused',
        detail: expect.stringMatching(
          /^the server read only 2048 of about \d+ tokens; raise its context \(Ollama: OLLAMA_CONTEXT_LENGTH\), or set context_tokens under \[agents\.mine\]$/,
        ),
      },
    });
    // What reads all of it is no such server.
    server.fallback(() => ({ kind: 'text', text: '{"a":1}' }));
    expect((await runToEnd(agent, room.request(long))).end.ok).toBe(true);
  });

  test('whose window is known gets prompts that fit', async () => {
    const room = await apiRoom();
    const agent = await room.agent('compatible', { contextTokens: 8_192 });
    const { maxPromptBytes } = agent.traits;
    // A third is kept for its answer.
    expect(maxPromptBytes / 3.2).toBeCloseTo(8_192 * (2 / 3), -2);
    const { end } = await runToEnd(agent, room.request('x'.repeat(maxPromptBytes + 1)));
    expect(end).toMatchObject({ ok: false, failure: { category: 'request-refused' } });
  });
});

describe('servers of local models', () => {
  test('are found with their models, whatever else listens, and one that never answers is not waited for', async () => {
    const list = await serverWith((request, response) => {
      expect(request.url).toBe('/v1/models');
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ data: [{ id: 'llama3:8b' }, { id: 'qwen3' }] }));
    });
    const page = await serverWith((_, response) => void response.end('<html>'));
    const silent = await serverWith(() => undefined);
    const places = [
      { label: 'Ollama', origin: list },
      { label: 'A page', origin: page },
      { label: 'Silence', origin: silent },
      { label: 'Nobody', origin: 'http://127.0.0.1:9' },
    ];
    const found = await findLocalServers(places);
    expect(found).toEqual([
      { label: 'Ollama', baseUrl: `${list}/v1`, models: ['llama3:8b', 'qwen3'] },
    ]);
    expect(found.map(offerOf)).toEqual([
      `Ollama answers at ${list}/v1 with llama3:8b, qwen3. To use one, put this into your settings:
[agents.ollama]
provider = "compatible"
base_url = "${list}/v1"
model = "llama3:8b"`,
    ]);
  });

  test('are looked for on the port of llama.cpp only where all is examined', () => {
    expect(usualPlaces({}).map(({ origin }) => origin)).toEqual([
      'http://127.0.0.1:11434',
      'http://127.0.0.1:1234',
    ]);
    expect(llamaPlace({}).origin).toBe('http://127.0.0.1:8080');
    expect(llamaPlace({ LLAMA_ARG_PORT: '4000' }).origin).toBe('http://127.0.0.1:4000');
  });

  test.each([
    [undefined, 'http://127.0.0.1:11434'],
    ['127.0.0.1:4000', 'http://127.0.0.1:4000'],
    ['0.0.0.0:4000', 'http://127.0.0.1:4000'],
    ['http://localhost:4000/', 'http://127.0.0.1:4000'],
    // Another machine is none of ours.
    ['models.example.invalid:4000', 'http://127.0.0.1:11434'],
  ])('OLLAMA_HOST=%s is looked for at %s', (host, origin) => {
    const [ollama] = usualPlaces(host === undefined ? {} : { OLLAMA_HOST: host });
    expect(ollama).toEqual({ label: 'Ollama', origin });
  });

  test.each([
    ['llama3:8b', 'llama'],
    ['codellama:13b', 'llama'],
    ['meta-llama/Llama-3.3-70B-Instruct', 'llama'],
    ['qwen3-coder:30b', 'qwen'],
    ['qwq', 'qwen'],
    ['mixtral:8x7b', 'mistral'],
    ['devstral', 'mistral'],
    ['deepseek-r1-distill-llama-70b', 'deepseek'],
    ['gemma3:4b', 'gemma'],
    ['gpt-oss:20b', 'gpt-oss'],
    ['openai/gpt-oss-120b', 'gpt-oss'],
    ['my-own-model', null],
    [null, null],
  ])('the family of %s is %s', (model, family) => {
    expect(familyOf(model)).toBe(family);
  });
});
