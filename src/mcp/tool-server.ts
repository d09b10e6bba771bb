// Serves the tools and prompts to hosts, by the SDK of the Model Context Protocol.
import { Readable } from 'node:stream';
import { McpServer, type GetPromptResult } from '@modelcontextprotocol/server';
import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';
import { FilledText } from '../model/plain-shapes.ts';
import { version } from '../version.ts';
import { conversationTools, historyTools } from './history-tools.ts';
import { AgentName } from './job-request.ts';
import { planTools, planViews } from './plan-tools.ts';
import type { ToolHost } from './tool-host.ts';

/** Serves a host until it closes our stdin: first the messages that came before, then those that follow. */
export async function serveTools({
  environment,
  isInside,
  before,
  messages,
  describeAgents,
  unsent,
}: {
  readonly environment: NodeJS.ProcessEnv;
  /** True inside an agent's run, where nothing may start other agents. */
  readonly isInside: boolean;
  readonly before: readonly string[];
  readonly messages: AsyncIterable<string>;
  readonly describeAgents: () => Promise<string>;
  /** The id of a message whose answer the host has already. */
  readonly unsent: string;
}): Promise<void> {
  const build = () => toolServer({ environment, isInside });
  async function* all() {
    yield* before;
    yield* messages;
  }
  async function* described() {
    for await (const line of all()) {
      if (line.includes('"tools/list"')) {
        z.globalRegistry.add(AgentName, { description: await describeAgents() });
      }
      yield Buffer.from(`${line.trimEnd()}\n`);
    }
  }
  const wire = new StdioServerTransport(Readable.from(described()));
  const send = wire.send.bind(wire);
  wire.send = async (message) => {
    if (!('id' in message) || message.id !== unsent) await send(message);
  };
  const closed = Promise.withResolvers<void>();
  serveStdio(build, { transport: wire });
  process.stdin.once('close', () => closed.resolve());
  process.stdin.once('end', () => closed.resolve());
  await closed.promise;
}

/** Makes the server with its tools and prompts. */
export function toolServer({
  environment,
  isInside,
}: Pick<ToolHost, 'environment'> & { readonly isInside: boolean }): McpServer {
  const info = { name: 'conclave', version };
  const server = new McpServer(info, { instructions: isInside ? insideOnly : instructions });
  const starters = isInside ? [] : [...planTools, ...conversationTools, registerHostPrompts];
  for (const register of [...starters, ...planViews, ...historyTools]) {
    register({ server, environment });
  }
  return server;
}

const insideOnly =
  'You were started by Conclave yourself, so nothing here starts other agents: these tools only look ' +
  'at earlier sessions, and count tokens.';
const instructions =
  'Conclave lets several coding agents plan a change together, checks what they claim against the code, ' +
  'and asks other models for a second opinion. Long work runs as a job: call job_status with its id ' +
  'until it is done or waits for an answer.';

function registerHostPrompts({ server }: ToolHost): void {
  server.registerPrompt(
    'plan',
    {
      title: 'Plan with several agents',
      description: 'Several agents plan a change together; you decide.',
      argsSchema: z.object({ task: FilledText.describe('The change.') }),
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
        question: FilledText,
        model: FilledText.describe('claude, codex, gemini, copilot or opencode.'),
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
