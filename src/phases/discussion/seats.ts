import type { AgentPool } from '../../agents/pool.ts';
import type { RunSettings } from '../../model/session.ts';

export interface Seats {
  /** One agent name for each seat. */
  readonly seats: readonly string[];
  /** Who may take a seat that fails, in order. */
  readonly chain: readonly string[];
}

/**
 * Who sits in a round. Round 1 has the agents of the settings, and the built-in analysts as the
 * last fallback. Later rounds keep the models that answered before, unless the settings name
 * others now; analysts have no second round.
 */
export function seatsFor(round: {
  readonly number: number;
  readonly settings: RunSettings;
  readonly agents: AgentPool;
  /** The settings’ tools of the round before, and who answered in it; null in round 1. */
  readonly before: {
    readonly tools: readonly string[];
    readonly answered: readonly string[];
  } | null;
}): Seats {
  const { settings, agents, before } = round;
  const analysts = agents.analysts.map((agent) => agent.name);
  if (round.number === 1 || before === null) {
    const seats = settings.tools;
    return {
      seats,
      chain: [...settings.fallback_chain, ...analysts].filter((n) => !seats.includes(n)),
    };
  }
  const sameTools = before.tools.join() === settings.tools.join();
  const wanted = sameTools ? before.answered : settings.tools;
  const seats = wanted.filter((name) => !analysts.includes(name));
  return { seats, chain: settings.fallback_chain.filter((name) => !seats.includes(name)) };
}
