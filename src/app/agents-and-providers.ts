// Makes agents and code providers by the settings, and refuses `--tools` or a default agent that is missing.
import { builtInAnalysts } from '../agents/analysts/built-in.ts';
import { type AgentPool, agentPool } from '../agents/pool.ts';
import { serverStarter } from '../agents/process/server-program.ts';
import type { ContextProvider } from '../context/provider.ts';
import { contextProviders } from '../context/providers.ts';
import type { SearchMeans } from '../context/search/provider.ts';
import { noBase, plainRepository } from '../git/open-repository.ts';
import type { Repository } from '../git/repository.ts';
import { Stopped } from '../model/failure.ts';
import { type Setting, longFlag } from '../model/setting.ts';
import { settingsTable } from '../model/settings.ts';
import type { Settings } from './settings/load-settings.ts';

/** Where a command works, as an absolute folder, and under which settings. */
export interface Workplace {
  readonly root: string;
  readonly settings: Settings;
}

/** The agents of a run: those of the list, configured programs, and the built-in analysts. */
export function poolFor({
  settings: { agents: settings },
  repository,
  environment = process.env,
}: {
  readonly settings: Settings;
  readonly repository: Repository;
  readonly environment?: NodeJS.ProcessEnv;
}): AgentPool {
  const analysts = builtInAnalysts(repository).filter(
    ({ name }) => settings[name]?.enabled !== false,
  );
  return agentPool({ settings, environment, analysts });
}

/** The same for asking only whether they are ready, which reads nothing. */
export function poolToAsk({ root, settings }: Workplace): AgentPool {
  const { signal } = new AbortController();
  const repository = plainRepository({ root, base: noBase, folders: null, signal });
  return poolFor({ settings, repository });
}

/**
 * Throws `agent-not-ready` where no agent that the user named by `--tools` is ready: no other one
 * answers instead. Where at least one is ready, the fallback chain fills the other seats.
 */
export async function checkNamedAgents(workplace: Workplace): Promise<void> {
  const { sources, run } = workplace.settings;
  const { tools } = settingsTable;
  const said = sources.find(({ key }) => key === tools.path)?.source.name;
  if (said !== longFlag(tools)) return;
  let first: Unready | null = null;
  for (const name of run.tools) {
    const unready = await unreadyAgent(name, workplace);
    if (unready === null) return;
    first ??= unready;
  }
  if (first !== null) throw new Stopped({ reason: 'agent-not-ready', ...first });
}

/** Throws `agent-not-ready` where the default agent that the user named is missing. */
export async function checkDefaultAgent(workplace: Workplace): Promise<void> {
  const { planner } = workplace.settings;
  if (planner === null || !isSaid(workplace.settings, settingsTable.planner)) return;
  const unready = await unreadyAgent(planner, workplace);
  const isMissing = unready?.state === 'not-installed' || unready?.state === 'disabled';
  if (isMissing) throw new Stopped({ reason: 'agent-not-ready', ...unready });
}

interface Unready {
  readonly agent: string;
  readonly state: string;
  readonly why: string;
  readonly remedy: string;
}

/** Null for one that is ready. */
async function unreadyAgent(agent: string, workplace: Workplace): Promise<Unready | null> {
  const { signal } = new AbortController();
  const readiness = await poolToAsk(workplace).get(agent)?.ready(signal);
  return readiness === undefined || readiness.state === 'ready' ? null : { agent, ...readiness };
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
  readonly settings: Settings;
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
  const { graceMs } = settings.limits;
  const start = serverStarter({ environment, graceMs, mark });
  const mcp = server === null ? {} : { mcp: { server, start } };
  return contextProviders(providers, { repository, search: means, ...mcp });
}
