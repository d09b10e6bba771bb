// Carries what the tools of a server need: its process, and what the host can do.
import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  type McpServer,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { mostTextFor } from '../app/hosts/host-list.ts';
import { isObject } from '../model/json.ts';

/** A server with what its tools need of the process. */
export interface ToolHost {
  readonly server: McpServer;
  readonly environment: NodeJS.ProcessEnv;
  /** True where the host can ask a person. */
  readonly canAsk: (ctx: ServerContext) => boolean;
  /** The longest text that the host shows its model, in bytes. */
  readonly mostText: (ctx: ServerContext) => number;
}

/** Loads what tools need of the rest of the program, which takes longer than a host likes to wait. */
export const loadParts = () => import('./late-parts.ts');

/** Makes the tools’ view of a server. Hosts tell who they are and what they can at the start, or with each call. */
export function toolHost(server: McpServer, environment: NodeJS.ProcessEnv): ToolHost {
  return {
    server,
    environment,
    canAsk(ctx) {
      const now =
        toldIn(ctx, CLIENT_CAPABILITIES_META_KEY) ?? server.server.getClientCapabilities();
      return isObject(now) && now['elicitation'] !== undefined;
    },
    mostText(ctx) {
      const now = toldIn(ctx, CLIENT_INFO_META_KEY) ?? server.server.getClientVersion();
      return mostTextFor(isObject(now) ? String(now['name']) : '');
    },
  };
}

function toldIn({ mcpReq: { envelope } }: ServerContext, key: string): unknown {
  return Object.entries(envelope ?? {}).find(([name]) => name === key)?.[1];
}
