// Tests answers, refusals and addresses of servers that are unlike those of OpenAI.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
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
    [
      502,
      '<html><head><title>502 Bad Gateway</title></head><h1>502 Bad Gateway</h1>nginx</html>',
      '502 Bad Gateway nginx',
    ],
    [502, '<html><h1>502 Bad Gateway</h1><p>Ask the gatekeeper.</p></html>', /gatekeeper/],
  ])('of status %i and %j are in the failure', async (status, body, detail) => {
    const { end } = await ask(({ response }) => json(response, status, body));
    const told = end.ok ? '' : end.failure.detail;
    expect(typeof detail === 'string' ? told === detail : detail.test(told), told).toBe(true);
  });

  test('are told of a refusal that is nested without end', async () => {
    const { end } = await ask(({ response }) => {
      response.writeHead(400, { 'content-type': 'application/json' });
      response.end(`${'{"error":'.repeat(100_000)}"no"${'}'.repeat(100_000)}`);
    });
    expect(end).toMatchObject({ ok: false, failure: { category: 'request-refused' } });
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

test('a role is part of the prompt for a server whose model may know no system message', async () => {
  const { end, log } = await ask(({ response }) => good(response), {
    role: 'Answer like a pirate.',
  });
  expect(end).toMatchObject({ ok: true });
  expect(log.map(({ asked }) => asked.messages)).toMatchObject([
    [{ role: 'user', content: expect.stringContaining('pirate') }],
  ]);
});

describe('an answer', () => {
  const whole = { role: 'assistant', content: answer };

  test('that comes at once in place of a stream is read', async () => {
    const { end } = await ask(({ response }) =>
      json(response, 200, {
        ...base,
        object: 'chat.completion',
        choices: [{ index: 0, message: whole, finish_reason: 'stop' }],
        usage: { prompt_tokens: 50, completion_tokens: 5, total_tokens: 55 },
      }),
    );
    expect(end).toMatchObject({ ok: true, text: answer, facts: { tokens: { input: 50 } } });
  });

  test.each([
    [429, 'Rate limit exceeded: free-models-per-min', 'rate-limited'],
    [503, 'No provider is there', 'network'],
    ['no_such_model', 'The model does not exist', 'request-refused'],
  ])('of status 200 that is an error %s is that error', async (code, message, category) => {
    const { end } = await ask(({ response }) =>
      json(response, 200, { error: { message, code, metadata: {} } }),
    );
    expect(end).toMatchObject({ ok: false, failure: { category, detail: message } });
    expect(end.facts.tokens).toBeNull();
  });

  test.each([
    [
      'a text',
      { error: 'model "m" not found, try pulling it first' },
      'model "m" not found, try pulling it first',
    ],
    ['a detail', { detail: 'Model is not loaded' }, 'Model is not loaded'],
  ])(
    'of status 200 whose error is %s is told in the words of the server',
    async (_, body, detail) => {
      const { end } = await ask(({ response }) => json(response, 200, body));
      expect(end).toMatchObject({ ok: false, failure: { detail } });
    },
  );

  test('whose pieces cannot be read is malformed, also where it was to call a tool', async () => {
    const call = { index: 0, id: 'c', type: 'function', function: { name: 'x', arguments: {} } };
    const { end } = await ask(({ response }) =>
      stream(response, piece({ tool_calls: [call] }), piece({}, 'tool_calls')),
    );
    const detail = expect.stringContaining('malformed response');
    expect(end).toMatchObject({ ok: false, failure: { category: 'network', detail } });
  });

  test.each([
    ['that says so', '', piece({}, 'stop')],
    ['with no reason of its end', '', ''],
    ['with an error that its end follows', `data: {"error":{"message":"Overloaded"}}\n\n`, ''],
  ])('is whole at the mark of its end, %s', async (_, fault, last) => {
    const { end } = await ask(({ response }) => stream(response, piece(whole), fault, last));
    expect(end.ok).toBe(fault === '');
  });

  test('that breaks off before the mark of its end is none', async () => {
    const { end } = await ask(({ response }) =>
      response.writeHead(200, { 'content-type': 'text/event-stream' }).end(piece(whole)),
    );
    expect(end).toMatchObject({ ok: false, failure: { category: 'network' } });
  });

  test.each([
    ['reasoning_content', { schema }, true],
    ['reasoning', { schema }, true],
    ['reasoning', { schema: { ...schema, required: ['other'] } }, false],
    ['reasoning', {}, false],
  ])('that came only as %s counts where it fits the schema: %j', async (field, more, fits) => {
    const { end } = await ask(
      ({ response }) => stream(response, piece({ [field]: answer }), piece({}, 'stop'), used(9)),
      more,
    );
    const notes = ['its answer came only as reasoning'];
    const failure = {
      category: 'empty-answer',
      detail: 'it ended without an answer: all that came was its reasoning',
    };
    expect(end).toMatchObject(
      fits ? { ok: true, text: answer, facts: { notes } } : { ok: false, failure },
    );
  });

  test('is without the block of thoughts at its very beginning', async () => {
    expect(await text('<think>\nHm.\n</think>\n\nForty-two.')).toBe('Forty-two.');
    expect(await text('Say <think>no</think>.')).toBe('Say <think>no</think>.');
    expect(await text('<think>a</think><think>b</think>')).toBe('<think>b</think>');
    expect(await text('<think>Hm.</think>')).toBe(
      'it ended without an answer: all that came was its reasoning',
    );
  });
});

/** The bytes that are in use, without what only waits to be collected: that hangs on how busy a machine is. */
function liveMemory(): number {
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

describe('a flood', () => {
  const block = 'x'.repeat(64 * 1024);

  test.each([
    [
      'of text',
      200,
      'text/event-stream',
      '',
      piece({ content: block }),
      /longer than 2 MB|over 24 MB/,
    ],
    [
      'of thoughts',
      200,
      'text/event-stream',
      '',
      piece({ reasoning: block }),
      /longer than 2 MB|over 24 MB/,
    ],
    ['of keep-alives', 200, 'text/event-stream', '', `: ${block}\n\n`, /over 24 MB/],
    ['in one line', 200, 'text/event-stream', 'data: {"a":"', block, /over 4 MB/],
    ['in one piece of JSON', 200, 'application/json', '{"a":"', block, /over 4 MB/],
    ['in a refusal', 500, 'application/json', '{"error":"', block, /over 4 MB/],
  ])('%s ends the run, and costs little memory', async (_, status, type, start, one, why) => {
    // So that what a first run loads counts for nothing.
    await ask(({ response }) => good(response));
    const before = liveMemory();
    let most = before;
    const { end } = await ask(({ response }) => {
      response.writeHead(status, { 'content-type': type }).write(start);
      const look = setInterval(() => {
        most = Math.max(most, liveMemory());
      }, 100);
      response.on('close', () => clearInterval(look));
      pour(response, one, 300);
    });
    expect(end).toMatchObject({ ok: false, failure: { detail: expect.stringMatching(why) } });
    expect((most - before) / 1024 / 1024).toBeLessThan(64);
  });
});

test('a server that tells no usage is counted by what was sent and written, and that is said', async () => {
  const text = 'x'.repeat(3_200);
  const { end, events } = await ask(
    ({ response }) => stream(response, piece({ content: text }), piece({}, 'stop')),
    {},
  );
  const notes = ['its server reported no usage, so its tokens are an estimate'];
  expect(end).toMatchObject({
    ok: true,
    facts: { tokens: { output: 1_000, estimated: true }, notes },
  });
  // With the tools that were offered.
  expect(end.facts.tokens?.input).toBeGreaterThan(200);
  const { input, output } = end.facts.tokens ?? {};
  const usage = { type: 'usage', inputTokens: input, outputTokens: output, estimated: true };
  expect(events).toContainEqual(expect.objectContaining(usage));
});

test('a request that was refused costs nothing, where the use is an estimate', async () => {
  const room = await apiRoom();
  const { url } = await oddServer(({ asked: { stream_options: wish }, response }) => {
    if (wish === undefined) stream(response, piece({ content: answer }), piece({}, 'stop'));
    else json(response, 400, { error: { message: 'No stream_options here.' } });
  });
  const agent = await room.agent('compatible', { baseUrl: `${url}/v1` });
  const refused = await runToEnd(agent, room.request('Hello?'));
  const { end } = await runToEnd(agent, room.request('Hello?'));
  expect(end.facts.tokens?.estimated).toBe(true);
  expect(refused.end.facts.tokens).toEqual(end.facts.tokens);
});

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

const text = async (said: string) => {
  const { end } = await ask(({ response }) => good(response, said), {});
  return end.ok ? end.text : end.failure.detail;
};

/** Sends pieces until nobody takes them any more, or the sum is reached. */
const pour = (response: ServerResponse, one: string, megabytes: number) => {
  let left = Math.ceil((megabytes * 1024 * 1024) / one.length);
  const more = () => {
    while (left > 0 && !response.destroyed) {
      left -= 1;
      if (!response.write(one)) return void response.once('drain', more);
    }
    response.end();
  };
  more();
};
