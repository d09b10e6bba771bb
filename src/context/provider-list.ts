// Lists the providers by name.
import { mcpProvider } from './mcp/mcp-provider.ts';
import type { McpServer, StartServer } from './mcp/known-servers.ts';
import type { ContextProvider } from './provider.ts';
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

/** The makers of providers, by the names used in `context.providers`. */
const makers = new Map<string, Maker>([
  [
    'mcp',
    ({ repository, mcp }) =>
      mcp === undefined ? [] : [mcpProvider(mcp.server, { repository, ...mcp })],
  ],
  ['search', ({ repository, search }) => [searchProvider(repository, search)]],
]);

export const providerNames: readonly string[] = [...makers.keys()];

/** Makes the providers of these names, in this order. */
export function contextProviders(
  names: readonly string[],
  means: ProviderMeans,
): readonly ContextProvider[] {
  return names.flatMap((name) => makers.get(name)?.(means) ?? []);
}
