// Sends the runs of agents to the machines that the user named for them.
import { addAbortListener } from 'node:events';
import { PassThrough } from 'node:stream';
import { type Agent, noFacts, type Readiness, type SetUpFolder } from '../agents/agent.ts';
import { type AgentPool, wrapAgents } from '../agents/pool.ts';
import { withBreaker } from '../agents/breaker.ts';
import type { AgentEvent } from '../model/agent-event.ts';
import { inTurn } from '../git/session-git.ts';
import { wordsOfError } from '../model/wording.ts';
import { refusal, Undone } from './run-facts.ts';
import type { OwnMachine } from './reach-machine.ts';
import type { Machine, Tell } from './run-elsewhere.ts';

interface Place {
  /** Reaches a machine. Throws `Undone` where it does not answer. */
  readonly reach: (settings: OwnMachine) => Promise<Machine>;
  /** False to end the connections whenever nothing runs. */
  readonly holds: boolean;
  /** The machine on which all agents run; null for those that name each agent. */
  readonly chosen: string | null;
  /** The most runs of an agent at once, on all machines together. */
  readonly atOnce: (agent: string) => number;
}

/** The machines of one process: connections, and how many runs are on each. */
export type Machines = ReturnType<typeof openMachines>;

/** Opens the machines; each is reached when it is needed for the first time. */
export function openMachines(all: readonly OwnMachine[], place: Place) {
  const open = new Map<string, Machine>();
  const slots = openRooms();
  const turns = openRooms();
  /** The set-up of each folder, with its machine once one was chosen. */
  const folders = new Map<string, { machine?: string; readonly setUp: SetUpFolder }>();
  let uses = 0;

  /** Finds the connection to a machine, or makes it anew where it was lost. */
  async function reach(settings: OwnMachine): Promise<Machine> {
    const { name, isAllowed } = settings;
    if (!isAllowed) {
      throw new Undone(
        `prompts and code would go to ${name} for the first time; to allow it: conclave machines allow ${name}`,
      );
    }
    return await inTurn(`machine ${name}`, async () => {
      const known = open.get(name);
      if (known?.isLost() === false) return known;
      const machine = await place.reach(settings);
      open.set(name, machine);
      return machine;
    });
  }

  /** Ends all connections, once their runs have ended. */
  async function close(): Promise<void> {
    const ending = all.map(async (settings) => {
      const isClean = (await open.get(settings.name)?.close()) ?? true;
      // A worker that was killed has the next one remove what it left.
      if (!isClean) await (await reach(settings)).close();
    });
    await Promise.allSettled(ending);
    open.clear();
  }

  /** Uses the machines; ends the connections after the last use, where nobody holds them. */
  async function using<T>(act: () => Promise<T>): Promise<T> {
    uses += 1;
    try {
      return await act();
    } finally {
      uses -= 1;
      if (uses === 0 && !place.holds) await close();
    }
  }

  /** Has a machine do something in a folder, and once more, elsewhere if possible, where the first is lost. */
  async function onOne<T>(
    among: readonly OwnMachine[],
    { folder, signal, tell }: { folder: string; signal: AbortSignal; tell?: Tell },
    act: (machine: Machine, setUp: SetUpFolder | null) => Promise<T>,
    lost: string | null = null,
  ): Promise<T> {
    const known = folders.get(folder);
    const others = among.filter(({ name }) => name !== lost);
    const fit = others.length > 0 ? others : among;
    // The files that a set-up made stand on one machine.
    const near = fit.filter(({ name }) => name === known?.machine);
    const settings = await slots.enter(near.length > 0 ? near : fit, signal);
    const { name } = settings;
    try {
      return await using(async () => {
        const machine = await reach(settings);
        if (known !== undefined) known.machine = name;
        return await act(machine, known?.setUp ?? null);
      });
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof Undone) || error.category !== 'dropped' || lost !== null) throw error;
      tell?.({ type: 'retrying', reason: error.message, delay: null });
    } finally {
      slots.leave(name);
    }
    return await onOne(among, { folder, signal }, act, name);
  }

  /** Asks the machines whether one has the agent ready; else tells what the first of them says. */
  async function readyOn(agent: string, mine: readonly OwnMachine[]): Promise<Readiness> {
    const looks = mine.map(async (settings) => {
      const note = `on ${settings.name}`;
      const [found] = await (await reach(settings)).find([agent]);
      if (found?.state === 'ready') return { ...found, path: null, note };
      throw new Undone(`${note}, ${found?.why ?? 'it is missing'}`);
    });
    // A login here would not help, so whatever is missing there is told alike.
    return await Promise.any(looks).catch(({ errors: [first] }: AggregateError) => ({
      state: 'disabled',
      why: wordsOfError(first),
      remedy: 'See: conclave machines',
    }));
  }

  function placeAgent(agent: Agent): Agent {
    const { name } = agent;
    const fitting = (named: string | null) => {
      const machine = named ?? place.chosen;
      return all.filter((one) =>
        machine === null ? one.agents.includes(name) : one.name === machine,
      );
    };
    const mine = fitting(null);

    return withBreaker({
      ...agent,
      ready: async (signal) =>
        mine.length === 0 ? await agent.ready(signal) : await using(() => readyOn(name, mine)),
      elsewhere(machine) {
        const among = fitting(machine);
        if (among.length === 0) return null;
        return {
          async check(what, { setUp, ...conditions }, signal) {
            const { folder } = conditions;
            if (setUp !== undefined) folders.set(folder, { ...folders.get(folder), setUp });
            if (setUp?.commands.length === 0) return { run: null, why: null };
            try {
              return await onOne(among, { folder, signal }, (one, known) =>
                one.check(what, { ...conditions, setUp: known }, signal),
              );
            } catch (error) {
              if (error instanceof Undone) return { run: null, why: error.message };
              throw error;
            }
          },
        };
      },
      async *run(request, signal) {
        const { machine = null, resume, cwd: folder } = request;
        const fit = fitting(machine);
        // An agent’s own session goes on where it began.
        const home = resume?.agentSession.split('/')[0];
        const among = fit.filter((one) => home === undefined || one.name === home);
        const atOnce = place.atOnce(name);
        try {
          await turns.enter([{ name, slots: atOnce }], signal);
          try {
            if (machine === null && fit.length === 0) return yield* agent.run(request, signal);
            if (fit.length === 0) throw refusal(`there is no machine ${machine}`);
            if (among.length === 0) throw new Undone('its session began elsewhere', 'session-lost');
            return yield* whileTold((tell) =>
              onOne(among, { folder, signal, tell }, (one, setUp) =>
                one.run(name, { request, setUp, atOnce, tell }, signal),
              ),
            );
          } finally {
            turns.leave(name);
          }
        } catch (error) {
          const undone = signal.aborted ? new Undone('it was cancelled', 'cancelled') : error;
          if (!(undone instanceof Undone)) throw undone;
          const { category, message } = undone;
          const failure = { category, agent: name, detail: message, retry_after_ms: null };
          return { ok: false, failure, facts: { ...noFacts, startedAt: new Date().toISOString() } };
        }
      },
    });
  }

  return {
    /** Makes the pool in which the agents of machines run there. */
    place: (pool: AgentPool) =>
      wrapAgents(pool, (agent) => (agent.kind === 'model' ? placeAgent(agent) : agent)),
    close,
  };
}

