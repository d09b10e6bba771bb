import type { IncomingMessage, ServerResponse } from 'node:http';
import { isObject } from '../../../src/model/json.ts';
import {
  type Answer,
  type Dialect,
  eventStream,
  type ModelRequest,
  ownCall,
  type Refusal,
  sendJson,
} from './reply.ts';

/**
 * OpenAI’s `/v1/responses`. Codex speaks it in two forms: models that it knows get their tools in
 * the input and call them from JavaScript (“code mode”), others get classic functions.
 */
export const openaiResponses: Dialect = {
  name: 'openai-responses',
  matches: (request) => pathOf(request).endsWith('/responses'),
  read: (request, body) =>
    isQuestion(request) && isLoggedIn(request) && isObject(body) ? readBody(body) : null,
  begin(response, { model }) {
    start(response, model);
    send(response, 'response.output_item.added', { output_index: 0, item: messageItem('') });
    send(response, 'response.output_text.delta', { ...piece(), delta: 'The first piece' });
  },
  answer,
  garbage: 'event: response.created\ndata: {"type": not json\n\n<html>Bad day</html>\n\n',
  errorOf,
  // Codex tries a websocket first where it may, which this server does not speak.
  respondOther(request, response) {
    const message = 'Missing bearer or basic authentication in header';
    sendJson(response, isQuestion(request) ? 401 : 426, errorOf({ message }));
  },
};

function errorOf({ message }: Pick<Refusal, 'message'>): unknown {
  return { error: { message, type: 'error', code: null } };
}

type Fields = Readonly<Record<string, unknown>>;

function isQuestion({ method }: IncomingMessage): boolean {
  return method === 'POST';
}

function isLoggedIn({ headers }: IncomingMessage): boolean {
  return headers.authorization?.startsWith('Bearer ') ?? false;
}

function pathOf({ url }: IncomingMessage): string {
  return new URL(url ?? '/', 'http://server.invalid').pathname;
}

function readBody(body: Fields): ModelRequest {
  const input = listOf(body['input']);
  const messages = (role: string) =>
    input.filter((item) => item['type'] === 'message' && item['role'] === role).flatMap(textsOf);
  const { instructions, model, reasoning } = body;
  const own = [
    ...(typeof instructions === 'string' ? [instructions] : []),
    ...messages('developer'),
  ];
  const { surroundings = [], asked = [] } = Object.groupBy(messages('user'), (words) =>
    words.startsWith('<environment_context>') ? 'surroundings' : 'asked',
  );
  return {
    prompt: asked.join('\n'),
    toolResults: sinceLastPrompt(input).filter(isToolOutput).map(outputOf),
    system: [...own, ...surroundings].join('\n'),
    tools: toolNames([...listOf(body['tools']), ...input.flatMap(additionalTools)]),
    model: typeof model === 'string' ? model : '',
    effort: isObject(reasoning) ? reasoning['effort'] : null,
    schema: schemaIn(body['text']),
  };
}

function schemaIn(answerText: unknown): unknown {
  const format = isObject(answerText) ? answerText['format'] : undefined;
  return isObject(format) ? format['schema'] : undefined;
}

