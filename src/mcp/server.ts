// Serves Conclave to hosts by the Model Context Protocol, on stdin and stdout.
import {
  CLIENT_CAPABILITIES_META_KEY,
  McpServer,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { isAbsolute } from 'node:path';
import { isFolder } from '../app/folders.ts';
import { openWorkplace, type Workplace } from '../app/workplace.ts';
import { wrongUsage } from '../model/failure.ts';
import { isObject } from '../model/json.ts';
import { version } from '../version.ts';
import { registerConversationTools } from './conversation-tools.ts';
import { registerHistoryTools } from './history-tools.ts';
import { registerPlanTools } from './plan-tools.ts';

/** A server with what its tools need of the process. */
export interface ToolHost {
  readonly server: McpServer;
  readonly environment: NodeJS.ProcessEnv;
  /** True within one of our own agents, which must start no others. */
  readonly isInside: boolean;
  /** True where the host can ask a person. */
  canAsk(ctx: ServerContext): boolean;
}

/** Serves until the host closes our stdin. */
export async function serveMcp(environment: NodeJS.ProcessEnv): Promise<void> {
  const { CONCLAVE_INSIDE: inside, CONCLAVE_RUN: run } = environment;
  const isInside = inside !== undefined || run !== undefined;
  const closed = Promise.withResolvers<void>();
  serveStdio(() => {
    const server = new McpServer({ name: 'conclave', version }, { instructions });
    const host: ToolHost = { server, environment, isInside, canAsk: (ctx) => canAsk(server, ctx) };
    registerPlanTools(host);
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

/** Hosts tell what they can at the start, or with each call. */
function canAsk(server: McpServer, { mcpReq: { envelope } }: ServerContext): boolean {
  const told: unknown = Object.entries(envelope ?? {}).find(
    ([key]) => key === CLIENT_CAPABILITIES_META_KEY,
  )?.[1];
  const now = isObject(told) ? told : server.server.getClientCapabilities();
  return now?.['elicitation'] !== undefined;
}

/**
 * The project of a call. Hosts start a server in any folder, so it is an argument and never guessed.
 * Throws `usage` for what is no absolute folder.
 */
export async function workplaceOf(
  folder: string,
  environment: NodeJS.ProcessEnv,
): Promise<Workplace & { readonly cwd: string }> {
  if (!isAbsolute(folder) || !(await isFolder(folder))) {
    throw wrongUsage(
      `folder: ${JSON.stringify(folder).slice(0, 200)} is not an absolute path of a folder; give the folder of the project.`,
    );
  }
  return { ...(await openWorkplace({ cwd: folder, environment, flags: [] })), cwd: folder };
}

/** Throws `usage` within one of our own agents. */
export function refuseInside({ isInside }: ToolHost): void {
  if (!isInside) return;
  throw wrongUsage('This agent was itself started by Conclave, so it can start no other ones.');
}
