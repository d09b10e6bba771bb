import type { ContextProvider } from '../provider.ts';
import type { Repository } from '../../git/repository.ts';
import { filled } from './fill.ts';
import type { McpTool } from './presets.ts';
import type { StartServer } from './server-program.ts';

/** A server that the user named, and how its tool is called. */
export interface McpServer extends McpTool {
  readonly command: string;
  /** They may hold {root}. */
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  /** The most that it may print in one search. */
  readonly maxBytes: number;
}

export type Files = Pick<Repository, 'root' | 'files' | 'read'>;

/**
 * Asks a server of the Model Context Protocol on stdio. Only files of the repository count of what
 * it names. The server is started for one search and has ended when that is over.
 */
export function mcpProvider(
  server: McpServer,
  means: { readonly repository: Files; readonly start: StartServer; readonly endMs: number },
): ContextProvider {
  return {
    name: 'mcp',
    timeoutMs: server.timeoutMs,
    endMs: means.endMs,
    neverAlone: true,
    async search(query, limits) {
      limits.signal.throwIfAborted();
      const { command, env, variables, maxBytes } = server;
      const { root } = means.repository;
      const args = server.args.map((arg) => filled(arg, { root }));
      const started = await means.start({ command, args, env, variables, maxBytes, cwd: root });
      if (!started.ok) return started;
      try {
        // Only who has a server needs what talks to it.
        const { searchWith } = await import('./search.ts');
        return await searchWith(started.value, { server, query, limits, ...means });
      } finally {
        await started.value.end();
      }
    },
  };
}
