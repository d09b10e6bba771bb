import { localProvider, type IndexCache } from './local/provider.ts';
import { mcpProvider } from './mcp/provider.ts';
import type { McpServer, StartServer } from './mcp/server.ts';
import type { ContextProvider } from './provider.ts';
import type { Repository } from '../git/repository.ts';
import { ripgrepProvider } from './ripgrep.ts';
import { scanProvider } from './scan.ts';

/** What providers work with beside the repository. */
export interface ProviderMeans {
  readonly repository: Repository;
  /** Left out where no server may be started. */
  readonly mcp?: {
    readonly server: McpServer;
    readonly start: StartServer;
    /** How long a server gets to end, in ms. */
    readonly endMs: number;
  };
  /** Left out where no index may be kept. */
  readonly index?: IndexCache;
}

const makers: Readonly<Record<string, (means: ProviderMeans) => readonly ContextProvider[]>> = {
  mcp: ({ repository, mcp }) =>
    mcp === undefined ? [] : [mcpProvider(mcp.server, { repository, ...mcp })],
  local: ({ repository, index }) => (index === undefined ? [] : [localProvider(repository, index)]),
  ripgrep: ({ repository }) => [ripgrepProvider(repository)],
  scan: ({ repository }) => [scanProvider(repository)],
};

/** The providers of these names in this order. Names are checked by the configuration’s shape. */
export function contextProviders(
  names: readonly string[],
  means: ProviderMeans,
): readonly ContextProvider[] {
  return names.flatMap((name) => {
    const make = Object.hasOwn(makers, name) ? makers[name] : undefined;
    if (make === undefined) throw new Error(`There is no context provider "${name}".`);
    return make(means);
  });
}
