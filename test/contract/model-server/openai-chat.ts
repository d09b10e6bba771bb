import type { ServerResponse } from 'node:http';
import { z } from 'zod';
import {
  type Answer,
  type Dialect,
  eventStream,
  type ModelRequest,
  ownCall,
  type Reply,
} from './reply.ts';

type ToolReply = Extract<Reply, { kind: 'tool' }>;
type Call = readonly [name: string, given: object];

/**
 * OpenAI’s `/v1/chat/completions`, below a path that tells who asks: the CLIs that speak it name
 * their tools differently.
 */
export function openaiChat(
  name: Extract<Dialect['name'], 'copilot' | 'opencode' | 'api' | 'qwen' | 'droid'>,
  callOf: (reply: ToolReply) => Call,
): Dialect {
  return {
    name,
    matches: ({ url }) => url === `/${name}/v1/chat/completions`,
    read: (_request, body) => modelRequest(Body.parse(body)),
    begin: (response) => send(response, { content: 'The first piece' }),
    answer(response, reply, { tools, model, prompt }) {
      // Like a server of its own: it counts what it reads.
      if (name === 'api') answeredBy.set(response, { model, read: Math.ceil(prompt.length / 4) });
      answer(response, reply, (asked) => ownCall(asked, tools) ?? callOf(asked));
    },
    garbage: 'data: {"choices": nothing of the sort\n\n',
    errorOf: ({ message }) => ({ error: { message, type: 'error', code: null } }),
    respondOther: (_request, response) => void response.writeHead(404).end(),
  };
}

export function copilotCall({ tool, target, content = '' }: ToolReply): Call {
  switch (tool) {
    case 'read':
      return ['view', { path: target }];
    case 'search':
      return ['grep', { pattern: target, output_mode: 'content' }];
    case 'list':
      return ['glob', { pattern: target }];
    case 'shell':
      return ['bash', { command: target, description: 'Runs a command' }];
    case 'write':
      return ['create', { path: target, file_text: content }];
  }
}

export function opencodeCall({ tool, target, content = '' }: ToolReply): Call {
  switch (tool) {
    case 'read':
      return ['read', { filePath: target }];
    case 'search':
      return ['grep', { pattern: target }];
    case 'list':
      return ['glob', { pattern: target }];
    case 'shell':
      return ['bash', { command: target, description: 'Runs a command' }];
    case 'write':
      return ['write', { filePath: target, content }];
  }
}

export function qwenCall({ tool, target, content = '' }: ToolReply): Call {
  switch (tool) {
    case 'read':
      return ['read_file', { file_path: target }];
    case 'search':
      return ['grep_search', { pattern: target }];
    case 'list':
      return ['glob', { pattern: target }];
    case 'shell':
      return [
        'run_shell_command',
        { command: target, is_background: false, description: 'Runs a command' },
      ];
    case 'write':
      return ['write_file', { file_path: target, content }];
  }
}

export function droidCall({ tool, target, content = '' }: ToolReply): Call {
  const risk = { level: 'low', reason: 'It is small.' };
  switch (tool) {
    case 'read':
      return ['Read', { file_path: target }];
    case 'search':
      return ['Grep', { pattern: target }];
    case 'list':
      return ['Glob', { patterns: [target] }];
    case 'shell':
      return [
        'Execute',
        {
          command: target,
          summary: 'Run a command',
          riskLevel: risk.level,
          riskLevelReason: risk.reason,
        },
      ];
    case 'write':
      return ['Create', { file_path: target, content }];
  }
}

const Message = z.object({
  role: z.string(),
  content: z
    .union([z.string(), z.array(z.object({ text: z.string().default('') }))])
    .nullish()
    .transform((content) =>
      typeof content === 'string' ? content : (content ?? []).map(({ text }) => text).join('\n'),
    ),
});
const Named = z.object({ name: z.string() });
const Body = z.object({
  model: z.string(),
  stream: z.literal(true),
  messages: z.array(Message),
  tools: z.array(z.object({ function: Named.optional(), custom: Named.optional() })).default([]),
  reasoning_effort: z.string().optional(),
  response_format: z.object({ json_schema: z.object({ schema: z.unknown() }) }).optional(),
});

function modelRequest(body: z.infer<typeof Body>): ModelRequest {
  const { messages, model, tools, reasoning_effort, response_format } = body;
  const textsOf = (...roles: string[]) =>
    messages.filter(({ role }) => roles.includes(role)).map(({ content }) => content);
  const asked = messages.findLastIndex(({ role }) => role === 'user');
  return {
    prompt: textsOf('user').join('\n'),
    toolResults: messages
      .slice(asked)
      .filter(({ role }) => role === 'tool')
      .map(({ content }) => content),
    system: textsOf('system', 'developer').join('\n'),
    tools: tools.flatMap((tool) => tool.function?.name ?? tool.custom?.name ?? []),
    model,
    effort: reasoning_effort,
    schema: response_format?.json_schema.schema ?? null,
  };
}

function answer(response: ServerResponse, reply: Answer, callOf: (reply: ToolReply) => Call): void {
  switch (reply.kind) {
    case 'text':
      if (reply.thinking !== undefined) send(response, { reasoning_content: reply.thinking });
      return say(response, reply.text);
    case 'structured':
      return say(response, JSON.stringify(reply.value));
    case 'tool':
      send(response, { tool_calls: [functionCall(callOf(reply))] });
      return finish(response, 'tool_calls');
    case 'broken':
      send(response, { content: reply.text });
      return finish(response, reply.by === 'length' ? 'length' : 'content_filter');
    case 'empty':
      return finish(response, 'stop');
  }
}

function say(response: ServerResponse, text: string): void {
  for (const content of text.match(/[^]{1,4096}/g) ?? []) send(response, { content });
  finish(response, 'stop');
}

let calls = 0;
function functionCall([name, given]: Call): object {
  calls += 1;
  const call = { name, arguments: JSON.stringify(given) };
  return { index: 0, id: `call_${calls}`, type: 'function', function: call };
}

/** The models that answer by the name that they were asked by, and the tokens that they read. */
const answeredBy = new WeakMap<ServerResponse, { readonly model: string; readonly read: number }>();

/** What each answered request is said to have cost. */
const usage = {
  prompt_tokens: 1000,
  prompt_tokens_details: { cached_tokens: 400 },
  completion_tokens: 50,
  completion_tokens_details: { reasoning_tokens: 20 },
  total_tokens: 1050,
};

function finish(response: ServerResponse, finish_reason: string): void {
  const { read = usage.prompt_tokens, model = '' } = answeredBy.get(response) ?? {};
  // Some servers tell no usage.
  const told = model.endsWith(':uncounted') ? {} : { usage: { ...usage, prompt_tokens: read } };
  send(response, {}, { finish_reason, ...told });
  response.end('data: [DONE]\n\n');
}

function send(
  response: ServerResponse,
  delta: object,
  { finish_reason = null, ...more }: { finish_reason?: string | null; usage?: object } = {},
): void {
  if (response.destroyed) return;
  if (!response.headersSent) response.writeHead(200, eventStream);
  const choices = [{ index: 0, delta: { role: 'assistant', ...delta }, finish_reason }];
  const model = answeredBy.get(response)?.model ?? 'scripted';
  const chunk = { id: 'chat_1', object: 'chat.completion.chunk', created: 1, model };
  response.write(`data: ${JSON.stringify({ ...chunk, choices, ...more })}\n\n`);
}
