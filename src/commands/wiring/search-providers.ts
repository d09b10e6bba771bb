import { serverStarter } from '../../agents/process/server-program.ts';
import type { ContextProvider } from '../../context/provider.ts';
import type { IndexCache } from '../../context/local/provider.ts';
import { contextProviders } from '../../context/providers.ts';
import type { Repository } from '../../git/repository.ts';
import { indexFolder } from '../settings/data-folder.ts';
import type { Settings } from '../settings/load-settings.ts';

/** Beyond the time that a server has to end: what is left of it is killed and looked for again. */
const killMs = 5_000;

/**
 * Those who are asked for code, by the settings. A server that one of them starts carries a mark
 * that begins with `markPrefix`.
 */
export function searchProviders(search: {
  readonly settings: Pick<Settings, 'context' | 'limits'>;
  readonly repository: Repository;
  readonly environment: NodeJS.ProcessEnv;
  readonly markPrefix: string;
  /** Who is told of the index, where one is asked. */
  readonly index?: Omit<IndexCache, 'folder'>;
}): readonly ContextProvider[] {
  const { settings, repository, environment, markPrefix } = search;
  const { providers, mcp: server } = settings.context;
  const { graceMs } = settings.limits;
  let started = 0;
  const mark = (): string => `${markPrefix}mcp.${(started += 1)}`;
  const start = serverStarter({ environment, graceMs, mark });
  const mcp = server === null ? {} : { mcp: { server, start, endMs: graceMs + killMs } };
  const index = { folder: indexFolder(environment), ...search.index };
  return contextProviders(providers, { repository, index, ...mcp });
}
