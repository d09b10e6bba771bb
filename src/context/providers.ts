import { mcpProvider } from './mcp/provider.ts';
import type { McpServer, StartServer } from './mcp/server.ts';
import type { ContextProvider } from './provider.ts';
import type { Repository } from '../git/repository.ts';
import { searchProvider, type SearchMeans } from './search/provider.ts';

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
  readonly search?: SearchMeans | undefined;
}

const makers: Readonly<Record<string, (means: ProviderMeans) => readonly ContextProvider[]>> = {
  mcp: ({ repository, mcp }) =>
    mcp === undefined ? [] : [mcpProvider(mcp.server, { repository, ...mcp })],
  search: ({ repository, search }) => [searchProvider(repository, search)],
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
