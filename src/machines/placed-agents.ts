// Sends the runs of agents to the machines that the user named for them.
import type { Agent, AgentEnd, AgentRequest, Readiness } from '../agents/agent.ts';
import type { AgentPool } from '../agents/pool.ts';
import { withBreaker } from '../agents/breaker.ts';
import type { AgentEvent, FailureCategory } from '../model/agent-event.ts';
import { listed } from '../model/wording.ts';
import type { Machine, MachineSettings, OwnerPlace } from './reach-machine.ts';

/** A machine with the agents whose runs go there. */
export interface PlacedMachine extends MachineSettings {
  readonly agents: readonly string[];
  /** The most runs at once. */
  readonly slots: number;
  /** False until the user has said once that prompts and code may go there. */
  readonly isAllowed: boolean;
}

/** What opens the queue: its address and the key that owner and workers share. */
type OpenQueue = () => Promise<{ readonly url: string; readonly key: string }>;

interface Place extends OwnerPlace {
  /** The beginning of the marks of the connections. */
  readonly markPrefix: string;
  /** False to end the connections whenever nothing runs. */
  readonly holds: boolean;
  /** The machine on which all agents run; null for those that name each agent. */
  readonly chosen: string | null;
  readonly queue: OpenQueue;
  /** The most runs of an agent at once, on all machines together. */
  readonly atOnce: (agent: string) => number;
}

/** The machines of one process: connections, and how many runs are on each. */
export interface Machines {
  /** The pool in which the agents of machines run there. */
  place(pool: AgentPool): AgentPool;
  /** Ends all connections, once their runs have ended. */
  close(): Promise<void>;
}

/** Opens the machines; each is reached when it is needed for the first time. */
export function openMachines(all: readonly PlacedMachine[], place: Place): Machines {
  const open = new Map<string, Promise<Machine>>();
  const slots = openRooms();
  const turns = openRooms();
  let uses = 0;

  async function reach(settings: PlacedMachine): Promise<Machine> {
    const { name } = settings;
    const known = await open.get(name)?.catch(() => null);
    if (known !== undefined && known !== null && !known.isLost) return known;
    const reaching = reachEither(settings, place);
    open.set(name, reaching);
    reaching.catch(() => open.delete(name));
    return await reaching;
  }

  async function close(): Promise<void> {
    const reached = [...open.values()];
    open.clear();
    for (const one of reached) await one.then((machine) => machine.close()).catch(() => undefined);
  }

  /** Ends the connections after the last use, where nobody holds them. */
  async function rest(): Promise<void> {
    uses -= 1;
    if (uses === 0 && !place.holds) await close();
  }

  function placeAgent(agent: Agent): Agent {
    const { name } = agent;
    const mine = all.filter((one) =>
      place.chosen === null ? one.agents.includes(name) : one.name === place.chosen,
    );
    return withBreaker({
      ...agent,
      // What ran on a machine is kept there, not here.
      recall: (request, since) =>
        mine.length === 0 ? (agent.recall?.(request, since) ?? null) : null,
      async ready(signal) {
        if (mine.length === 0) return await agent.ready(signal);
        uses += 1;
        return await readyOn(name, mine, reach, signal).finally(rest);
      },
      async *run(request, signal) {
        uses += 1;
        await turns.enter([{ name, most: place.atOnce(name) }], signal);
        try {
          const { machine = null } = request;
          const fit = machine === null ? mine : all.filter((one) => one.name === machine);
          if (machine !== null && fit.length === 0)
            return unplacedEnd(name, 'request-refused', `there is no machine ${machine}`);
          if (fit.length === 0) return yield* agent.run(request, signal);
          return yield* runOn(agent, fit, { request, signal });
        } finally {
          turns.leave(name);
          await rest();
        }
      },
    });
  }

  async function* runOn(
    agent: Agent,
    among: readonly PlacedMachine[],
    { request, signal }: { readonly request: AgentRequest; readonly signal: AbortSignal },
  ): AsyncGenerator<AgentEvent, AgentEnd, undefined> {
    const { LostMachine } = await import('./reach-machine.ts');
    // An agent’s own session goes on where it began.
    const home = request.resume?.agentSession.split('/')[0] ?? null;
    const fit = home === null ? among : among.filter(({ name }) => name === home);
    if (fit.length === 0)
      return unplacedEnd(agent.name, 'session-lost', `its session began elsewhere`);
    const tried: string[] = [];
    let why = '';
    while (tried.length < 2) {
      const others = fit.filter(({ name }) => !tried.includes(name));
      const rooms = (others.length > 0 ? others : fit).map((one) => ({ ...one, most: one.slots }));
      const settings = await slots.enter(rooms, signal);
      try {
        return yield* (await reach(settings)).run(agent, request, signal);
      } catch (error) {
        signal.throwIfAborted();
        if (!(error instanceof LostMachine)) throw error;
        tried.push(settings.name);
        why = error.message;
        if (tried.length < 2) yield { type: 'retrying', reason: why, delay: null };
      } finally {
        slots.leave(settings.name);
      }
    }
    return unplacedEnd(agent.name, 'dropped', why);
  }

  return {
    place(pool) {
      const made = new Map<Agent, Agent>();
      const wrap = (agent: Agent): Agent => {
        const one = made.get(agent) ?? (agent.kind === 'model' ? placeAgent(agent) : agent);
        made.set(agent, one);
        return one;
      };
      return {
        ...pool,
        get(name) {
          const agent = pool.get(name);
          return agent === undefined ? undefined : wrap(agent);
        },
        models: () => pool.models().map(wrap),
      };
    },
    close,
  };
}

