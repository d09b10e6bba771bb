import { serverStarter } from '../../agents/process/server-program.ts';
import type { ContextProvider } from '../../context/provider.ts';
import { contextProviders } from '../../context/providers.ts';
import type { SearchMeans } from '../../context/search/provider.ts';
import type { Repository } from '../../git/repository.ts';
import type { Settings } from '../settings/load-settings.ts';

/**
 * Those who are asked for code, by the settings. A server that one of them starts carries a mark
 * that begins with `markPrefix`.
 */
export function searchProviders(search: {
  readonly settings: Pick<Settings, 'context' | 'limits'>;
  readonly repository: Repository;
  readonly environment: NodeJS.ProcessEnv;
  readonly markPrefix: string;
  /** Who is told of the search. */
  readonly means?: SearchMeans;
}): readonly ContextProvider[] {
  const { settings, repository, environment, markPrefix, means } = search;
  const { providers, mcp: server } = settings.context;
  let started = 0;
  const mark = (): string => `${markPrefix}mcp.${(started += 1)}`;
  const start = serverStarter({ environment, graceMs: settings.limits.graceMs, mark });
  const mcp = server === null ? {} : { mcp: { server, start } };
  return contextProviders(providers, { repository, search: means, ...mcp });
}
