import type { Repository } from '../../git/repository.ts';
import type { Agent } from '../agent.ts';
import { historyAnalyst } from './history.ts';
import { structureAnalyst } from './structure.ts';

/** The agents that need no account: they read the repository and its history only. */
export function builtInAnalysts(repository: Repository): readonly Agent[] {
  return [structureAnalyst(repository), historyAnalyst(repository)];
}
