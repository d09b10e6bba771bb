import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import { cleanText } from '../../model/clean-text.ts';
import { isObject, jsonIn } from '../../model/json.ts';
import { withoutTokens } from '../../model/secrets.ts';
import { counted, oneLine } from '../../model/wording.ts';
import { failed, type Found } from './fault.ts';
import type { ServerProgram } from './server-program.ts';

/** The newest protocol that these few calls follow; a server may answer with an older one. */
const protocolVersion = '2025-06-18';

type Answer<T> = Promise<Found<T>>;

/** The side of a client in the Model Context Protocol, as far as calling one tool needs it. */
export interface McpClient {
  /** The tools by name, each with the arguments that it lists; null where it lists none. */
  tools(): Answer<ReadonlyMap<string, ReadonlySet<string> | null>>;
  /** The result of the call as the server gives it. */
  call(tool: string, values: Readonly<Record<string, unknown>>): Answer<unknown>;
}

/**
 * Shakes hands with a server that has just been started. Its `stdout` may hold other lines too:
 * they are passed over. Rejects with the signal’s reason when that is aborted.
 */
export async function connect(
  program: ServerProgram,
  host: {
    readonly root: string;
    readonly version: string;
    readonly maxBytes: number;
    readonly signal: AbortSignal;
  },
): Answer<McpClient> {
  const request = requester(program, host);
  const hello = await request('initialize', {
    protocolVersion,
    capabilities: { roots: {} },
    clientInfo: { name: 'conclave', version: host.version },
  });
  if (!hello.ok) return hello;
  program.send(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' }));
  const client: McpClient = {
    tools: () => allTools(request),
    call: (name, values) => request('tools/call', { name, arguments: values }),
  };
  return { ok: true, value: client };
}

type Request = (method: string, params: Readonly<Record<string, unknown>>) => Answer<unknown>;

/** One question at a time: what the server asks meanwhile is answered on the way. */
function requester(
  program: ServerProgram,
  host: { readonly root: string; readonly maxBytes: number; readonly signal: AbortSignal },
): Request {
  let last = 0;
  const waiting: unknown[] = [];

  async function more(): Promise<string | null> {
    const lines = await unlessAborted(program.take(), host.signal);
    if (program.bytes > host.maxBytes)
      return `its server sent more than ${sizeText(host.maxBytes)}`;
    if (lines === null) return `its server ended: ${await program.ending()}`;
    for (const line of lines) {
      if (typeof line !== 'string') return `its server sent a line of ${sizeText(line.overlong)}`;
      // It may hold several messages as a list.
      waiting.push(...[jsonIn(line)].flat());
    }
    return null;
  }

  return async (method, params) => {
    last += 1;
    program.send(JSON.stringify({ jsonrpc: '2.0', id: last, method, params }));
    for (;;) {
      const message = waiting.shift();
      if (message === undefined && waiting.length === 0) {
        const reason = await more();
        if (reason !== null) return failed(reason);
      }
      if (!isObject(message)) continue;
      if (typeof message.method === 'string') reply(program, { message, root: host.root });
      else if (message.id === last) return resultOf(method, message);
    }
  };
}

/** A server may ask whether we live and where it may look; nothing else is offered. */
function reply(
  program: ServerProgram,
  { message, root }: { readonly message: Record<string, unknown>; readonly root: string },
): void {
  const { id, method } = message;
  if (id === undefined) return;
  const roots = { roots: [{ uri: pathToFileURL(root).href, name: 'project' }] };
  const results = new Map<unknown, unknown>([
    ['ping', {}],
    ['roots/list', roots],
  ]);
  const error = { code: -32601, message: 'not offered by this client' };
  const answer = results.has(method) ? { result: results.get(method) } : { error };
  program.send(JSON.stringify({ jsonrpc: '2.0', id, ...answer }));
}

function resultOf(method: string, message: Record<string, unknown>): Found<unknown> {
  if (message.error === undefined) return { ok: true, value: message.result };
  const said = isObject(message.error) ? message.error.message : message.error;
  return failed(
    `its server refused ${method}: ${withoutTokens(oneLine(cleanText(String(said)))).slice(0, 160)}`,
  );
}

const ToolPage = z.object({
  tools: z.array(
    z.object({
      name: z.string(),
      inputSchema: z
        .object({ properties: z.record(z.string(), z.unknown()).optional() })
        .optional(),
    }),
  ),
  nextCursor: z.string().optional(),
});

const mostPages = 20;

async function allTools(request: Request): ReturnType<McpClient['tools']> {
  const tools = new Map<string, ReadonlySet<string> | null>();
  let cursor: string | undefined;
  for (let page = 0; page < mostPages; page++) {
    const answer = await request('tools/list', cursor === undefined ? {} : { cursor });
    if (!answer.ok) return answer;
    const parsed = ToolPage.safeParse(answer.value);
    if (!parsed.success) {
      return failed('its server lists its tools in an unknown form');
    }
    for (const { name, inputSchema } of parsed.data.tools) {
      const known = inputSchema?.properties;
      tools.set(name, known === undefined ? null : new Set(Object.keys(known)));
    }
    cursor = parsed.data.nextCursor;
    if (cursor === undefined) break;
  }
  return { ok: true, value: tools };
}

async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  const { promise, reject } = Promise.withResolvers<never>();
  const abort = (): void => reject(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  try {
    return await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

function sizeText(bytes: number): string {
  return bytes >= 1_000_000 ? `${Math.round(bytes / 100_000) / 10} MB` : counted(bytes, 'byte');
}
