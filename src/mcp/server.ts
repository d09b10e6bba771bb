// Serves Conclave to hosts over the Model Context Protocol, on stdin and stdout.
import { Readable } from 'node:stream';
import {
  type JSONRPCErrorResponse,
  McpServer,
  type GetPromptResult,
} from '@modelcontextprotocol/server';
import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';
import { isInsideAgent } from '../app/inside-agent.ts';
import { sessionKey } from '../app/session-key.ts';
import { homeFolder } from '../app/user-folders.ts';
import { Stopped } from '../model/failure.ts';
import { jsonIn } from '../model/json.ts';
import { version } from '../version.ts';
import { conversationTools, historyTools } from './history-tools.ts';
import { AgentName } from './job-request.ts';
import { planTools, planViews } from './plan-tools.ts';
import type { ToolHost } from './tool-host.ts';

/** Serves until the host closes our stdin. */
export async function serveMcp(given: NodeJS.ProcessEnv): Promise<void> {
  const environment = withoutNames(given);
  const isInside = isInsideAgent(environment, await sessionKey(environment));
  const closed = Promise.withResolvers<void>();
  const build = () => {
    const info = { name: 'conclave', version };
    const server = new McpServer(info, { instructions: isInside ? insideOnly : instructions });
    const host = { server, environment };
    const starters = isInside ? [] : [...planTools, ...conversationTools, registerHostPrompts];
    const all = [...starters, ...planViews, ...historyTools];
    for (const register of all) register(host);
    return server;
  };
  const refuse = (answer: JSONRPCErrorResponse) => void wire.send(answer).catch(() => undefined);
  const messages = messagesIn(process.stdin, { refuse, environment });
  const wire = new StdioServerTransport(Readable.from(messages));
  serveStdio(build, { transport: wire });
  process.stdin.once('close', () => closed.resolve());
  process.stdin.once('end', () => closed.resolve());
  await closed.promise;
}

/** Removes variables that a host’s entry names but that are not set; they arrive empty, or as their names. */
function withoutNames(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(environment).filter(isSet));
}

function isSet([name, value]: readonly [name: string, value: string | undefined]): boolean {
  return value !== '' && value !== `$${name}` && value !== `\${${name}}`;
}

const insideOnly =
  'You were started by Conclave yourself, so nothing here starts other agents: these tools only look ' +
  'at earlier sessions, and count tokens.';
const instructions =
  'Conclave lets several coding agents plan a change together, checks what they claim against the code, ' +
  'and asks other models for a second opinion. Long work runs as a job: call job_status with its id ' +
  'until it is done or waits for an answer.';

/** The longest message, in bytes: the transport gives up on a connection that brings 10 MiB without a line end. */
const largest = 10_000_000;
/** The id is at the start of a message or at its end. */
const longestEdge = 200;
const id = /^.{0,20}"id"\s*:\s*(\d+|"[^"\\]*")|"id"\s*:\s*(\d+|"[^"\\]*")\s*\}\s*$/;

/**
 * Passes each line of a host on in one piece. A line that is too large is refused, so that only its own call
 * fails, and a request for the tools waits until the models are listed.
 */
async function* messagesIn(
  input: AsyncIterable<Buffer>,
  {
    refuse,
    environment,
  }: {
    readonly refuse: (answer: JSONRPCErrorResponse) => void;
    readonly environment: NodeJS.ProcessEnv;
  },
): AsyncGenerator<Buffer> {
  let line = '';
  let length = 0;
  for await (const chunk of input) {
    // In this encoding, each byte is one character.
    for (const piece of chunk.toString('latin1').split(/(?<=\n)/)) {
      line += piece;
      length += piece.length;
      if (length > largest) line = line.slice(0, longestEdge) + line.slice(-longestEdge);
      if (!piece.endsWith('\n')) continue;
      if (line.includes('"tools/list"')) await listModels(environment);
      if (length <= largest) yield Buffer.from(line, 'latin1');
      else refuse(refusalOf(line));
      line = '';
      length = 0;
    }
  }
}

function refusalOf(edges: string): JSONRPCErrorResponse {
  const [, first, last = ''] = id.exec(edges) ?? [];
  const known = jsonIn(first ?? last);
  const message = `This message has more than ${largest / 1_000_000} MB, so it was not read. Send less.`;
  return {
    jsonrpc: '2.0',
    ...(typeof known === 'string' || typeof known === 'number' ? { id: known } : {}),
    error: { code: -32_600, message },
  };
}

async function listModels(environment: NodeJS.ProcessEnv): Promise<void> {
  // A host waits for the list of the tools, which needs no more of the program than this.
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
  const description = `An agent, or one of its models: ${nameModels(settings)}.`;
  z.globalRegistry.add(AgentName, { description });
}

function registerHostPrompts({ server }: ToolHost): void {
  server.registerPrompt(
    'plan',
    {
      title: 'Plan with several agents',
      description: 'Several agents plan a change together; you decide.',
      argsSchema: z.object({ task: z.string().min(1).describe('The change.') }),
    },
    ({ task }) =>
      asUser(
        `Plan this with Conclave: call plan_start with the absolute path of this project as folder, and job_status while it runs. Show me the options (plan_options) with their trade-offs and let me choose, then the plan (plan_get), and pass on what I say of it.\n\n${task}`,
      ),
  );
  server.registerPrompt(
    'second-opinion',
    {
      title: 'Ask another model',
      description: 'Another model answers a question.',
      argsSchema: z.object({
        question: z.string().min(1),
        model: z.string().min(1).describe('claude, codex, gemini, copilot or opencode.'),
      }),
    },
    ({ question, model }) =>
      asUser(
        `Ask ${model} with the conclave tool consult_with: this question, the absolute path of this project as folder, and as context the files that it is about. Then show me its answer, and say where you disagree.\n\n${question}`,
      ),
  );
  server.registerPrompt(
    'critique',
    {
      title: 'Have a plan examined',
      description: 'Other vendors examine the latest plan of this conversation.',
    },
    () =>
      asUser(
        'Call the conclave tool critique_plan with your latest plan as plan, my request as task, the absolute path of this project as folder and the vendor of your own model as host_vendor, and job_status while it runs. Meet wrong places and objections with found evidence, check the others in the code, and show me the plan as it is then, with the objections that you refused and why.',
      ),
  );
}

function asUser(text: string): GetPromptResult {
  return { messages: [{ role: 'user', content: { type: 'text', text } }] };
}
