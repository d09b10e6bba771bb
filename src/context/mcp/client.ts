// Speaks the Model Context Protocol with a program that we started.
import { pathToFileURL } from 'node:url';
import {
  Client,
  ProtocolError,
  SdkError,
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResponse,
  type CallToolResult,
  type Transport,
} from '@modelcontextprotocol/client';
import { cleanText } from '../../model/clean-text.ts';
import { jsonIn } from '../../model/json.ts';
import { redactTokens } from '../../model/secrets.ts';
import { counted, oneLine } from '../../model/wording.ts';
import { longestTimer } from '../provider.ts';
import type { SearchResult, ServerProgram } from './known-servers.ts';

export interface McpClient {
  /** The tools by name, each with the arguments that it lists, or null if it lists none. */
  tools(): Promise<SearchResult<ReadonlyMap<string, ReadonlySet<string> | null>>>;
  call(
    tool: string,
    values: Readonly<Record<string, unknown>>,
  ): Promise<SearchResult<CallToolResult>>;
}

/**
 * Shakes hands with a server that has just been started. Its `stdout` may hold other lines too,
 * which are skipped. Rejects with the signal’s reason when that is aborted.
 */
export async function connect(
  program: ServerProgram,
  host: {
    readonly root: string;
    readonly version: string;
    readonly maxBytes: number;
    readonly signal: AbortSignal;
  },
): Promise<SearchResult<McpClient>> {
  const { transport, fault } = lineTransport(program, host.maxBytes);
  const client = new Client(
    { name: 'conclave', version: host.version },
    { capabilities: { roots: {} } },
  );
  const roots = [{ uri: pathToFileURL(host.root).href, name: 'project' }];
  client.setRequestHandler('roots/list', () => ({ roots }));
  const { signal } = host;
  // The search has its own time limit.
  const options = { signal, timeout: longestTimer };
  const asked = async <T>(method: string, answer: () => Promise<T>): Promise<SearchResult<T>> => {
    try {
      return { ok: true, value: await answer() };
    } catch (error) {
      signal.throwIfAborted();
      return { ok: false, failure: { reason: fault() ?? refusal(method, error) } };
    }
  };
  const connected = await asked('initialize', () => client.connect(transport, options));
  if (!connected.ok) return connected;
  return {
    ok: true,
    value: {
      tools: () =>
        asked('tools/list', async () => {
          const { tools } = await client.listTools(undefined, options);
          return new Map(tools.map(({ name, inputSchema }) => [name, namesOf(inputSchema)]));
        }),
      // `callTool` would discard an answer that deviates from the tool’s output schema.
      call: (name, values) =>
        asked('tools/call', () =>
          client.request(
            { method: 'tools/call', params: { name, arguments: { ...values } } },
            options,
          ),
        ),
    },
  };
}

function namesOf({
  properties,
}: {
  readonly properties?: Readonly<Record<string, unknown>> | undefined;
}): ReadonlySet<string> | null {
  return properties === undefined ? null : new Set(Object.keys(properties));
}

/** Says in one clause why an answer cannot be used; anything but a protocol error is a bug. */
function refusal(method: string, error: unknown): string {
  if (error instanceof ProtocolError) {
    const said = redactTokens(oneLine(cleanText(error.message))).slice(0, 160);
    return `its server refused ${method}: ${said}`;
  }
  if (error instanceof SdkError) return 'its server answered in an unknown form';
  throw error;
}

/** Passes the lines of a program to the SDK as messages, and says why there are no more of them. */
function lineTransport(
  program: ServerProgram,
  maxBytes: number,
): { readonly transport: Transport; readonly fault: () => string | null } {
  let fault: string | null = null;
  const transport: Transport = {
    async start() {
      void pump();
    },
    async send(message) {
      program.send(JSON.stringify(message));
    },
    // The caller that started the program also ends it.
    async close() {
      transport.onclose?.();
    },
  };
  async function pump(): Promise<void> {
    while (fault === null) {
      const lines = await program.take();
      fault = await faultIn(lines, program, maxBytes);
      for (const line of lines ?? []) if (typeof line === 'string') deliver(line);
    }
    await transport.close();
  }
  // A line may hold several messages as a list.
  function deliver(line: string): void {
    for (const message of [jsonIn(line)].flat()) {
      if (
        isJSONRPCResponse(message) ||
        isJSONRPCRequest(message) ||
        isJSONRPCNotification(message)
      ) {
        transport.onmessage?.(message);
      }
    }
  }
  return { transport, fault: () => fault };
}

async function faultIn(
  lines: Awaited<ReturnType<ServerProgram['take']>>,
  program: ServerProgram,
  maxBytes: number,
): Promise<string | null> {
  if (program.bytes > maxBytes) return `its server sent more than ${sizeText(maxBytes)}`;
  if (lines === null) return `its server ended: ${await program.ending()}`;
  const overlong = lines.find((line) => typeof line !== 'string');
  return overlong === undefined ? null : `its server sent a line of ${sizeText(overlong.overlong)}`;
}

function sizeText(bytes: number): string {
  return bytes >= 1_000_000 ? `${Math.round(bytes / 100_000) / 10} MB` : counted(bytes, 'byte');
}