/** Does something, yields the events that it tells, and returns what it returns. */
async function* whileTold<T>(
  act: (tell: Tell) => Promise<T>,
): AsyncGenerator<AgentEvent, T, undefined> {
  const told = new PassThrough({ objectMode: true });
  const doing = act((event) => told.write(event));
  const end = () => told.end();
  doing.then(end, end);
  for await (const event of told) yield event;
  return await doing;
}

/** A machine or an agent, with the most runs that it takes at once. */
type Room = Pick<OwnMachine, 'name' | 'slots'>;

/** Counts who is in which room; a place that is left goes to whoever waits for it the longest. */
export function openRooms() {
  const inside = new Map<string, number>();
  const waiting = new Set<() => boolean>();
  const roomIn = ({ name, slots }: Room) => slots - (inside.get(name) ?? 0);
  const count = (name: string, by: number) => inside.set(name, (inside.get(name) ?? 0) + by);
  return {
    /** Enters the room with the most places; waits for one. Rejects with the signal’s reason. */
    async enter<T extends Room>(among: readonly T[], signal: AbortSignal): Promise<T> {
      signal.throwIfAborted();
      const { promise, resolve, reject } = Promise.withResolvers<T>();
      const take = () => {
        const [room] = among.toSorted((a, b) => roomIn(b) - roomIn(a));
        if (room === undefined || roomIn(room) <= 0) return false;
        count(room.name, 1);
        resolve(room);
        return waiting.delete(take);
      };
      waiting.add(take);
      take();
      const giving = addAbortListener(signal, () => waiting.delete(take) && reject(signal.reason));
      return await promise.finally(() => giving[Symbol.dispose]());
    },
    leave(name: string): void {
      count(name, -1);
      for (const take of waiting) if (take()) return;
    },
  };
}
