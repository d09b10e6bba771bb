// Serves Conclave to hosts over the Model Context Protocol: answers how they open, and hands on the rest.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JSONRPCErrorResponse } from '@modelcontextprotocol/server';
import { isInsideAgent, sessionKey } from '../app/inside-agent.ts';
import { homeFolder } from '../app/user-folders.ts';
import { Stopped } from '../model/failure.ts';
import { isObject, jsonIn } from '../model/json.ts';
import { packageRoot } from '../prompts/package-root.ts';

/** Serves until the host closes our stdin. */
export async function serveMcp(given: NodeJS.ProcessEnv): Promise<void> {
  const environment = withoutNames(given);
  const isInside = isInsideAgent(environment, await sessionKey(environment));
  const messages = messagesIn(process.stdin);
  const describeAgents = () => agentsText(environment);
  // The list for the inside of an agent's run is another one.
  const before = isInside ? [] : await answerOpening(messages, describeAgents);
  if (before === null) return;
  const { serveTools } = await import('./tool-server.ts');
  await serveTools({ environment, isInside, before, messages, describeAgents, unsent: openingId });
}

/** Removes variables that a host’s entry names but that are not set; they arrive empty, or as their names. */
function withoutNames(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(environment).filter(isSet));
}

function isSet([name, value]: readonly [name: string, value: string | undefined]): boolean {
  return value !== '' && value !== `$${name}` && value !== `\${${name}}`;
}

/** The longest message, in bytes: the transport gives up on a connection that brings 10 MiB without a line end. */
const largest = 10_000_000;
/** The id is at the start of a message or at its end. */
const longestEdge = 200;
const anyId = /^.{0,20}"id"\s*:\s*(\d+|"[^"\\]*")|"id"\s*:\s*(\d+|"[^"\\]*")\s*\}\s*$/;

/** Passes each line of a host on in one piece. A line that is too large is refused, so that only its own call fails. */
async function* messagesIn(input: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let line = '';
  let length = 0;
  for await (const chunk of input) {
    // In this encoding, each byte is one character.
    for (const piece of chunk.toString('latin1').split(/(?<=\n)/)) {
      line += piece;
      length += piece.length;
      if (length > largest) line = line.slice(0, longestEdge) + line.slice(-longestEdge);
      if (!piece.endsWith('\n')) continue;
      if (length <= largest) yield Buffer.from(line, 'latin1').toString();
      else send(refusalOf(line));
      line = '';
      length = 0;
    }
  }
}

function send(message: object): void {
  process.stdout.write(`${JSON.stringify(message)}\n`);
}

function refusalOf(edges: string): JSONRPCErrorResponse {
  const [, first, last = ''] = anyId.exec(edges) ?? [];
  const known = jsonIn(first ?? last);
  const message = `This message has more than ${largest / 1_000_000} MB, so it was not read. Send less.`;
  return {
    jsonrpc: '2.0',
    ...(typeof known === 'string' || typeof known === 'number' ? { id: known } : {}),
    error: { code: -32_600, message },
  };
}

/** Describes the names that stand for an agent, by the user's settings. */
async function agentsText(environment: NodeJS.ProcessEnv): Promise<string> {
  // The answer to the opening needs none of it.
  const [{ nameModels }, { defaultSettings, loadSettings }] = await Promise.all([
    import('../app/name-models.ts'),
    import('../app/settings/load-settings.ts'),
  ]);
  const settings = await loadSettings({ root: homeFolder(environment), environment }).catch(
    (error: unknown) => {
      // Faulty settings are reported by the call that needs them.
      if (error instanceof Stopped) return defaultSettings(environment);
      throw error;
    },
  );
  return `An agent, or one of its models: ${nameModels(settings)}.`;
}

/** The id under which the tool server is told of an opening that was answered. */
const openingId = 'conclave-opening';
/** The file in which the build keeps what the tool server answers to hosts before their first call. */
const openingFile = 'dist/mcp-opening.json';
/** The text in its list of tools that is replaced by the user's own agents. */
const anyAgent = /"An agent, or one of its models\."/g;

/**
 * Answers what every host asks before its first call, from the answers that the build has kept: what the tools
 * need takes much longer to load. Returns the messages that the tool server has still to see, the opening
 * among them; null if the host has gone.
 */
async function answerOpening(
  messages: AsyncGenerator<string>,
  describeAgents: () => Promise<string>,
): Promise<readonly string[] | null> {
  const kept = jsonIn(readFileSync(join(packageRoot(), openingFile), 'utf8'));
  const { openings, lists } = isObject(kept) ? kept : {};
  if (!isObject(openings) || !isObject(lists)) return [];
  const seen: string[] = [];
  for (;;) {
    const { value: line, done } = await messages.next();
    if (done === true) return null;
    const message = jsonIn(line);
    const { id, method: named, params } = isObject(message) ? message : {};
    const method = typeof named === 'string' ? named : '';
    const isAsked = typeof id === 'string' || typeof id === 'number';
    if (method === 'initialize' && isAsked && seen.length === 0) {
      const { protocolVersion } = isObject(params) ? params : {};
      const result = typeof protocolVersion === 'string' ? openings[protocolVersion] : undefined;
      if (result === undefined) return [line];
      send({ jsonrpc: '2.0', id, result });
      seen.push(JSON.stringify({ jsonrpc: '2.0', id: openingId, method, params }));
    } else if (method === 'notifications/initialized' && seen.length === 1) seen.push(line);
    else if (isAsked && seen.length > 0 && lists[method] !== undefined) {
      const agents = JSON.stringify(await describeAgents());
      const list = JSON.stringify(lists[method]).replaceAll(anyAgent, () => agents);
      send({ jsonrpc: '2.0', id, result: jsonIn(list) });
    } else return [...seen, line];
  }
}
