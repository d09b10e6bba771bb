// Lists the providers by name.
import { mcpProvider } from './mcp/mcp-provider.ts';
import type { McpServer, StartServer } from './mcp/known-servers.ts';
import { type ContextProvider, contextNames } from './provider.ts';
import type { Repository } from '../git/repository.ts';
import { searchProvider, type SearchMeans } from './search/search-provider.ts';

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
