import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { anthropic } from './anthropic.ts';
import { gemini } from './gemini.ts';
import { copilotCall, droidCall, openaiChat, opencodeCall, qwenCall } from './openai-chat.ts';
import { openaiResponses } from './openai-responses.ts';
import { type Dialect, eventStream, type ModelRequest, type Reply, sendJson } from './reply.ts';

/** Who can be asked in which wire format: one line each. */
const dialects: readonly Dialect[] = [
  anthropic,
  gemini,
  openaiResponses,
  openaiChat('copilot', copilotCall),
  openaiChat('opencode', opencodeCall),
  openaiChat('qwen', qwenCall),
  openaiChat('droid', droidCall),
  openaiChat('api', opencodeCall),
];

/** A question that reached the server. `at` in ms since the epoch. */
export interface LoggedRequest extends ModelRequest {
  readonly dialect: Dialect['name'];
  readonly at: number;
}

/** Stands in for the models of every provider, on loopback. */
export interface ModelServer {
  /** Without a path and without a slash at the end. */
  readonly url: string;
  /** Every question so far, whoever asked it. */
  readonly log: readonly LoggedRequest[];
  /** Whoever has `marker` in the prompt gets these in order, then the last one again and again. */
  on(marker: string, replies: readonly Reply[]): void;
  /** What everybody else gets. */
  fallback(answer: (asked: LoggedRequest) => Reply): void;
  /** Rejects where a question could not be read or answered: a CLI takes that for a network error. */
  close(): Promise<void>;
}

/** Some programs also ask for a title of the session, which no script is about. */
const isAside = ({ prompt, system }: LoggedRequest) =>
  system.includes('generates concise session titles') ||
  /^(?:<session>|Generate a (?:title for this conversation|concise, single-line task title))/.test(
    prompt,
  );

export async function startModelServer(): Promise<ModelServer> {
  const scripts = new Map<string, Reply[]>();
  const log: LoggedRequest[] = [];
  const problems: unknown[] = [];
  let otherwise: (asked: LoggedRequest) => Reply = hello;

  // A session that is gone on with holds its earlier prompts: the last marker counts.
  function replyTo(asked: LoggedRequest): Reply {
    if (isAside(asked)) return hello();
    const [last] = [...scripts.keys()]
      .map((marker) => ({ marker, at: asked.prompt.lastIndexOf(marker) }))
      .filter(({ at }) => at >= 0)
      .toSorted((a, b) => b.at - a.at);
    const replies = last === undefined ? [] : (scripts.get(last.marker) ?? []);
    const next = replies.length > 1 ? replies.shift() : replies[0];
    return next ?? otherwise(asked);
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const text = await textOf(request);
    const dialect = dialects.find((candidate) => candidate.matches(request));
    if (dialect === undefined) {
      response.writeHead(404).end();
      return;
    }
    const body: unknown = text === '' ? null : JSON.parse(text);
    const asked = dialect.read(request, body);
    if (asked === null) return dialect.respondOther(request, response);
    const logged = { ...asked, dialect: dialect.name, at: Date.now() };
    log.push(logged);
    await respond({ dialect, response, asked, body }, replyTo(logged));
  }

  const server = createServer((request, response) => {
    // A CLI that was ended in the middle of a question closes its connection.
    request.on('error', () => response.destroy());
    response.on('error', () => response.destroy());
    handle(request, response).catch((error: unknown) => {
      if (response.destroyed || request.destroyed) return;
      problems.push(error);
      response.destroy();
    });
  });
  server.listen(0, '127.0.0.1');
  await new Promise<void>((resolve, reject) => {
    server.once('listening', resolve).once('error', reject);
  });
  return {
    url: `http://127.0.0.1:${portOf(server.address())}`,
    log,
    on: (marker, replies) => void scripts.set(marker, [...replies]),
    fallback(answer) {
      otherwise = answer;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
      if (problems.length > 0) throw new AggregateError(problems, 'the model server failed');
    },
  };
}

interface Question {
  readonly dialect: Dialect;
  readonly response: ServerResponse;
  readonly asked: ModelRequest;
  readonly body: unknown;
}

async function respond(question: Question, reply: Reply): Promise<void> {
  const { dialect, response, asked, body } = question;
  switch (reply.kind) {
    case 'status':
      if (reply.retryAfter !== undefined) {
        response.setHeader('retry-after', String(reply.retryAfter));
      }
      return sendJson(response, reply.status, dialect.errorOf(reply));
    case 'hang':
      if (reply.when === 'middle') dialect.begin(response, asked);
      return;
    case 'drop':
      if (reply.when === 'middle') {
        dialect.begin(response, asked);
        // So that the piece is there before the end of the connection is.
        await sleep(50);
      }
      response.destroy();
      return;
    case 'garbage':
      response.writeHead(200, eventStream).end(dialect.garbage);
      return;
    case 'slow':
      await sleep(reply.delayMs);
      return dialect.answer(response, { kind: 'text', text: reply.text }, asked, body);
    case 'text':
    case 'tool':
      for (const [name, value] of Object.entries(reply.headers ?? {}))
        response.setHeader(name, value);
      return dialect.answer(response, reply, asked, body);
    case 'structured':
    case 'broken':
    case 'empty':
      return dialect.answer(response, reply, asked, body);
  }
}

function hello(): Reply {
  return { kind: 'text', text: 'Hello.' };
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString('utf8');
}

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return address.port;
}
