// Makes what the MCP server answers to the opening of a host, so that it can answer before its tools are loaded.
import { PassThrough, Readable } from 'node:stream';
import { createInterface } from 'node:readline';
import { SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/server';
import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { toolServer } from '../../src/mcp/tool-server.ts';
import { isObject, jsonIn } from '../../src/model/json.ts';

/** The answers to `initialize` by the version of the protocol, and the lists of tools and prompts, as JSON. */
export async function mcpOpening(): Promise<string> {
  const openings: Record<string, unknown> = {};
  const lists = new Set<string>();
  for (const version of SUPPORTED_PROTOCOL_VERSIONS) {
    const [opening, tools, prompts] = await answersOf(version);
    if (!isObject(opening) || opening['protocolVersion'] !== version) {
      throw new Error(`the server does not open by the protocol ${version}`);
    }
    openings[version] = opening;
    lists.add(JSON.stringify({ 'tools/list': tools, 'prompts/list': prompts }));
  }
  const [list = '', other] = lists;
  if (other !== undefined) throw new Error('the versions of the protocol have different lists');
  return JSON.stringify({ openings, lists: jsonIn(list) });
}

async function answersOf(protocolVersion: string): Promise<readonly unknown[]> {
  const clientInfo = { name: 'the build', version: '1' };
  const lines = [
    { id: 1, method: 'initialize', params: { protocolVersion, capabilities: {}, clientInfo } },
    { method: 'notifications/initialized' },
    { id: 2, method: 'tools/list' },
    { id: 3, method: 'prompts/list' },
  ].map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const input = new PassThrough();
  const output = new PassThrough();
  Readable.from(lines).pipe(input, { end: false });
  const server = serveStdio(() => toolServer({ environment: {}, isInside: false }), {
    transport: new StdioServerTransport(input, output),
  });
  const results: unknown[] = [];
  for await (const line of createInterface({ input: output })) {
    const answer = jsonIn(line);
    results.push(isObject(answer) ? answer['result'] : null);
    if (results.length === 3) break;
  }
  await server.close();
  return results;
}
