// Carries what the tools of a server need: its process, the project of a call, what the host can do.
import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  type McpServer,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { isAbsolute } from 'node:path';
import { mostTextFor } from '../app/hosts/host-list.ts';
import type { Workplace } from '../app/workplace.ts';
import { wrongUsage } from '../model/failure.ts';
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

/** The folders that the host has named so far: it is told of no others. */
export const namedFolders = new Set<string>();

/**
 * The project of a call. Hosts start a server in any folder, so it is an argument and never guessed.
 * Throws `usage` for what is no absolute folder.
 */
export async function workplaceOf(
  folder: string,
  environment: NodeJS.ProcessEnv,
): Promise<Workplace & { readonly cwd: string }> {
  const { isFolder, openWorkplace } = await loadParts();
  // A folder before `..` may be a link, or another project.
  const isPlain = isAbsolute(folder) && !folder.split('/').includes('..');
  if (!isPlain || !(await isFolder(folder))) {
    throw wrongUsage(
      `folder: ${JSON.stringify(folder).slice(0, 200)} is not an absolute path of a folder; give the folder of the project.`,
    );
  }
  namedFolders.add(folder);
  return { ...(await openWorkplace({ cwd: folder, environment, flags: [] })), cwd: folder };
}
