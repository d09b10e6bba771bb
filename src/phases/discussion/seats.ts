import type { AgentPool } from '../../agents/pool.ts';
import type { RunSettings } from '../../model/session.ts';
import type { Synthesis } from '../../model/synthesis.ts';
import { readyModel } from '../asking/ask-seat.ts';

export interface Seats {
  /** One agent name for each seat. */
  readonly seats: readonly string[];
  /** Who may take a seat that fails, in order. */
  readonly chain: readonly string[];
}

/** What a round leaves to the next one: its settings’ tools, and who answered in it. */
export interface RoundBefore {
  readonly tools: readonly string[];
  readonly answered: readonly string[];
}

export function leftBy(last: {
  readonly synthesis: Synthesis;
  readonly settings: RunSettings;
}): RoundBefore {
  const answered = last.synthesis.receipts.map(({ agent }) => agent);
  return { tools: last.settings.tools, answered };
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
  /** Null in round 1. */
  readonly before: RoundBefore | null;
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

/** Why nobody is asked for more analysis, as a sentence. */
export const modelNeeded = 'More analysis needs an agent with a model, and none is ready.';

/** Whether anybody of a round after the first can be asked. Analysts do not count. */
export async function somebodyReady(
  { seats, chain }: Seats,
  agents: AgentPool,
  signal: AbortSignal,
): Promise<boolean> {
  return seats.length > 0 && (await readyModel([...seats, ...chain], agents, signal)) !== null;
}
