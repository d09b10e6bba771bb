import type { ServerResponse } from 'node:http';
import { z } from 'zod';
import {
  type Answer,
  type Dialect,
  eventStream,
  type ModelRequest,
  ownCall,
  sendJson,
} from './reply.ts';

/** Anthropic’s Messages API: `POST /v1/messages`, streamed or not. */
export const anthropic: Dialect = {
  name: 'anthropic',
  matches: ({ method, url = '' }) =>
    url.startsWith('/v1/messages') || (method === 'HEAD' && url === '/'),
  read({ method, url = '' }, body) {
    if (method !== 'POST' || url.startsWith('/v1/messages/')) return null;
    return requestOf(Body.parse(body));
  },
  begin: (response, { model }) => begin(response, model, 'I was about to say'),
  answer(response, reply, { model, tools }, body) {
    if (reply.kind === 'broken') {
      begin(response, model, reply.text);
      return finish(response, 0, reply.by === 'length' ? 'max_tokens' : 'refusal');
    }
    const blocks = blocksOf(reply, tools);
    if (Body.parse(body).stream) streamMessage(response, model, blocks);
    else sendJson(response, 200, messageOf(model, blocks, stopReason(blocks)));
  },
  garbage: 'event: message_start\ndata: {"type":"mess\n\nnothing of this is a stream\n\n',
  errorOf: ({ status, message }) => ({
    type: 'error',
    error: { type: errorTypes[status] ?? 'api_error', message },
    request_id: 'req_1',
  }),
  respondOther(request, response) {
    if (request.method === 'HEAD') response.writeHead(200).end();
    else sendJson(response, 200, { input_tokens: 10 });
  },
};

const Block = z.looseObject({ type: z.string() });
const Content = z.union([z.string().transform((text) => [{ type: 'text', text }]), z.array(Block)]);
const Body = z.looseObject({
  model: z.string(),
  stream: z.boolean().default(false),
  system: Content.default([]),
  messages: z.array(z.looseObject({ role: z.string(), content: Content })),
  tools: z.array(z.looseObject({ name: z.string() })).default([]),
  output_config: z.object({ format: z.object({ schema: z.unknown() }).optional() }).optional(),
});
const Text = z.looseObject({ type: z.literal('text'), text: z.string() });
const ToolResult = z.looseObject({ type: z.literal('tool_result'), content: Content.default([]) });
const structuredTool = 'StructuredOutput';

function requestOf({
  model,
  system,
  messages,
  tools,
  output_config,
}: z.infer<typeof Body>): ModelRequest {
  const saidBy = (who: string) =>
    messages.filter(({ role }) => role === who).flatMap(({ content }) => content);
  const lastAnswer = messages.findLastIndex(({ role }) => role === 'assistant');
  const sinceAnswer = messages.slice(lastAnswer + 1).flatMap(({ content }) => content);
  const structured = tools.find(({ name }) => name === structuredTool);
  return {
    prompt: textIn(saidBy('user')),
    toolResults: sinceAnswer.flatMap((block) => {
      const result = ToolResult.safeParse(block);
      return result.success ? [textIn(result.data.content)] : [];
    }),
    // What changes in a session, such as the file of a plan, stands between its messages.
    system: textIn([...system, ...saidBy('system')]),
    tools: tools.map(({ name }) => name),
    model,
    schema: structured?.['input_schema'] ?? output_config?.format?.schema ?? null,
  };
}

function textIn(content: readonly z.infer<typeof Block>[]): string {
  return content
    .flatMap((block) => {
      const text = Text.safeParse(block);
      return text.success ? [text.data.text] : [];
    })
    .join('\n');
}

type AnswerBlock =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'thinking'; readonly thinking: string; readonly signature: string }
  | {
      readonly type: 'tool_use';
      readonly id: string;
      readonly name: string;
      readonly input: unknown;
    };

