// Makes the search providers that the settings name.
import { serverStarter } from '../agents/process/server-program.ts';
import type { ContextProvider } from '../context/provider.ts';
import { contextProviders } from '../context/provider-list.ts';
import type { SearchMeans } from '../context/search/search-provider.ts';
import type { Repository } from '../git/repository.ts';
import type { Workplace } from './workplace.ts';

/** Makes the search providers; a server that one of them starts gets a mark that begins with `markPrefix`. */
export function searchProviders(
  search: Pick<Workplace, 'settings' | 'environment'> & {
    readonly repository: Repository;
    readonly markPrefix: string;
    /** Receives the progress of the search. */
    readonly means?: SearchMeans;
  },
): readonly ContextProvider[] {
  const { settings, repository, environment, markPrefix, means } = search;
  const { providers, mcp: server } = settings.context;
  let started = 0;
  const mark = (): string => `${markPrefix}mcp-${(started += 1)}`;
  const { graceMs } = settings.limits;
  const start = serverStarter({ environment, graceMs, mark });
  const mcp = server === null ? {} : { mcp: { server, start } };
  return contextProviders(providers, { repository, search: means, ...mcp });
}
