import type { ServerResponse } from 'node:http';
import { z } from 'zod';
import {
  type Answer,
  type Dialect,
  eventStream,
  type ModelRequest,
  ownCall,
  type Refusal,
  sendJson,
} from './reply.ts';

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
  begin: (response) => send(response, [chunk([{ text: 'The first piece' }])]),
  answer(response, reply, { model, tools }) {
    const events = eventsOf(reply, tools).map((event) => ({ ...event, modelVersion: model }));
    send(response, events);
    response.end();
  },
  garbage: 'data: {"candidates": [{"content": nothing of the sort\r\n\r\n',
  errorOf,
  // What the CLI asks beside the conversation (which model, who speaks next, a summary) goes
  // without streaming and wants JSON; this fits each of them.
  respondOther: (_request, response) =>
    sendJson(response, 200, chunk([{ text: JSON.stringify(sideAnswer) }], 'STOP', 1)),
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

function eventsOf(reply: Answer, tools: readonly string[]): readonly object[] {
  switch (reply.kind) {
    case 'text':
      return answer(reply.text, reply.thinking);
    case 'structured':
      return answer(JSON.stringify(reply.value));
    case 'tool':
      return [chunk([{ functionCall: functionCall(reply, tools) }], 'STOP')];
    case 'broken':
      return [chunk([{ text: reply.text }]), chunk([], endings[reply.by])];
    case 'empty':
      return [chunk([], 'STOP')];
  }
}

const endings = { length: 'MAX_TOKENS', refusal: 'PROHIBITED_CONTENT', filter: 'SAFETY' };

// Long texts come in pieces, as from a model.
function answer(text: string, thinking?: string): object[] {
  const pieces = text.match(/[^]{1,4000}/g) ?? [];
  const thoughts = thinking === undefined ? [] : [chunk([{ text: thinking, thought: true }])];
  return [...thoughts, ...pieces.map((piece) => chunk([{ text: piece }])), chunk([], 'STOP')];
}

function chunk(parts: readonly unknown[], finishReason?: string, written = 20): object {
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

function functionCall(reply: Extract<Answer, { kind: 'tool' }>, tools: readonly string[]): unknown {
  const { tool, target, content } = reply;
  const [name, args] = ownCall(reply, tools) ?? [];
  if (name !== undefined) return { name, args };
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

function send(response: ServerResponse, events: readonly object[]): void {
  response.writeHead(200, eventStream);
  for (const event of events) response.write(`data: ${JSON.stringify(event)}\r\n\r\n`);
}

function errorOf({ status: code, message, retryAfter }: Refusal): unknown {
  const details =
    retryAfter === undefined
      ? []
      : [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: `${retryAfter}s` }];
  return { error: { code, message, status: statusNames[code], details } };
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
