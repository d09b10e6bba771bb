// Tests answers, refusals and addresses of servers that are unlike those of OpenAI.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { runToEnd } from '../agent-room.ts';
import { apiRoom, serverWith } from './room.ts';

const schema = {
  type: 'object',
  properties: { said: { type: 'string' } },
  required: ['said'],
};
const answer = '{"said": "Hello."}';

const Asked = z.looseObject({
  response_format: z.looseObject({ type: z.string() }).optional(),
  stream_options: z.unknown().optional(),
  tools: z.array(z.unknown()).optional(),
  messages: z.array(z.unknown()),
});
type Asked = z.infer<typeof Asked>;

interface Exchange {
  readonly asked: Asked;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** A server of chat completions that answers as a test says; `log` has what it was asked. */
async function oddServer(reply: (exchange: Exchange) => unknown) {
  const log: { readonly url: string; readonly headers: object; readonly asked: Asked }[] = [];
  const url = await serverWith((request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (piece: string) => {
      text += piece;
    });
    request.on('end', () => {
      const asked = Asked.parse(JSON.parse(text));
      log.push({ url: request.url ?? '', headers: request.headers, asked });
      reply({ asked, request, response });
    });
  });
  return { url, log };
}

const json = (response: ServerResponse, status: number, body: unknown) =>
  response
    .writeHead(status, { 'content-type': 'application/json' })
    .end(typeof body === 'string' ? body : JSON.stringify(body));

