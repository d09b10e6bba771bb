// Decides which agents sit in a round, and which may stand in.
import type { AgentPool } from '../../agents/pool.ts';
import type { RunSettings } from '../../model/run-settings.ts';
import type { Synthesis } from '../../model/synthesis.ts';
import { findReadyModel } from '../asking/ask-seat.ts';

export interface Seats {
  /** The name of the agent in each seat. */
  readonly seats: readonly string[];
  /** The stand-ins for a seat that fails, in order. */
  readonly chain: readonly string[];
}

/**
 * Gives each seat of a round its agent. Round 1 has the agents of the settings, with the built-in analysts as
 * the last fallback. Later rounds keep the models that answered before, unless the settings name others by now;
 * analysts have no second round.
 */
export function seatsFor(round: {
  readonly settings: RunSettings;
  readonly agents: AgentPool;
  /** The previous round; null in round 1. */
  readonly previous: { readonly synthesis: Synthesis; readonly settings: RunSettings } | null;
}): Seats {
  const { settings, agents, previous } = round;
  const analysts = agents.analysts.map(({ name }) => name);
  if (previous === null)
    return withChain(settings.tools, [...settings.fallback_chain, ...analysts]);
  const sameTools = previous.settings.tools.join() === settings.tools.join();
  const wanted = sameTools ? findAnswerers(previous.synthesis) : settings.tools;
  const seats = wanted.filter((name) => !analysts.includes(name));
  return withChain(seats, settings.fallback_chain);
}

/**
 * The seats of a first round if the user chose none: the first agents that are installed and not logged out, so
 * that none has to stand in for a missing one. If no agent is ready, the seats stay as they are, and each says
 * what it lacks.
 */
export async function chooseReadySeats(
  { seats, chain }: Seats,
  agents: AgentPool,
  signal: AbortSignal,
): Promise<Seats> {
  const ready: string[] = [];
  for (const name of [...seats, ...chain]) {
    if (ready.length === seats.length) break;
    if ((await findReadyModel([name], agents, signal)) === null) continue;
    if (agents.loginOf(name).state !== 'logged-out') ready.push(name);
  }
  return ready.length === 0 ? { seats, chain } : withChain(ready, [...seats, ...chain]);
}

/**
 * The seats of the round that examines a plan from outside: the agents with a model, except those of its
 * author’s vendor. An agent of an unknown vendor may be asked.
 */
export function seatExaminers(round: {
  readonly settings: Pick<RunSettings, 'tools' | 'fallback_chain'>;
  readonly agents: Pick<AgentPool, 'get' | 'modelOf'>;
  /** Null if the vendor was not stated; then all agents may be asked. */
  readonly vendor: string | null;
}): Seats {
  const { settings, agents, vendor } = round;
  const mayExamine = (name: string) => {
    const agent = agents.get(name);
    if (agent === undefined || agent.kind !== 'model') return agent === undefined;
    const own = agent.vendorOf(agents.modelOf(name))?.toLowerCase() ?? null;
    return vendor === null || own !== vendor.toLowerCase();
  };
  return withChain(
    settings.tools.filter(mayExamine),
    [...settings.tools, ...settings.fallback_chain].filter(mayExamine),
  );
}

/** The names of the agents that answered in a round. */
export function findAnswerers({ receipts }: Synthesis): readonly string[] {
  return receipts.map(({ agent }) => agent);
}

function withChain(seats: readonly string[], chain: readonly string[]): Seats {
  return { seats, chain: chain.filter((name) => !seats.includes(name)) };
}

/** A sentence on why no agent is asked for more analysis. */
export const noModelText =
  'More analysis needs an agent with a model, and the session has none ready.';

/** True if any agent of a later round can be asked; analysts do not count. */
export async function isSomebodyReady(
  { seats, chain }: Seats,
  agents: AgentPool,
  signal: AbortSignal,
): Promise<boolean> {
  return seats.length > 0 && (await findReadyModel([...seats, ...chain], agents, signal)) !== null;
}
