// Pulls runs from the queue and does them on this machine.
import { hostname } from 'node:os';
import { z } from 'zod';
import { inTurn } from '../git/session-git.ts';
import { AgentEvent } from '../model/agent-event.ts';
import { jsonIn } from '../model/json.ts';
import { version } from '../version.ts';
import { FoundAgent, WorkEnd, WorkOrder } from './protocol.ts';
import type { Queue } from './queue.ts';
import { carryOut, findAgent, openWorkshop, type WorkerSetup } from './worker.ts';
import type { WorkerPlaces } from './worker-places.ts';

/** The answer to an order. */
export const QueuedAnswer = z.object({
  machine: z.string(),
  end: WorkEnd,
  /** The number of pieces of the bundle with its work. */
  pieces: z.number(),
  /** Its usage events. */
  usage: z.array(AgentEvent),
});

/** The bundle that brings a commit: in so many pieces, to somebody who has the commit in `needs`. */
export const BundleNote = z.object({ pieces: z.number(), needs: z.string().nullable() });
export type BundleNote = z.infer<typeof BundleNote>;

/** A worker with its agents, as it announces itself. */
export const Announcement = z.object({
  machine: z.string(),
  version: z.string(),
  agents: z.array(FoundAgent),
});

const announceMs = 10_000;

/** Works until it is stopped: takes the runs of the agents that are ready here, and checks. */
export async function servePool(
  queue: Queue,
  { slots, ...setup }: WorkerSetup & { readonly slots: number },
): Promise<void> {
  const { agents, stop } = setup;
  const shop = await openWorkshop(setup);
  const machine = hostname();
  const found = await Promise.all(agents.models().map((agent) => findAgent(agent, stop)));
  const ready = found.filter(({ state }) => state === 'ready');
  const said = JSON.stringify({ machine, version, agents: ready });
  const announce = () => queue.announce(`${machine}/${process.pid}`, said);
  await announce();
  const again = setInterval(() => void announce().catch(() => undefined), announceMs);
  const ended = Promise.withResolvers<void>();
  stop.addEventListener('abort', () => ended.resolve(), { once: true });
  const lists = ['', ...ready.map((one) => one.name)];
  await queue.work({ lists, slots }, async (id, text, signal) => {
    const order = WorkOrder.parse(jsonIn(text));
    await inTurn(`sent ${order.repository}`, () => bring(order, { queue, places: shop.places }));
    const usage: AgentEvent[] = [];
    let pieces = 0;
    const told = carryOut(order, shop, signal);
    let step = await told.next();
    for (; step.done !== true; step = await told.next()) {
      const { value } = step;
      if (Buffer.isBuffer(value)) await queue.keep(pieceId(id, pieces++), value);
      else if (value.type === 'usage') usage.push(value);
    }
    return JSON.stringify({ machine, end: step.value, pieces, usage });
  });
  if (!stop.aborted) await ended.promise;
  clearInterval(again);
  await queue.close();
  await shop.close();
}

/** The id of an attempt in the queue, which takes UUIDs. */
export function idOf(attempt: string): string {
  return attempt.slice(0, 32).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

export const commitId = (repository: string, commit: string) => `${repository}-${commit}`;
export const pieceId = (id: string, at: number) => `${id}/${at}`;

/** Takes the bundles that bring the commit of a run, with those that they need. */
async function bring(
  { repository, commit }: { readonly repository: string; readonly commit: string },
  { queue, places }: { readonly queue: Queue; readonly places: WorkerPlaces },
): Promise<void> {
  if ((await places.tips(repository)).includes(commit)) return;
  const id = commitId(repository, commit);
  const note = BundleNote.safeParse(jsonIn(String(await queue.kept(id)))).data;
  if (note?.needs) await bring({ repository, commit: note.needs }, { queue, places });
  const { pieces = 0 } = note ?? {};
  for (let at = 0; at < pieces; at += 1) {
    const data = await queue.kept(pieceId(id, at));
    if (data === null) break;
    await places.take({ repository, commit, data, isLast: at + 1 === pieces });
  }
  if (!(await places.tips(repository)).includes(commit))
    throw new Error('its commits are no longer in the queue');
}
