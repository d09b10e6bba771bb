import { builtInAnalysts } from '../../agents/analysts/index.ts';
import { type AgentPool, agentPool } from '../../agents/pool.ts';
import { noBase, plainRepository } from '../../git/plain-repository.ts';
import type { Repository } from '../../git/repository.ts';
import type { Settings } from '../settings/load-settings.ts';

/** The agents of a run: those of the list, configured programs, and the built-in analysts. */
export function poolFor(pool: {
  readonly settings: Settings;
  readonly environment: NodeJS.ProcessEnv;
  readonly repository: Repository;
}): AgentPool {
  const { agents: settings } = pool.settings;
  const analysts = builtInAnalysts(pool.repository).filter(
    ({ name }) => settings[name]?.enabled !== false,
  );
  return agentPool({ settings, environment: pool.environment, analysts });
}

/** The same where they are only asked whether they are ready, for which nothing is read. */
export function poolToAsk(pool: {
  readonly settings: Settings;
  readonly environment: NodeJS.ProcessEnv;
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
