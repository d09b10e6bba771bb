// Sends the runs of agents to the machines that the user named for them.
import type {
  Agent,
  AgentEnd,
  ElsewhereConditions,
  Readiness,
  SetUpFolder,
} from '../agents/agent.ts';
import { type AgentPool, wrapAgents } from '../agents/pool.ts';
import { withBreaker } from '../agents/breaker.ts';
import type { AgentEvent, FailureCategory } from '../model/agent-event.ts';
import type { Check } from '../model/check.ts';
import { listed } from '../model/wording.ts';
import { lastOf, LostMachine, noFacts } from './run-facts.ts';
import type { MachineSettings, OwnerPlace } from './reach-machine.ts';
import type { Machine } from './run-elsewhere.ts';

/** A machine with the agents whose runs go there. */
export interface PlacedMachine extends MachineSettings {
  readonly agents: readonly string[];
  /** The most runs at once. */
  readonly slots: number;
  /** False until the user has said once that prompts and code may go there. */
  readonly isAllowed: boolean;
}

/** Gets the address of the queue, the key that owner and workers share, and the git remote that both reach. */
type OpenQueue = () => Promise<{
  readonly url: string;
  readonly key: string;
  readonly remote: string | null;
}>;

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
  /** The set-up of each folder with its machine; null for a machine that is still to be chosen. */
  const folders = new Map<string, { machine: string | null; setUp: SetUpFolder }>();
  let uses = 0;

  /** Finds the connection to a machine, or makes it anew where it was lost. */
  async function reach(settings: PlacedMachine): Promise<Machine> {
    const { name } = settings;
    const known = open.get(name);
    if (known !== undefined) {
      const machine = await known.catch(() => null);
      if (machine?.isLost === false) return machine;
      if (open.get(name) !== known) return await reach(settings);
    }
    const reaching = reachEither(settings, place);
    open.set(name, reaching);
    reaching.catch(() => open.delete(name));
    return await reaching;
  }

  /** Ends the connection to a machine; a worker that was killed has the next one remove what it left. */
  async function end(settings: PlacedMachine): Promise<void> {
    const isClean = await (await reach(settings)).close();
    if (!isClean) await (await reach(settings)).close();
  }

  async function close(): Promise<void> {
    const used = all.filter(({ name }) => open.has(name));
    await Promise.all(used.map((one) => end(one).catch(() => undefined)));
    open.clear();
  }

  /** Ends the connections after the last use, where nobody holds them. */
  async function rest(): Promise<void> {
    uses -= 1;
    if (uses === 0 && !place.holds) await close();
  }

  /** Has a machine do something in a folder, and once more, elsewhere if possible, where the first is lost. */
  async function* onOne<T>(
    among: readonly PlacedMachine[],
    { folder, signal }: { readonly folder: string; readonly signal: AbortSignal },
    act: (machine: Machine) => AsyncGenerator<AgentEvent, T, undefined> | Promise<T>,
  ): AsyncGenerator<AgentEvent, T | LostMachine, undefined> {
    const tried: string[] = [];
    for (;;) {
      // What a set-up brought stands on one machine.
      const home = folders.get(folder)?.machine;
      const others = among.filter(({ name }) => !tried.includes(name));
      const fit = others.length > 0 ? others : among;
      const near = fit.filter(({ name }) => name === home);
      const rooms = (near.length > 0 ? near : fit).map((one) => ({ ...one, most: one.slots }));
      const settings = await slots.enter(rooms, signal);
      const { name } = settings;
      try {
        const machine = await reach(settings);
        const known = folders.get(folder);
        if (known !== undefined) folders.set(folder, { ...known, machine: name });
        const doing = act(machine);
        return 'then' in doing ? await doing : yield* doing;
      } catch (error) {
        signal.throwIfAborted();
        if (!(error instanceof LostMachine)) throw error;
        tried.push(name);
        if (tried.length === 2) return error;
        yield { type: 'retrying', reason: error.message, delay: null };
      } finally {
        slots.leave(name);
      }
    }
  }

  /** Does something with the machines open. */
  async function using<T>(act: () => Promise<T>): Promise<T> {
    uses += 1;
    return await act().finally(rest);
  }

  /** Runs a check on one of these machines, or only sets up its folder. */
  async function check(
    what: Check | null,
    conditions: ElsewhereConditions,
    { among, signal }: { readonly among: readonly PlacedMachine[]; readonly signal: AbortSignal },
  ) {
    const { folder } = conditions;
    return await using(async () => {
      const done = onOne(among, { folder, signal }, (machine) => {
        const { setUp = null } = folders.get(folder) ?? {};
        return machine.check(what, { ...conditions, setUp }, signal);
      });
      const value = await lastOf(done);
      if (!(value instanceof LostMachine)) return value;
      const { message: why } = value;
      if (what === null) return { run: null, why };
      const { checkName } = await import('../model/check.ts');
      const { kind, criterion = null } = what;
      const run = {
        check: checkName(what),
        kind,
        criterion,
        passed: null,
        note: why,
        output: '',
        ms: 0,
      };
      return { run, why: null };
    });
  }

  function placeAgent(agent: Agent): Agent {
    const { name } = agent;
    const mine = all.filter((one) =>
      place.chosen === null ? one.agents.includes(name) : one.name === place.chosen,
    );
    const fitting = (machine: string | null) =>
      machine === null ? mine : all.filter((one) => one.name === machine);

    return withBreaker({
      ...agent,
      // What ran on a machine is kept there, not here.
      recall: async (request, since) =>
        mine.length === 0 ? ((await agent.recall?.(request, since)) ?? null) : null,
      async ready(signal) {
        if (mine.length === 0) return await agent.ready(signal);
        return await using(() => readyOn(name, mine, reach, signal));
      },
      elsewhere(machine) {
        const among = fitting(machine);
        if (among.length === 0) return null;
        return {
          async prepare({ setUp, ...conditions }, signal) {
            const { folder } = conditions;
            folders.set(folder, { machine: null, ...folders.get(folder), setUp });
            if (setUp.commands.length === 0) return null;
            return (await check(null, conditions, { among, signal })).why;
          },
          check: (what, conditions, signal) => check(what, conditions, { among, signal }),
        };
      },
      async *run(request, signal) {
        uses += 1;
        const most = place.atOnce(name);
        await turns.enter([{ name, most }], signal);
        try {
          const { machine = null, resume, cwd: folder } = request;
          const fit = fitting(machine);
          if (machine !== null && fit.length === 0)
            return unplacedEnd(name, 'request-refused', `there is no machine ${machine}`);
          if (fit.length === 0) return yield* agent.run(request, signal);
          // An agent’s own session goes on where it began.
          const home = resume?.agentSession.split('/')[0];
          const among = fit.filter((one) => home === undefined || one.name === home);
          if (among.length === 0)
            return unplacedEnd(name, 'session-lost', `its session began elsewhere`);
          const { setUp = null } = folders.get(folder) ?? {};
          const done = yield* onOne(among, { folder, signal }, (one) =>
            one.run(agent, { request, setUp, atOnce: most }, signal),
          );
          return done instanceof LostMachine ? unplacedEnd(name, 'dropped', done.message) : done;
        } finally {
          turns.leave(name);
          await rest();
        }
      },
    });
  }

  return {
    place: (pool) =>
      wrapAgents(pool, (agent) => (agent.kind === 'model' ? placeAgent(agent) : agent)),
    close,
  };
}

