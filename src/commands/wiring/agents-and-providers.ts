import { builtInAnalysts } from '../../agents/analysts/built-in.ts';
import { type AgentPool, agentPool } from '../../agents/pool.ts';
import { serverStarter } from '../../agents/process/server-program.ts';
import type { ContextProvider } from '../../context/provider.ts';
import { contextProviders } from '../../context/providers.ts';
import type { SearchMeans } from '../../context/search/provider.ts';
import { noBase, plainRepository } from '../../git/open-repository.ts';
import type { Repository } from '../../git/repository.ts';
import { Stopped } from '../../model/failure.ts';
import { type Setting, longFlag } from '../../model/setting.ts';
import { settingsTable } from '../../model/settings.ts';
import type { Settings } from '../settings/load-settings.ts';

/** The agents of a run: those of the list, configured programs, and the built-in analysts. */
export function poolFor(pool: {
  readonly settings: Settings;
  readonly environment?: NodeJS.ProcessEnv;
  readonly repository: Repository;
}): AgentPool {
  const { agents: settings } = pool.settings;
  const analysts = builtInAnalysts(pool.repository).filter(
    ({ name }) => settings[name]?.enabled !== false,
  );
  return agentPool({ settings, environment: pool.environment ?? process.env, analysts });
}

/** The same for asking only whether they are ready, which reads nothing. */
export function poolToAsk(pool: {
  readonly settings: Settings;
  /** Absolute. */
  readonly root: string;
  readonly signal: AbortSignal;
}): AgentPool {
  const { root, signal } = pool;
  return poolFor({
    ...pool,
    repository: plainRepository({ root, base: noBase, folders: null, signal }),
  });
}

/**
 * Throws `agent-not-ready` where no agent that the user named by `--tools` is ready: no other one
 * answers instead. Where at least one is ready, the fallback chain fills the other seats.
 */
export async function checkNamedAgents(named: {
  readonly settings: Settings;
  readonly root: string;
}): Promise<void> {
  const { tools } = settingsTable;
  const said = named.settings.sources.find(({ key }) => key === tools.path)?.source.name;
  if (said !== longFlag(tools)) return;
  const { signal } = new AbortController();
  const agents = poolToAsk({ ...named, signal });
  let first: Stopped | null = null;
  for (const name of named.settings.run.tools) {
    const readiness = await agents.get(name)?.ready(signal);
    if (readiness === undefined || readiness.state === 'ready') return;
    const { why, remedy } = readiness;
    first ??= new Stopped({ reason: 'agent-not-ready', agent: name, why, remedy });
  }
  if (first !== null) throw first;
}

/** Throws `agent-not-ready` where the default agent that the user named is missing. */
export async function checkDefaultAgent(named: {
  readonly settings: Settings;
  readonly root: string;
}): Promise<void> {
  const { planner } = named.settings;
  if (planner === null || !isSaid(named.settings, settingsTable.planner)) return;
  const { signal } = new AbortController();
  const readiness = await poolToAsk({ ...named, signal })
    .get(planner)
    ?.ready(signal);
  if (readiness?.state !== 'not-installed' && readiness?.state !== 'disabled') return;
  const { why, remedy } = readiness;
  throw new Stopped({ reason: 'agent-not-ready', agent: planner, why, remedy });
}

/** Whether the agents of the first round were chosen. */
export function seatsAreChosen(settings: Settings): boolean {
  return isSaid(settings, settingsTable.tools);
}

function isSaid({ sources }: Settings, { path }: Setting): boolean {
  return sources.some(({ key, source }) => key === path && source.name !== 'default');
}

/** The sources of code by the settings. A server that one of them starts gets a mark with `markPrefix`. */
export function searchProviders(search: {
  readonly settings: Pick<Settings, 'context' | 'limits'>;
  readonly repository: Repository;
  readonly environment?: NodeJS.ProcessEnv;
  readonly markPrefix: string;
  /** Notified of the search. */
  readonly means?: SearchMeans;
}): readonly ContextProvider[] {
  const { settings, repository, environment = process.env, markPrefix, means } = search;
  const { providers, mcp: server } = settings.context;
  let started = 0;
  const mark = (): string => `${markPrefix}mcp.${(started += 1)}`;
  const start = serverStarter({ environment, graceMs: settings.limits.graceMs, mark });
  const mcp = server === null ? {} : { mcp: { server, start } };
  return contextProviders(providers, { repository, search: means, ...mcp });
}
