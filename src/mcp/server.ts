// Serves Conclave to hosts by the Model Context Protocol, on stdin and stdout.
import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { version } from '../version.ts';
import { registerCritiqueTools } from './critique-tools.ts';
import { registerConversationTools } from './conversation-tools.ts';
import { registerHistoryTools } from './history-tools.ts';
import { registerPlanTools } from './plan-tools.ts';
import { canAskIn, type ToolHost } from './tool-host.ts';

/** Serves until the host closes our stdin. */
export async function serveMcp(environment: NodeJS.ProcessEnv): Promise<void> {
  const { CONCLAVE_INSIDE: inside, CONCLAVE_RUN: run } = environment;
  const isInside = inside !== undefined || run !== undefined;
  const closed = Promise.withResolvers<void>();
  serveStdio(() => {
    const server = new McpServer({ name: 'conclave', version }, { instructions });
    const host: ToolHost = {
      server,
      environment,
      isInside,
      canAsk: (ctx) => canAskIn(server, ctx),
    };
    registerPlanTools(host);
    registerCritiqueTools(host);
    registerConversationTools(host);
    registerHistoryTools(host);
    return server;
  });
  process.stdin.once('close', () => closed.resolve());
  process.stdin.once('end', () => closed.resolve());
  await closed.promise;
}

const instructions =
  'Conclave lets several coding agents plan a change together, checks what they claim against the code, ' +
  'and asks other models for a second opinion. Long work runs as a job: call job_status with its id ' +
  'until it is done or waits for an answer.';