/** Reaches a machine by its command, or the workers of the queue where it has none. */
export async function reachEither(settings: PlacedMachine, place: Place): Promise<Machine> {
  if (settings.command.length > 0) {
    const { reachMachine } = await import('./reach-machine.ts');
    return await reachMachine(settings, place, `${place.markPrefix}${settings.name}`);
  }
  const { reachPool } = await import('./queue-machine.ts');
  const { name } = settings;
  return await reachPool({ name, atOnce: place.atOnce }, { ...place, ...(await place.queue()) });
}

interface Room {
  readonly name: string;
  readonly most: number;
}

/** Counts who is in which room, and lets in whoever waits as soon as one has a place. */
function openRooms() {
  const inside = new Map<string, number>();
  const waiting = new Set<() => void>();
  const roomIn = ({ name, most }: Room) => most - (inside.get(name) ?? 0);
  return {
    /** Enters the room with the most places; waits for one. Rejects with the signal’s reason. */
    async enter<T extends Room>(among: readonly T[], signal: AbortSignal): Promise<T> {
      for (;;) {
        signal.throwIfAborted();
        const [best] = among.toSorted((a, b) => roomIn(b) - roomIn(a));
        if (best !== undefined && roomIn(best) > 0) {
          inside.set(best.name, (inside.get(best.name) ?? 0) + 1);
          return best;
        }
        const { promise, resolve } = Promise.withResolvers<void>();
        waiting.add(resolve);
        signal.addEventListener('abort', () => resolve(), { once: true });
        await promise;
        waiting.delete(resolve);
      }
    },
    leave(name: string): void {
      inside.set(name, (inside.get(name) ?? 1) - 1);
      for (const wake of waiting) wake();
    },
  };
}

/** Whether one of the machines has the agent ready; else what the first of them says. */
async function readyOn(
  agent: string,
  mine: readonly PlacedMachine[],
  reach: (settings: PlacedMachine) => Promise<Machine>,
  signal: AbortSignal,
): Promise<Readiness> {
  const refused = mine.filter(({ isAllowed }) => !isAllowed).map(({ name }) => name);
  if (refused.length > 0) {
    return {
      state: 'disabled',
      why: `prompts and code would go to ${listed(refused)} for the first time`,
      remedy: `To allow it: conclave machines allow ${refused[0]}`,
    };
  }
  const found = await Promise.all(mine.map((settings) => stateOn(agent, settings, reach)));
  signal.throwIfAborted();
  const [first] = found;
  return (
    found.find(({ state }) => state === 'ready') ??
    first ?? { state: 'disabled', why: '', remedy: '' }
  );
}

async function stateOn(
  agent: string,
  settings: PlacedMachine,
  reach: (settings: PlacedMachine) => Promise<Machine>,
): Promise<Readiness> {
  const remedy = 'See: conclave machines';
  try {
    const [found] = await (await reach(settings)).find([agent]);
    if (found?.state === 'ready')
      return { state: 'ready', path: null, version: found.version, note: `on ${settings.name}` };
    return {
      state: found?.state ?? 'not-installed',
      why: `on ${settings.name}, ${found?.why ?? 'it is not known'}`,
      remedy: found?.remedy ?? remedy,
    };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { state: 'disabled', why, remedy };
  }
}

function unplacedEnd(agent: string, category: FailureCategory, detail: string): AgentEnd {
  const none = { agentSession: null, model: null, version: null, exitCode: null, signal: null };
  const facts = {
    ...none,
    startedAt: new Date().toISOString(),
    durationMs: 0,
    outputBytes: 0,
    tokens: null,
    costUsd: null,
    unknownEvents: 0,
    filesChanged: [],
    notes: [],
  };
  return { ok: false, failure: { category, agent, detail, retry_after_ms: null }, facts };
}
