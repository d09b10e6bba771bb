// Makes the agents from the settings; refuses a run whose named agents cannot take part.
import { builtInAnalysts } from '../agents/analysts/built-in.ts';
import { type AgentPool, agentPool } from '../agents/pool.ts';
import { noBase, plainRepository } from '../git/open-repository.ts';
import type { Repository } from '../git/repository.ts';
import { Stopped } from '../model/failure.ts';
import { type Setting, longFlag } from '../model/setting.ts';
import { settingsTable } from '../model/settings.ts';
import { neverAborted } from '../model/signal.ts';
import { ownMachines } from './own-machines.ts';
import { programSource } from './settings/leaf.ts';
import type { Settings } from './settings/load-settings.ts';
import { dataFolder } from './user-folders.ts';
import type { Workplace } from './workplace.ts';

/** The agents of a run: the listed ones, configured programs, and the built-in analysts. */
export function poolFor({
  settings: { agents: settings },
  repository,
  environment,
  guests,
  remembers = false,
}: Pick<Workplace, 'settings' | 'environment' | 'guests'> & {
  readonly repository: Repository;
  /** True if a version of the last day will do, as in a conversation, where a person waits for one answer. */
  readonly remembers?: boolean;
}): AgentPool {
  const analysts = builtInAnalysts(repository).filter(
    ({ name }) => settings[name]?.enabled !== false,
  );
  const versions = remembers ? `${dataFolder(environment)}/versions` : undefined;
  return agentPool({ settings, environment, versions, analysts, repository, guests });
}

/** A pool that is only asked if its agents are ready, which reads nothing from the repository. */
export function poolToAsk({
  root,
  ...workplace
}: Workplace & { readonly remembers?: boolean }): AgentPool {
  const signal = neverAborted;
  const repository = plainRepository({ root, base: noBase, folders: null, signal });
  return ownMachines({ ...workplace, root }).place(poolFor({ ...workplace, repository }));
}

/**
 * Throws `agent-not-ready` if no agent named by `--tools` or by a program is ready: no other agent answers
 * instead. If at least one is ready, the fallback chain fills the other seats.
 */
export async function checkNamedAgents(workplace: Workplace, signal: AbortSignal): Promise<void> {
  const { sources, run } = workplace.settings;
  const { tools } = settingsTable.workflow;
  const source = sources.find(({ key }) => key === tools.path)?.source.name;
  if (source !== longFlag(tools) && source !== programSource) return;
  let first: Unready | null = null;
  for (const name of run.tools) {
    const unready = await unreadyAgent(name, workplace, signal);
    if (unready === null) return;
    first ??= unready;
  }
  if (first !== null) throw new Stopped({ reason: 'agent-not-ready', ...first });
}

/** Throws `agent-not-ready` if the default agent that the user named is missing. */
export async function checkDefaultAgent(workplace: Workplace, signal: AbortSignal): Promise<void> {
  const { planner } = workplace.settings;
  if (planner === null || !isChosen(workplace.settings, settingsTable.agent.cli)) return;
  const unready = await unreadyAgent(planner, workplace, signal);
  const isMissing = unready?.state === 'not-installed' || unready?.state === 'disabled';
  if (isMissing) throw new Stopped({ reason: 'agent-not-ready', ...unready });
}

interface Unready {
  readonly agent: string;
  readonly state: string;
  readonly why: string;
  readonly remedy: string;
}

/** The state of an agent that is not ready; null if it is ready. */
async function unreadyAgent(
  agent: string,
  workplace: Workplace,
  signal: AbortSignal,
): Promise<Unready | null> {
  const readiness = await poolToAsk(workplace).get(agent)?.ready(signal);
  return readiness === undefined || readiness.state === 'ready' ? null : { agent, ...readiness };
}

/** True if the user chose the agents of the first round. */
export function seatsAreChosen(settings: Settings): boolean {
  return isChosen(settings, settingsTable.workflow.tools);
}

/** True if a setting has its value from the user, not by default. */
export function isChosen({ sources }: Settings, { path }: Setting): boolean {
  return sources.some(({ key, source }) => key === path && source.name !== 'default');
}
