// Says who sits in a round, and who may stand in.
import type { AgentPool } from '../../agents/pool.ts';
import type { RunSettings } from '../../model/session.ts';
import type { Synthesis } from '../../model/synthesis.ts';
import { findReadyModel } from '../asking/ask-seat.ts';

export interface Seats {
  /** One agent name for each seat. */
  readonly seats: readonly string[];
  /** Stand-ins for a seat that fails, in order. */
  readonly chain: readonly string[];
}

/**
 * Gives each seat of a round its agent. Round 1 has the agents of the settings, and the built-in analysts as the
 * last fallback. Later rounds keep the models that answered before, unless the settings name
 * others now; analysts have no second round.
 */
export function seatsFor(round: {
  readonly settings: RunSettings;
  readonly agents: AgentPool;
  /** The round before; null in round 1. */
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
 * The seats of a first round where nobody chose who sits: the first agents that are installed and
 * not logged out, so that nobody is a stand-in for one that is missing. Where there is none, the
 * seats stay as they are, and each says what it lacks.
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
 * The seats of the round that examines a plan which somebody else has written: the agents with a
 * model, without those of its author’s vendor. One whose vendor is unknown may be asked.
 */
export function seatExaminers(round: {
  readonly settings: Pick<RunSettings, 'tools' | 'fallback_chain'>;
  readonly agents: Pick<AgentPool, 'get' | 'modelOf'>;
  /** Null where nobody said it: then nobody is left out. */
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

/** Why nobody is asked for more analysis, as a sentence. */
export const noModelText =
  'More analysis needs an agent with a model, and the session has none ready.';

/** True where anybody of a round after the first can be asked. Analysts do not count. */
export async function isSomebodyReady(
  { seats, chain }: Seats,
  agents: AgentPool,
  signal: AbortSignal,
): Promise<boolean> {
  return seats.length > 0 && (await findReadyModel([...seats, ...chain], agents, signal)) !== null;
}
