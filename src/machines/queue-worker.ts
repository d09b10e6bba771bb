// Pulls runs from the queue and does them on this machine.
import { hostname } from 'node:os';
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { leaveRun } from '../agents/process/start-program.ts';
import { sha256Of } from '../store/digest.ts';
import { version } from '../version.ts';
import { FoundAgent, type Reply, RunOrder, TravellingEnd } from './protocol.ts';
import type { Queue } from './queue.ts';
import { findAgent, runOne, type WorkerSetup } from './worker.ts';
import { openPlaces, type WorkerPlaces } from './worker-places.ts';
import { AgentEvent } from '../model/agent-event.ts';

/** The answer to a run. */
export const QueuedAnswer = z.object({
  machine: z.string(),
  end: TravellingEnd,
  commit: z.string().nullable(),
  isKept: z.boolean(),
  /** Its usage events. */
  usage: z.array(AgentEvent),
});

/** A worker with its agents, as it announces itself. */
export const Announcement = z.object({
  machine: z.string(),
  version: z.string(),
  agents: z.array(FoundAgent),
});

const announceMs = 10_000;

/** Works until it is stopped: takes the runs of the agents that are ready here. */
export async function servePool(
  queue: Queue,
  {
    agents,
    folder,
    stop,
    slots,
  }: Omit<WorkerSetup, 'input' | 'output'> & { readonly slots: number },
): Promise<void> {
  const places = await openPlaces(folder, new AbortController().signal);
  const markPrefix = `worker-${process.pid}-${Date.now()}.`;
  const machine = hostname();
  const found = await Promise.all(agents.models().map((agent) => findAgent(agent, stop)));
  const ready = found.filter(({ state }) => state === 'ready');
  const said = JSON.stringify({ machine, version, agents: ready });
  const name = `${machine}/${process.pid}`;
  await queue.announce(name, said);
  const again = setInterval(
    () => void queue.announce(name, said).catch(() => undefined),
    announceMs,
  );
  const ended = Promise.withResolvers<void>();
  stop.addEventListener('abort', () => ended.resolve(), { once: true });
  await queue.work(
    ready.map((one) => one.name),
    slots,
    async (id, text, signal) => {
      const order = RunOrder.parse(JSON.parse(text));
      await bring(order, { queue, places });
      const agent = agents.get(order.agent);
      // Only the agents that are ready here have a queue of their own.
      if (agent === undefined) throw new Error(`${order.agent} is not known on ${machine}`);
      const usage: AgentEvent[] = [];
      let end: Extract<Reply, { say: 'end' }> | null = null;
      const say = async (reply: Reply) => {
        if (reply.say === 'event' && reply.event.type === 'usage') usage.push(reply.event);
        if (reply.say === 'end') end = reply;
      };
      await runOne({ ...order, id }, { agent, places, markPrefix, signal, say });
      signal.throwIfAborted();
      const last = ending(end);
      if (last.commit !== null) await keepBundle(id, places.bundle(order.attempt), queue);
      const { end: how, commit, isKept } = last;
      return JSON.stringify({ machine, end: how, commit, isKept, usage });
    },
  );
  if (!stop.aborted) await ended.promise;
  clearInterval(again);
  await queue.close();
  leaveRun(markPrefix);
  await places.close();
}

function ending(end: Extract<Reply, { say: 'end' }> | null): Extract<Reply, { say: 'end' }> {
  if (end === null) throw new Error('the run had no end');
  return end;
}

/** The id of an attempt in the queue, which takes UUIDs. */
export function idOf(attempt: string): string {
  return attempt.slice(0, 32).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

async function keepBundle(id: string, file: string, queue: Queue): Promise<void> {
  const content = await readFile(file);
  const bundle = {
    id: `result-${id}`,
    sha256: sha256Of(content),
    bytes: content.length,
    needs: null,
  };
  await queue.put(bundle, createReadStream(file, { highWaterMark: pieceSize }));
}

/** The size of a row of a bundle, in bytes. */
export const pieceSize = 1_000_000;

/** Takes the bundles that bring the commit of a run, with those that they need. */
async function bring(
  { repository, commit }: { readonly repository: string; readonly commit: string },
  place: { readonly queue: Queue; readonly places: WorkerPlaces },
): Promise<void> {
  const { queue, places } = place;
  if ((await places.tips(repository)).includes(commit)) return;
  const bundle = await queue.find(`${repository}-${commit}`);
  if (bundle === null) throw new Error('its commits are no longer in the queue');
  if (bundle.needs !== null) await bring({ repository, commit: bundle.needs }, place);
  let before: Buffer | null = null;
  const id = `${commit}-${Date.now()}-${Math.random()}`;
  for await (const data of queue.pieces(bundle.id)) {
    if (before !== null) await places.take({ id, repository, data: before, whole: null });
    before = data;
  }
  const whole = { commit, sha256: bundle.sha256 };
  await places.take({ id, repository, data: before ?? Buffer.alloc(0), whole });
}
