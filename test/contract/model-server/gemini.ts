import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { Dialect, ModelRequest, Reply } from './reply.ts';

/** The Gemini API: `POST …/models/MODEL:streamGenerateContent`, answered as server-sent events. */
export const gemini: Dialect = {
  name: 'gemini',
  matches: ({ method, url }) => method === 'POST' && call.test(url ?? ''),
  read({ url }, body) {
    const [, model, question] = call.exec(url ?? '') ?? [];
    return model !== undefined && question === 'streamGenerateContent'
      ? modelRequest(model, Body.parse(body))
      : null;
  },
  respond: (response, reply, { model }) => respond(response, reply, model),
  // What the CLI asks beside the conversation (which model, who speaks next, a summary) goes
  // without streaming and wants JSON; this fits each of them.
  respondOther: (_request, response) =>
    json(response, 200, chunk([{ text: JSON.stringify(sideAnswer) }], 'STOP', 1)),
};

const call = /\/models\/([^/:?]+):(\w+)/;

const sideAnswer = {
  reasoning: 'a scripted answer',
  next_speaker: 'user',
  model_choice: 'pro',
  complexity_reasoning: 'a scripted answer',
  complexity_score: 1,
};

const Part = z.object({
  text: z.string().optional(),
  thought: z.boolean().optional(),
  functionResponse: z.object({ response: z.unknown() }).optional(),
});
const Content = z.object({ role: z.string().optional(), parts: z.array(Part).default([]) });
const Body = z.object({
  contents: z.array(Content),
  systemInstruction: Content.optional(),
  tools: z
    .array(z.object({ functionDeclarations: z.array(z.object({ name: z.string() })).default([]) }))
    .default([]),
  generationConfig: z
    .object({ responseJsonSchema: z.unknown(), responseSchema: z.unknown() })
    .partial()
    .default({}),
});

function modelRequest(model: string, body: z.infer<typeof Body>): ModelRequest {
  const asked = body.contents.filter(({ role }) => role !== 'model');
  const lastQuestion = asked.findLastIndex(({ parts }) => textOf(parts) !== '');
  return {
    prompt: asked
      .map(({ parts }) => textOf(parts))
      .filter(Boolean)
      .join('\n'),
    toolResults: asked
      .slice(lastQuestion)
      .flatMap(({ parts }) => parts)
      .flatMap(({ functionResponse }) =>
        functionResponse === undefined ? [] : [JSON.stringify(functionResponse.response)],
      ),
    system: textOf(body.systemInstruction?.parts ?? []),
    tools: body.tools.flatMap(({ functionDeclarations }) =>
      functionDeclarations.map(({ name }) => name),
    ),
    model,
    schema:
      body.generationConfig.responseJsonSchema ?? body.generationConfig.responseSchema ?? null,
  };
}

function textOf(parts: readonly z.infer<typeof Part>[]): string {
  return parts.map(({ text }) => text ?? '').join('');
}

async function respond(response: ServerResponse, reply: Reply, model: string): Promise<void> {
  const stream = (events: readonly unknown[]) => {
    sendEvents(
      response,
      events.map((event) =>
        typeof event === 'string' ? event : Object.assign({}, event, { modelVersion: model }),
      ),
    );
  };
  switch (reply.kind) {
    case 'text':
      return stream(answer(reply.text, reply.thinking));
    case 'structured':
      return stream(answer(JSON.stringify(reply.value)));
    case 'tool':
      return stream([chunk([{ functionCall: functionCall(reply) }], 'STOP')]);
    case 'slow':
      await sleep(reply.delayMs);
      return stream(answer(reply.text));
    case 'status':
      return refuse(response, reply);
    case 'hang':
      if (reply.when === 'middle') await begin(response);
      if (!response.destroyed) await once(response, 'close');
      return;
    case 'drop':
      if (reply.when === 'middle') await begin(response);
      response.destroy();
      return;
    case 'broken':
      return stream([chunk([{ text: reply.text }]), chunk([], endings[reply.by])]);
    case 'garbage':
      return stream(['{"candidates": [{"content": nothing of the sort']);
    case 'empty':
      return stream([chunk([], 'STOP')]);
  }
}

const endings = { length: 'MAX_TOKENS', refusal: 'PROHIBITED_CONTENT', filter: 'SAFETY' };

// Long texts come in pieces, as from a model.
function answer(text: string, thinking?: string): unknown[] {
  const pieces = text.match(/[^]{1,4000}/g) ?? [];
  const thoughts = thinking === undefined ? [] : [chunk([{ text: thinking, thought: true }])];
  return [...thoughts, ...pieces.map((piece) => chunk([{ text: piece }])), chunk([], 'STOP')];
}

function chunk(parts: readonly unknown[], finishReason?: string, written = 20): unknown {
  return {
    candidates: [
      {
        index: 0,
        content: { role: 'model', parts },
        ...(finishReason === undefined ? {} : { finishReason }),
      },
    ],
    usageMetadata: {
      promptTokenCount: 1000,
      cachedContentTokenCount: 400,
      candidatesTokenCount: written,
      thoughtsTokenCount: 5,
      totalTokenCount: 1005 + written,
    },
    modelVersion: 'scripted',
  };
}

function functionCall({ tool, target, content }: Extract<Reply, { kind: 'tool' }>): unknown {
  switch (tool) {
    case 'read':
      return { name: 'read_file', args: { file_path: target } };
    case 'search':
      return { name: 'grep_search', args: { pattern: target } };
    case 'list':
      return { name: 'glob', args: { pattern: target, respect_git_ignore: false } };
    case 'shell':
      return { name: 'run_shell_command', args: { command: target } };
    case 'write':
      return { name: 'write_file', args: { file_path: target, content: content ?? '' } };
  }
}

function sendEvents(response: ServerResponse, events: readonly unknown[]): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const event of events) {
    response.write(`data: ${typeof event === 'string' ? event : JSON.stringify(event)}\r\n\r\n`);
  }
  response.end();
}

/** Sends the first piece of an answer and leaves it open. */
async function begin(response: ServerResponse): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const first = `data: ${JSON.stringify(chunk([{ text: 'The first piece' }]))}\r\n\r\n`;
  await new Promise((sent) => response.write(first, sent));
}

function refuse(response: ServerResponse, reply: Extract<Reply, { kind: 'status' }>): void {
  const { status: code, message, retryAfter } = reply;
  const details =
    retryAfter === undefined
      ? []
      : [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: `${retryAfter}s` }];
  if (retryAfter !== undefined) response.setHeader('retry-after', String(retryAfter));
  json(response, code, { error: { code, message, status: statusNames[code], details } });
}

const statusNames: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  429: 'RESOURCE_EXHAUSTED',
  500: 'INTERNAL',
  503: 'UNAVAILABLE',
};

function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}
