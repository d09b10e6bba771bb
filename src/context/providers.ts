import type { ProviderName } from '../model/search-settings.ts';
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
  };
  readonly search?: SearchMeans | undefined;
}

const makers: Readonly<Record<ProviderName, (means: ProviderMeans) => readonly ContextProvider[]>> =
  {
    mcp: ({ repository, mcp }) =>
      mcp === undefined ? [] : [mcpProvider(mcp.server, { repository, ...mcp })],
    search: ({ repository, search }) => [searchProvider(repository, search)],
  };

/** The providers of these names in this order. */
export function contextProviders(
  names: readonly ProviderName[],
  means: ProviderMeans,
): readonly ContextProvider[] {
  return names.flatMap((name) => makers[name](means));
}