const base = { id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm' };
const piece = (delta: object, finish_reason: string | null = null) =>
  `data: ${JSON.stringify({ ...base, choices: [{ index: 0, delta, finish_reason }] })}\n\n`;
const used = (input: number) =>
  `data: ${JSON.stringify({ ...base, choices: [], usage: { prompt_tokens: input, completion_tokens: 5, total_tokens: input + 5 } })}\n\n`;
const stream = (response: ServerResponse, ...pieces: readonly string[]) =>
  response
    .writeHead(200, { 'content-type': 'text/event-stream' })
    .end(`${pieces.join('')}data: [DONE]\n\n`);
const good = (response: ServerResponse, text = answer) =>
  stream(response, piece({ role: 'assistant', content: text }), piece({}, 'stop'), used(100));

/** An agent at such a server, asked once. */
async function ask(
  reply: (exchange: Exchange) => unknown,
  more: Parameters<Awaited<ReturnType<typeof apiRoom>>['request']>[1] = { schema },
) {
  const room = await apiRoom();
  const server = await oddServer(reply);
  const agent = await room.agent('compatible', { baseUrl: `${server.url}/v1` });
  const run = await runToEnd(agent, room.request('Hello?', more));
  return { ...run, room, agent, log: server.log };
}

describe('a refusal that names a part of the request', () => {
  test.each([
    [
      'response_format',
      400,
      { error: { message: 'This response_format type is unavailable now' } },
    ],
    ['response_format', 422, { detail: 'response_format.type `json_schema` is unavailable now' }],
    ['stream_options', 400, { error: { message: 'No stream_options here.' } }],
    [
      'stream_options',
      422,
      {
        object: 'error',
        message: {
          detail: [{ loc: ['body', 'stream_options'], msg: 'Extra inputs are not permitted' }],
        },
      },
    ],
    ['tools', 400, { error: { message: 'tools: this model has none' } }],
  ] as const)('%s (%i) is asked again without it: %j', async (part, status, body) => {
    const { end, log } = await ask(({ asked, response }) =>
      asked[part] === undefined ? good(response) : json(response, status, body),
    );
    expect(end).toMatchObject({ ok: true, text: answer });
    expect(log).toHaveLength(2);
  });

  test('is met once for each part, is told, and is not asked for again', async () => {
    const room = await apiRoom();
    const { url, log } = await oddServer(({ asked, response }) => {
      const part = (['response_format', 'stream_options', 'tools'] as const).find(
        (one) => asked[one] !== undefined,
      );
      if (part === undefined) good(response);
      else json(response, 400, { error: { message: `${part} is unavailable` } });
    });
    const agent = await room.agent('compatible', { baseUrl: `${url}/v1` });
    const notes = [
      'it was asked without the schema of the answer, which its endpoint refused',
      'it was asked without the tools that read the repository, which its endpoint refused',
    ];
    for (const requests of [4, 5, 6]) {
      const { end } = await runToEnd(agent, room.request('Hello?', { schema }));
      expect(end).toMatchObject({ ok: true, facts: { notes } });
      expect(log).toHaveLength(requests);
    }
    const other = await runToEnd(agent, room.request('Hello?', { schema, model: 'other' }));
    expect(other.end.ok).toBe(true);
    expect(log).toHaveLength(10);
  });
});

describe('the words of a server', () => {
  test.each([
    [
      422,
      { detail: [{ loc: ['body', 'messages', 0, 'role'], msg: 'permitted: user, assistant' }] },
      'Unprocessable Entity: body.messages.0.role: permitted: user, assistant',
    ],
    [400, { message: { detail: 'The flux is low.' } }, 'Bad Request: The flux is low.'],
    [400, { error: 'The flux is low.' }, 'Bad Request: The flux is low.'],
    [
      400,
      {
        error: {
          message: 'Provider returned error',
          metadata: { raw: '{"error":{"message":"The flux is low."}}' },
        },
      },
      'Provider returned error: The flux is low.',
    ],
    [502, '<html><h1>502 Bad Gateway</h1><p>Ask the gatekeeper.</p></html>', /gatekeeper/],
  ])('of status %i and %j are in the failure', async (status, body, detail) => {
    const { end } = await ask(({ response }) => json(response, status, body));
    const words = typeof detail === 'string' ? detail : expect.stringMatching(detail);
    expect(end).toMatchObject({ ok: false, failure: { detail: words } });
  });

  test('of a 402 are a quota, however they are put', async () => {
    const { end } = await ask(({ response }) =>
      json(response, 402, { error: { message: 'Insufficient Balance' } }),
    );
    expect(end).toMatchObject({
      failure: { category: 'quota-used-up', detail: 'Insufficient Balance' },
    });
  });

  test('about the window of the model name the setting that holds requests within it', async () => {
    const message =
      "This model's maximum context length is 8192 tokens. However, you requested 20000 tokens.";
    const { end } = await ask(({ response }) => json(response, 400, { error: { message } }));
    expect(end).toMatchObject({
      failure: {
        category: 'request-refused',
        detail: `${message} Set context_tokens under [agents.mine], so that requests keep within its window.`,
      },
    });
  });
});

describe('an address', () => {
  const asked = async (path: string, environment: Record<string, string> = {}) => {
    const room = await apiRoom();
    const { url, log } = await oddServer(({ response }) => good(response));
    const agent = await room.agent('compatible', {
      baseUrl: `${url}${path}`,
      environment: { MY_API_KEY: 'key-of-the-user', ...environment },
    });
    const { end } = await runToEnd(agent, room.request('Hello?'));
    expect(end).toMatchObject({ ok: true });
    return log[0];
  };

  test('of a deployment of Azure keeps its version behind the path, and gets the key as Azure wants it', async () => {
    const deployment = '/openai/deployments/gpt-5';
    for (const path of [deployment, `${deployment}/chat/completions`]) {
      expect(await asked(`${path}?api-version=2025-01-01`)).toMatchObject({
        url: `${deployment}/chat/completions?api-version=2025-01-01`,
        headers: { 'api-key': 'key-of-the-user' },
      });
    }
  });

  test('that was pasted with the path of the request is asked as it is', async () => {
    for (const path of ['/v1/chat/completions', '/v1/chat/completions/', '/chat/completions']) {
      expect((await asked(path))?.url).toBe(path.replace(/\/$/, ''));
    }
  });

  test('is reached through the proxy of the environment, but for NO_PROXY and loopback', async () => {
    const room = await apiRoom();
    const seen: string[] = [];
    const proxy = await serverWith((request, response) => {
      seen.push(`${request.method} ${request.url}`);
      request.resume().on('end', () => good(response, 'Through the proxy.'));
    });
    const run = async (baseUrl: string, environment: Record<string, string>) => {
      const key = { MY_API_KEY: 'key-of-the-user' };
      const agent = await room.agent('compatible', {
        baseUrl,
        environment: { ...key, ...environment },
      });
      return (await runToEnd(agent, room.request('Hello?'))).end;
    };
    const away = 'http://models.invalid/v1';
    const HTTP_PROXY = proxy;
    expect(await run(away, { HTTP_PROXY })).toMatchObject({ text: 'Through the proxy.' });
    expect(seen).toEqual(['POST http://models.invalid/v1/chat/completions']);
    const around = await run(away, { HTTP_PROXY, NO_PROXY: 'models.invalid' });
    expect(around).toMatchObject({ ok: false, failure: { category: 'network' } });
    room.server.fallback(() => ({ kind: 'text', text: 'Direct.' }));
    expect(
      await run(`${room.server.url}/api/v1`, { HTTP_PROXY, HTTPS_PROXY: proxy }),
    ).toMatchObject({ text: 'Direct.' });
    expect(seen).toHaveLength(1);
  });

  test('with https is reached through a tunnel, and a proxy that refuses it is named', async () => {
    const room = await apiRoom();
    const proxy = await serverWith((_, response) => void response.end());
    const agent = await room.agent('compatible', {
      baseUrl: 'https://models.invalid/v1',
      environment: { MY_API_KEY: 'key-of-the-user', https_proxy: proxy },
    });
    const { end } = await runToEnd(agent, room.request('Hello?'));
    expect(end).toMatchObject({
      ok: false,
      failure: { category: 'network', detail: expect.stringMatching(/proxy|tunnel/i) },
    });
  });
});
