// Lists the providers by name, and makes the one that starts an MCP server for a search.
import { type McpServer, type StartServer, fillTemplate } from './mcp/known-servers.ts';
import { type ContextProvider, contextNames } from './provider.ts';
import type { Repository } from '../git/repository.ts';
import { type SearchMeans, searchProvider } from './search/search-provider.ts';

/** Everything that providers need besides the repository. */
export interface ProviderMeans {
  readonly repository: Repository;
  /** The means for servers; absent if no server may be started. */
  readonly mcp?: {
    readonly server: McpServer;
    readonly start: StartServer;
  };
  readonly search?: SearchMeans | undefined;
}

type Maker = (means: ProviderMeans) => readonly ContextProvider[];

/** The makers of providers. */
const makers: Readonly<Record<(typeof contextNames)[number], Maker>> = {
  mcp: ({ repository, mcp }) =>
    mcp === undefined ? [] : [mcpProvider(mcp.server, { repository, ...mcp })],
  search: ({ repository, search }) => [searchProvider(repository, search)],
};

/** Makes the providers of these names, in this order. */
export function contextProviders(
  names: readonly string[],
  means: ProviderMeans,
): readonly ContextProvider[] {
  return names.flatMap((name) => {
    const known = contextNames.find((one) => one === name);
    return known === undefined ? [] : makers[known](means);
  });
}

/**
 * Asks a Model Context Protocol server over stdio. Of what it names, only files of the repository
 * count. The server is started for one search and has ended when that is over.
 */
export function mcpProvider(
  server: McpServer,
  means: {
    readonly repository: Pick<Repository, 'root' | 'files' | 'read'>;
    readonly start: StartServer;
  },
): ContextProvider {
  return {
    name: 'mcp',
    timeoutMs: server.timeoutMs,
    neverAlone: true,
    async search(query, limits) {
      limits.signal.throwIfAborted();
      const { command, env, variables, maxBytes } = server;
      const { root } = means.repository;
      const args = server.args.map((arg) => fillTemplate(arg, { root }));
      const started = await means.start({ command, args, env, variables, maxBytes, cwd: root });
      if (!started.ok) return started;
      try {
        // The SDK takes a while to load, so it is loaded only for users who have a server.
        const { searchWith } = await import('./mcp/search.ts');
        return await searchWith(started.value, { server, query, limits, ...means });
      } finally {
        await started.value.end();
      }
    },
  };
}