function blocksOf(
  reply: Exclude<Answer, { kind: 'broken' }>,
  tools: readonly string[],
): readonly AnswerBlock[] {
  switch (reply.kind) {
    case 'text':
      return [
        ...(reply.thinking === undefined
          ? []
          : [{ type: 'thinking', thinking: reply.thinking, signature: 'c2ln' } as const]),
        textBlock(reply.text),
      ];
    case 'structured':
      return tools.includes(structuredTool)
        ? [toolUse([structuredTool, reply.value])]
        : [textBlock(JSON.stringify(reply.value))];
    case 'tool':
      return [toolUse(ownCall(reply, tools) ?? callOf(reply))];
    case 'empty':
      return [];
  }
}

function callOf({
  tool,
  target,
  content = '',
}: Extract<Answer, { kind: 'tool' }>): [string, unknown] {
  switch (tool) {
    case 'read':
      return ['Read', { file_path: target }];
    case 'search':
      return ['Grep', { pattern: target, output_mode: 'content' }];
    case 'list':
      return ['Glob', { pattern: target }];
    case 'shell':
      return ['Bash', { command: target, description: 'Runs a command' }];
    case 'write':
      return ['Write', { file_path: target, content }];
  }
}

let calls = 0;
function toolUse([name, input]: readonly [name: string, input: unknown]): AnswerBlock {
  calls += 1;
  return { type: 'tool_use', id: `toolu_${String(calls).padStart(8, '0')}`, name, input };
}

function textBlock(text: string): AnswerBlock {
  return { type: 'text', text };
}

function streamMessage(
  response: ServerResponse,
  model: string,
  blocks: readonly AnswerBlock[],
): void {
  start(response, model);
  for (const [index, block] of blocks.entries()) {
    switch (block.type) {
      case 'text':
        open(response, index, { type: 'text', text: '' });
        for (const piece of piecesOf(block.text))
          delta(response, index, { type: 'text_delta', text: piece });
        break;
      case 'thinking':
        open(response, index, { type: 'thinking', thinking: '', signature: '' });
        delta(response, index, { type: 'thinking_delta', thinking: block.thinking });
        delta(response, index, { type: 'signature_delta', signature: block.signature });
        break;
      case 'tool_use':
        open(response, index, { ...block, input: {} });
        delta(response, index, {
          type: 'input_json_delta',
          partial_json: JSON.stringify(block.input),
        });
    }
    if (index < blocks.length - 1) send(response, { type: 'content_block_stop', index });
  }
  finish(response, blocks.length - 1, stopReason(blocks));
}

function piecesOf(text: string): readonly string[] {
  return text.match(/[^]{1,4096}/g) ?? [];
}

function stopReason(blocks: readonly AnswerBlock[]): string {
  return blocks.some(({ type }) => type === 'tool_use') ? 'tool_use' : 'end_turn';
}

function begin(response: ServerResponse, model: string, text: string): void {
  start(response, model);
  open(response, 0, { type: 'text', text: '' });
  delta(response, 0, { type: 'text_delta', text });
}

function start(response: ServerResponse, model: string): void {
  response.writeHead(200, { ...eventStream, 'request-id': 'req_1' });
  send(response, { type: 'message_start', message: messageOf(model, [], null) });
}

function open(response: ServerResponse, index: number, content_block: unknown): void {
  send(response, { type: 'content_block_start', index, content_block });
}

function delta(response: ServerResponse, index: number, part: unknown): void {
  send(response, { type: 'content_block_delta', index, delta: part });
}

function finish(response: ServerResponse, lastBlock: number, stop_reason: string): void {
  if (lastBlock >= 0) send(response, { type: 'content_block_stop', index: lastBlock });
  const usage = { output_tokens: 7 };
  send(response, { type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage });
  send(response, { type: 'message_stop' });
  response.end();
}

function send(
  response: ServerResponse,
  event: { readonly type: string } & Record<string, unknown>,
): void {
  response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
}

let messages = 0;
function messageOf(
  model: string,
  content: readonly AnswerBlock[],
  stop_reason: string | null,
): unknown {
  messages += 1;
  return {
    id: `msg_${String(messages).padStart(8, '0')}`,
    type: 'message',
    role: 'assistant',
    model,
    content,
    stop_reason,
    stop_sequence: null,
    usage: {
      input_tokens: 11,
      cache_creation_input_tokens: 3,
      cache_read_input_tokens: 5,
      output_tokens: 7,
    },
  };
}

const errorTypes: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  529: 'overloaded_error',
};