function listOf(value: unknown): Fields[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

function textsOf(item: Fields): string[] {
  return listOf(item['content']).flatMap(({ text }) => (typeof text === 'string' ? [text] : []));
}

// In a resumed thread the results of earlier turns come along.
function sinceLastPrompt(input: readonly Fields[]): readonly Fields[] {
  return input.slice(input.findLastIndex((item) => item['role'] === 'user') + 1);
}

function isToolOutput({ type }: Fields): boolean {
  return type === 'function_call_output' || type === 'custom_tool_call_output';
}

function outputOf({ output }: Fields): string {
  return typeof output === 'string' ? output : textsOf({ content: output }).join('\n');
}

function additionalTools(item: Fields): Fields[] {
  return item['type'] === 'additional_tools' ? listOf(item['tools']) : [];
}

// Inside a namespace is the list that counts; what JavaScript may call stands in a description.
function toolNames(tools: readonly Fields[]): string[] {
  return tools.flatMap((tool) => {
    const { name, type, description } = tool;
    const nested = toolNames(listOf(tool['tools']));
    const fromScript =
      typeof description === 'string' ? description.matchAll(/^### `(\w+)`/gm) : [];
    const inScript = [...fromScript].flatMap(([, inner = '']) => inner);
    const own = type === 'namespace' ? [] : [typeof name === 'string' ? name : String(type)];
    return [...own, ...inScript, ...nested];
  });
}

function answer(response: ServerResponse, reply: Answer, asked: ModelRequest): void {
  const { model } = asked;
  const id = start(response, model);
  switch (reply.kind) {
    case 'text':
      if (reply.thinking !== undefined) think(response, reply.thinking);
      say(response, reply.text);
      break;
    case 'structured':
      say(response, JSON.stringify(reply.value));
      break;
    case 'tool':
      done(response, toolCall(reply, asked));
      break;
    case 'broken': {
      const { by, text } = reply;
      if (by === 'refusal') {
        done(response, { ...messageItem(''), content: [{ type: 'refusal', refusal: text }] });
        break;
      }
      say(response, text);
      const reason = by === 'length' ? 'max_output_tokens' : 'content_filter';
      const incomplete = { ...head(id, model), usage, incomplete_details: { reason } };
      Object.assign(incomplete, { status: 'incomplete' });
      send(response, 'response.incomplete', { response: incomplete });
      response.end();
      return;
    }
    case 'empty':
      break;
  }
  send(response, 'response.completed', {
    response: { ...head(id, model), usage, status: 'completed' },
  });
  response.end();
}

function start(response: ServerResponse, model: string): string {
  const id = `resp_${(responses += 1)}`;
  response.writeHead(200, eventStream);
  send(response, 'response.created', { response: head(id, model) });
  return id;
}

/** The fields of every response, which some clients insist on. */
function head(id: string, model: string): Fields {
  return { id, object: 'response', created_at: 1, model, output: [], status: 'in_progress' };
}

let responses = 0;

/** What each answered request is said to have cost. */
export const usage = {
  input_tokens: 1000,
  input_tokens_details: { cached_tokens: 400 },
  output_tokens: 50,
  output_tokens_details: { reasoning_tokens: 20 },
  total_tokens: 1050,
};

function send(response: ServerResponse, type: string, fields: Fields): void {
  if (!response.destroyed) {
    response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`);
  }
}

function done(response: ServerResponse, item: Fields): void {
  send(response, 'response.output_item.added', { output_index: 0, item });
  send(response, 'response.output_item.done', { output_index: 0, item });
}

function messageItem(text: string): Fields {
  const content = text === '' ? [] : [{ type: 'output_text', text, annotations: [] }];
  const id = `msg_${responses}`;
  return { type: 'message', role: 'assistant', id, status: 'completed', content };
}

function say(response: ServerResponse, text: string): void {
  send(response, 'response.output_item.added', { output_index: 0, item: messageItem('') });
  for (let from = 0; from < text.length; from += 64_000) {
    const delta = text.slice(from, from + 64_000);
    send(response, 'response.output_text.delta', { ...piece(), delta });
  }
  send(response, 'response.output_item.done', { output_index: 0, item: messageItem(text) });
}

function piece(): Fields {
  return { item_id: `msg_${responses}`, output_index: 0, content_index: 0 };
}

function think(response: ServerResponse, text: string): void {
  done(response, {
    type: 'reasoning',
    id: `rs_${responses}`,
    summary: [{ type: 'summary_text', text }],
    encrypted_content: null,
  });
}

type ToolReply = Extract<Answer, { kind: 'tool' }>;

function toolCall(reply: ToolReply, { tools }: ModelRequest): Fields {
  const call_id = `call_${responses}`;
  const isCodeMode = tools.includes('exec');
  const own = ownCall(reply, tools);
  if (own !== null && !isCodeMode) {
    const [name, given] = own;
    const called = { name, arguments: JSON.stringify(given), status: 'completed' };
    return { type: 'function_call', id: `fc_${responses}`, call_id, ...called };
  }
  if (isCodeMode) {
    return {
      type: 'custom_tool_call',
      id: `ctc_${responses}`,
      call_id,
      name: 'exec',
      input: scriptFor(reply),
    };
  }
  return {
    type: 'function_call',
    id: `fc_${responses}`,
    call_id,
    name: 'exec_command',
    arguments: JSON.stringify({ cmd: commandFor(reply) }),
  };
}

function scriptFor(reply: ToolReply): string {
  if (reply.call !== undefined) {
    const [name, given] = reply.call;
    return `text(JSON.stringify(await tools.${name}(${JSON.stringify(given)})));`;
  }
  if (reply.tool === 'write') {
    return `text(await tools.apply_patch(${JSON.stringify(patchFor(reply))}));`;
  }
  return `text(await tools.exec_command(${JSON.stringify({ cmd: commandFor(reply) })}));`;
}

function commandFor(reply: ToolReply): string {
  switch (reply.tool) {
    case 'read':
      return `cat ${quoted(reply.target)}`;
    case 'search':
      return `grep -rn ${quoted(reply.target)} .`;
    case 'list':
      return `find . -path ${quoted(`./${reply.target}`)}`;
    case 'shell':
      return reply.target;
    case 'write':
      return `printf %s ${quoted(reply.content ?? '')} > ${quoted(reply.target)}`;
  }
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

function patchFor({ target, content = '' }: ToolReply): string {
  const lines = content.split('\n').map((line) => `+${line}`);
  return ['*** Begin Patch', `*** Add File: ${target}`, ...lines, '*** End Patch'].join('\n');
}
