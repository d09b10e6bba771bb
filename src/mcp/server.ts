// Serves Conclave to hosts by the Model Context Protocol, on stdin and stdout.
import { McpServer, type JSONRPCMessage, type Transport } from '@modelcontextprotocol/server';
import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { isInsideAgent } from '../app/inside-agent.ts';
import { sessionKey } from '../app/session-key.ts';
import { version } from '../version.ts';
import { registerConversationTools, registerCritiqueTools } from './conversation-tools.ts';
import { registerHistoryTools } from './history-tools.ts';
import { registerHostPrompts } from './host-prompts.ts';
import { limitMessages } from './message-limit.ts';
import { registerPlanTools, registerPlanViews } from './plan-tools.ts';
import { registerSessionFiles } from './session-files.ts';
import { loadParts, toolHost, type ToolHost } from './tool-host.ts';
import { z } from 'zod';
import { Stopped } from '../model/failure.ts';
import { AgentName } from './job-inputs.ts';

/** Serves until the host closes our stdin. */
export async function serveMcp(given: NodeJS.ProcessEnv): Promise<void> {
  const environment = withoutNames(given);
  const isInside = isInsideAgent(environment, await sessionKey(environment));
  const closed = Promise.withResolvers<void>();
  const build = () => {
    const info = { name: 'conclave', version };
    const server = new McpServer(info, { instructions: isInside ? insideOnly : instructions });
    const host = toolHost(server, environment);
    if (!isInside) registerStarters(host);
    registerPlanViews(host);
    registerHistoryTools(host);
    registerSessionFiles(host);
    return server;
  };
  const limited = limitMessages((answer) => void wire.send(answer).catch(() => undefined));
  const wire = new StdioServerTransport(process.stdin.pipe(limited));
  serveStdio(build, { transport: listingModels(wire, environment) });
  process.stdin.once('close', () => closed.resolve());
  process.stdin.once('end', () => closed.resolve());
  await closed.promise;
}

/** An entry of a host may name variables that are not set; these come in empty, or as their names. */
function withoutNames(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(environment).filter(isSet));
}

function isSet([name, value]: readonly [name: string, value: string | undefined]): boolean {
  return value !== '' && value !== `$${name}` && value !== `\${${name}}`;
}

/** Registers all that starts agents. */
function registerStarters(host: ToolHost): void {
  registerPlanTools(host);
  registerCritiqueTools(host);
  registerConversationTools(host);
  registerHostPrompts(host);
}

const insideOnly =
  'You were started by Conclave yourself, so nothing here starts other agents: these tools only look ' +
  'at earlier sessions, and count tokens.';
const instructions =
  'Conclave lets several coding agents plan a change together, checks what they claim against the code, ' +
  'and asks other models for a second opinion. Long work runs as a job: call job_status with its id ' +
  'until it is done or waits for an answer.';

/** Passes on each message as it comes; only a question for the tools waits until the models are listed. */
function listingModels(wire: Transport, environment: NodeJS.ProcessEnv): Transport {
  const transport: Transport = {
    start: async () => {
      Object.assign(wire, ends);
      await wire.start();
    },
    send: async (message, options) => await wire.send(message, options),
    close: async () => await wire.close(),
  };
  const ends: Pick<Transport, 'onclose' | 'onerror' | 'onmessage'> = {
    onclose: () => transport.onclose?.(),
    onerror: (error) => transport.onerror?.(error),
    onmessage(message, extra) {
      const pass = () => transport.onmessage?.(message, extra);
      if (!asksForTools(message)) pass();
      else void listModels(environment).then(pass, (error: Error) => transport.onerror?.(error));
    },
  };
  return transport;
}

function asksForTools(message: JSONRPCMessage): boolean {
  return 'method' in message && message.method === 'tools/list';
}

async function listModels(environment: NodeJS.ProcessEnv): Promise<void> {
  const { defaultSettings, homeFolder, nameModels, loadSettings } = await loadParts();
  const settings = await loadSettings({ root: homeFolder(environment), environment }).catch(
    (error: unknown) => {
      // A call says what is wrong with them.
      if (error instanceof Stopped) return defaultSettings(environment);
      throw error;
    },
  );
  const description = `An agent, or one of its models: ${nameModels(settings)}.`;
  z.globalRegistry.add(AgentName, { description });
}
