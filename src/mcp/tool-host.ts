// Carries what a tool call needs: the environment of its server, and the abilities of its host.
import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  type InputRequiredResult,
  type McpServer,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { mostTextFor } from '../app/hosts/host-list.ts';
import { isObject } from '../model/json.ts';

/** A server with the environment variables of its process. */
export interface ToolHost {
  readonly server: McpServer;
  readonly environment: NodeJS.ProcessEnv;
}

/** One call of a host. */
export interface Call extends Pick<ToolHost, 'environment'> {
  readonly ctx: ServerContext;
  /** True if the host can ask a person. */
  readonly canAsk: boolean;
  /** The longest text that the host shows its model, in bytes. */
  readonly mostText: number;
  readonly signal: AbortSignal;
}

/** Ends a call with a question to a person; the host calls again with the answer. */
export class Unanswered extends Error {
  readonly question: InputRequiredResult;
  constructor(question: InputRequiredResult) {
    super('a person has to be asked first');
    this.question = question;
  }
}

/** Makes a call. Hosts report their name and abilities at the start, or with each call. */
export function callOf({ server: { server }, environment }: ToolHost, ctx: ServerContext): Call {
  const told = new Map(Object.entries(ctx.mcpReq.envelope ?? {}));
  const abilities = told.get(CLIENT_CAPABILITIES_META_KEY) ?? server.getClientCapabilities();
  const client = told.get(CLIENT_INFO_META_KEY) ?? server.getClientVersion();
  return {
    environment,
    ctx,
    canAsk: isObject(abilities) && abilities['elicitation'] !== undefined,
    mostText: mostTextFor(isObject(client) ? String(client['name']) : ''),
    signal: ctx.mcpReq.signal,
  };
}
