// Sends the runs of agents to the machines that the user named for them.
import type { Agent, AgentEnd, AgentRequest, Readiness } from '../agents/agent.ts';
import type { AgentPool } from '../agents/pool.ts';
import { withBreaker } from '../agents/breaker.ts';
import type { AgentEvent } from '../model/agent-event.ts';
import { listed } from '../model/wording.ts';
import type { Machine, MachineSettings, OwnerPlace } from './machine.ts';

/** A machine with the agents whose runs go there. */
export interface PlacedMachine extends MachineSettings {
  readonly agents: readonly string[];
  /** The most runs at once. */
  readonly slots: number;
  /** False until the user has said once that prompts and code may go there. */
  readonly isAllowed: boolean;
}

interface Place extends OwnerPlace {
  /** The beginning of the marks of the connections. */
  readonly markPrefix: string;
  /** False to end the connections whenever nothing runs. */
  readonly holds: boolean;
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
  const busy = new Map<string, number>();
  const waiting: (() => void)[] = [];
  let uses = 0;

  async function reach(settings: PlacedMachine): Promise<Machine> {
    const { name } = settings;
    const known = await open.get(name)?.catch(() => null);
    if (known !== undefined && known !== null && !known.isLost) return known;
    const { reachMachine } = await import('./machine.ts');
    const reaching = reachMachine(settings, place, `${place.markPrefix}${name}`);
    open.set(name, reaching);
    reaching.catch(() => open.delete(name));
    return await reaching;
  }

  /** The machine with the most room; waits until one has some. */
  async function takeSlot(
    among: readonly PlacedMachine[],
    signal: AbortSignal,
  ): Promise<PlacedMachine> {
    for (;;) {
      signal.throwIfAborted();
      const free = among
        .map((one) => ({ one, room: one.slots - (busy.get(one.name) ?? 0) }))
        .toSorted((a, b) => b.room - a.room)[0];
      if (free !== undefined && free.room > 0) {
        busy.set(free.one.name, (busy.get(free.one.name) ?? 0) + 1);
        return free.one;
      }
      const freed = Promise.withResolvers<void>();
      waiting.push(freed.resolve);
      signal.addEventListener('abort', () => freed.resolve(), { once: true });
      await freed.promise;
    }
  }

  function leaveSlot({ name }: PlacedMachine): void {
    busy.set(name, (busy.get(name) ?? 1) - 1);
    for (const wake of waiting.splice(0)) wake();
  }

  async function close(): Promise<void> {
    const reached = await Promise.allSettled([...open.values()]);
    open.clear();
    await Promise.all(
      reached.map((one) => (one.status === 'fulfilled' ? one.value.close() : null)),
    );
  }

  /** Ends the connections after the last use, where nobody holds them. */
  async function rest(): Promise<void> {
    uses -= 1;
    if (uses === 0 && !place.holds) await close();
  }

  function placed(agent: Agent, mine: readonly PlacedMachine[]): Agent {
    return withBreaker({
      ...agent,
      async ready(signal) {
        uses += 1;
        return await readyOn(agent.name, mine, reach, signal).finally(rest);
      },
      async *run(request, signal) {
        uses += 1;
        try {
          return yield* runOn(agent, mine, { request, signal });
        } finally {
          await rest();
        }
      },
    });
  }

  async function* runOn(
    agent: Agent,
    mine: readonly PlacedMachine[],
    { request, signal }: { readonly request: AgentRequest; readonly signal: AbortSignal },
  ): AsyncGenerator<AgentEvent, AgentEnd, undefined> {
    const { Dropped } = await import('./machine.ts');
    const home = request.resume?.agentSession.split('/')[0];
    // An agent’s own session goes on where it began.
    const fit = home === undefined ? mine : mine.filter(({ name }) => name === home);
    const tried: string[] = [];
    let why = home === undefined ? '' : `its session began on ${home}`;
    for (let tries = 0; tries < 2 && fit.length > 0; tries += 1) {
      const others = fit.filter(({ name }) => !tried.includes(name));
      const settings = await takeSlot(others.length > 0 ? others : fit, signal);
      try {
        return yield* (await reach(settings)).run(agent, request, signal);
      } catch (error) {
        if (!(error instanceof Dropped)) throw error;
        signal.throwIfAborted();
        tried.push(settings.name);
        why = error.message;
        if (tries === 0) yield { type: 'retrying', reason: why, delay: null };
      } finally {
        leaveSlot(settings);
      }
    }
    return droppedEnd(agent.name, why);
  }

  return {
    place(pool) {
      const made = new Map<string, Agent>();
      const wrap = (agent: Agent): Agent => {
        const mine = all.filter(({ agents }) => agents.includes(agent.name));
        if (mine.length === 0) return agent;
        const one = made.get(agent.name) ?? placed(agent, mine);
        made.set(agent.name, one);
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
      remedy: `To allow it: conclave machines --allow ${refused[0]}`,
    };
  }
  const found = await Promise.all(mine.map((settings) => stateOn(agent, settings, reach)));
  signal.throwIfAborted();
  const [first] = found;
  return found.find(({ state }) => state === 'ready') ?? first ?? { state: 'disabled', why: '', remedy: '' };
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

function droppedEnd(agent: string, detail: string): AgentEnd {
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
  return { ok: false, failure: { category: 'dropped', agent, detail, retry_after_ms: null }, facts };
}
