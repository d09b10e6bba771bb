// Searches with an MCP server that is started for a single search.
import type { ContextProvider } from '../provider.ts';
import type { Repository } from '../../git/repository.ts';
import { fillTemplate, type McpServer, type StartServer } from './known-servers.ts';

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
        const { searchWith } = await import('./search.ts');
        return await searchWith(started.value, { server, query, limits, ...means });
      } finally {
        await started.value.end();
      }
    },
  };
}
