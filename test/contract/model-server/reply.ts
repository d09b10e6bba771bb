import type { IncomingMessage, ServerResponse } from 'node:http';

/** What the model does with one request, whatever dialect it is asked in. */
export type Reply =
  | {
      readonly kind: 'text';
      readonly text: string;
      readonly thinking?: string;
      /** What the provider says beside it, e.g. of the limits of a plan. */
      readonly headers?: Readonly<Record<string, string>>;
    }
  /** Asks the CLI to run one of its own tools; the next request of the turn carries the result. */
  | {
      readonly kind: 'tool';
      /** `search` looks for words in files, `list` for files by a pattern of their path. */
      readonly tool: 'read' | 'search' | 'list' | 'shell' | 'write';
      readonly target: string;
      readonly content?: string;
      readonly headers?: Readonly<Record<string, string>>;
      /** Any tool by its name instead, e.g. one of an MCP server. */
      readonly call?: readonly [name: string, given: object];
    }
  /** Calls the CLI’s structured-output tool, where it has one; else the same as text. */
  | { readonly kind: 'structured'; readonly value: unknown }
  | {
      readonly kind: 'status';
      readonly status: number;
      readonly message: string;
      readonly retryAfter?: number;
    }
  | { readonly kind: 'slow'; readonly text: string; readonly delayMs: number }
  /** Never answers: before the headers, or after the first piece of the answer. */
  | { readonly kind: 'hang'; readonly when: 'before' | 'middle' }
  /** Closes the connection: before the headers, or after the first piece. */
  | { readonly kind: 'drop'; readonly when: 'before' | 'middle' }
  /** Ends before its time: at the limit of output, by a refusal, or by a filter of the provider. */
  | { readonly kind: 'broken'; readonly by: 'length' | 'refusal' | 'filter'; readonly text: string }
  | { readonly kind: 'garbage' }
  | { readonly kind: 'empty' };

/** One request as a dialect understood it. */
export interface ModelRequest {
  /** The texts of the user’s messages, joined: the prompt as the model sees it. */
  readonly prompt: string;
  /** Results of tools that the CLI ran in this turn, latest last; empty at its first request. */
  readonly toolResults: readonly string[];
  /** System prompt or developer instructions, joined. */
  readonly system: string;
  /** Names of the tools that the model is offered. */
  readonly tools: readonly string[];
  readonly model: string;
  /** How hard the model is to think, where the dialect says it in a word. */
  readonly effort?: unknown;
  /** The JSON Schema that the provider is asked to enforce, if any. */
  readonly schema: unknown;
}

/** A reply that is an answer, if not always a whole one. */
export type Answer = Extract<Reply, { kind: 'text' | 'tool' | 'structured' | 'broken' | 'empty' }>;

export type Refusal = Extract<Reply, { kind: 'status' }>;

/** One provider’s wire format: reads requests and writes replies, streaming. */
export interface Dialect {
  readonly name:
    | 'anthropic'
    | 'openai-responses'
    | 'copilot'
    | 'opencode'
    | 'qwen'
    | 'droid'
    | 'api'
    | 'gemini';
  /** Whether a request is this dialect’s, by method and path. */
  matches(request: IncomingMessage): boolean;
  /** Null for a request that is no question (a list of models, a ping): `respondOther` answers it. */
  read(request: IncomingMessage, body: unknown): ModelRequest | null;
  /** The first piece of a streamed answer, which stays open. */
  begin(response: ServerResponse, asked: ModelRequest): void;
  answer(response: ServerResponse, reply: Answer, asked: ModelRequest, body: unknown): void;
  /** What is no stream of this dialect. */
  readonly garbage: string;
  /** The body of an error. */
  errorOf(refusal: Refusal): unknown;
  respondOther(request: IncomingMessage, response: ServerResponse): void;
}

export const eventStream = { 'content-type': 'text/event-stream' };

export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

/** A call of a tool that our own program offers to a model; null where a CLI offers its own. */
export function ownCall(
  { tool, target, content = '', call }: Extract<Reply, { kind: 'tool' }>,
  tools: readonly string[],
): readonly [name: string, given: object] | null {
  if (call !== undefined) return call;
  if (!tools.includes('search_text')) return null;
  switch (tool) {
    case 'read':
      return ['read_file', { path: target }];
    case 'search':
      return ['search_text', { text: target }];
    case 'list':
      return ['list_files', { folder: target }];
    case 'shell':
      return ['run_shell', { command: target }];
    case 'write':
      return ['write_file', { path: target, content }];
  }
}
