import { Stopped } from '../../model/failure.ts';
import type { Settings } from '../settings/load-settings.ts';
import { poolToAsk } from './agent-pools.ts';

/**
 * Agents that the user named by `--tools` are meant: when not one of them is ready, nobody else
 * answers in their place. Where at least one is ready, the fallback chain fills the other seats.
 */
export async function checkNamedAgents(named: {
  readonly flags: { readonly tools?: readonly string[] | undefined };
  readonly settings: Settings;
  readonly root: string;
  readonly environment: NodeJS.ProcessEnv;
}): Promise<void> {
  if (named.flags.tools === undefined) return;
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
