// Carries what the tools of a server need: its process, the project of a call, what the host can do.
import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  type McpServer,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { stat } from 'node:fs/promises';
import { isAbsolute, resolve } from 'node:path';
import { mostTextFor } from '../app/hosts/host-list.ts';
import type { Workplace } from '../app/workplace.ts';
import { wrongUsage } from '../model/failure.ts';
import { isObject } from '../model/json.ts';
import { nullIfAbsent } from '../store/system-error.ts';

/** A server with what its tools need of the process. */
export interface ToolHost {
  readonly server: McpServer;
  readonly environment: NodeJS.ProcessEnv;
  /** True where the host can ask a person. */
  canAsk(ctx: ServerContext): boolean;
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

/**
 * The project of a call. Hosts start a server in any folder, so it is an argument and never guessed.
 * Throws `usage` for what is no absolute folder.
 */
export async function workplaceOf(
  folder: string,
  environment: NodeJS.ProcessEnv,
): Promise<Workplace & { readonly cwd: string }> {
  const { isFolder, openWorkplace } = await loadParts();
  if (!isAbsolute(folder) || !(await isFolder(folder))) {
    throw wrongUsage(
      `folder: ${JSON.stringify(folder).slice(0, 200)} is not an absolute path of a folder; give the folder of the project.`,
    );
  }
  return { ...(await openWorkplace({ cwd: folder, environment, flags: [] })), cwd: folder };
}

/** Throws `usage` for what is no file; `name` is the argument that names it. */
export async function findFile(
  path: string,
  { cwd, name }: { readonly cwd: string; readonly name: string },
): Promise<{ readonly absolute: string; readonly size: number }> {
  const absolute = resolve(cwd, path);
  const found = await nullIfAbsent(stat(absolute));
  if (found?.isFile() === true) return { absolute, size: found.size };
  throw wrongUsage(`${name}: there is no file ${path}.`);
}