/** Reaches a machine by its command, or the workers of the queue where it has none. */
export async function reachEither(settings: PlacedMachine, place: Place): Promise<Machine> {
  // Most users have no machine, and what travels takes a while to load.
  const { machineBy } = await import('./run-elsewhere.ts');
  if (settings.command.length > 0) {
    const { reachMachine } = await import('./reach-machine.ts');
    return machineBy(await reachMachine(settings, place, `${place.markPrefix}${settings.name}`));
  }
  const { reachPool } = await import('./queue-machine.ts');
  return machineBy(await reachPool(settings, { ...place, ...(await place.queue()) }));
}

interface Room {
  readonly name: string;
  readonly most: number;
}

/** Counts who is in which room; a place that is left goes to whoever waits for it the longest. */
export function openRooms() {
  const inside = new Map<string, number>();
  const waiting = new Set<(name: string) => boolean>();
  const roomIn = ({ name, most }: Room) => most - (inside.get(name) ?? 0);
  const count = (name: string, by: number) => inside.set(name, (inside.get(name) ?? 0) + by);
  return {
    /** Enters the room with the most places; waits for one. Rejects with the signal’s reason. */
    async enter<T extends Room>(among: readonly T[], signal: AbortSignal): Promise<T> {
      signal.throwIfAborted();
      const { promise, resolve, reject } = Promise.withResolvers<T>();
      const take = (room: T | undefined) => {
        if (room === undefined || roomIn(room) <= 0) return false;
        count(room.name, 1);
        resolve(room);
        return true;
      };
      if (take(among.toSorted((a, b) => roomIn(b) - roomIn(a))[0])) return await promise;
      const offer = (name: string) => take(among.find((room) => room.name === name));
      const give = () => {
        waiting.delete(offer);
        reject(signal.reason);
      };
      waiting.add(offer);
      signal.addEventListener('abort', give, { once: true });
      return await promise.finally(() => signal.removeEventListener('abort', give));
    },
    leave(name: string): void {
      count(name, -1);
      for (const offer of waiting) {
        if (!offer(name)) continue;
        waiting.delete(offer);
        return;
      }
    },
  };
}

/** Asks the machines until one has the agent ready; else tells what the first of them says. */
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
  const facts = { ...noFacts, startedAt: new Date().toISOString() };
  return { ok: false, failure: { category, agent, detail, retry_after_ms: null }, facts };
}
