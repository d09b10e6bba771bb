// Pulls runs from the queue and does them on this machine.
import { once } from 'node:events';
import { hostname } from 'node:os';
import { z } from 'zod';
import { inTurn } from '../git/session-git.ts';
import { AgentEvent } from '../model/agent-event.ts';
import { jsonIn } from '../model/json.ts';
import { Text, TextOrNull, Texts } from '../model/plain-shapes.ts';
import { sha256Of } from '../store/digest.ts';
import { version } from '../version.ts';
import { FoundAgents, protocol, Work, WorkEnd } from './protocol.ts';
import type { Queue } from './queue.ts';
import { byRemote, byRows } from './queue-commits.ts';
import { carryOut, findAgents, openWorkshop, type WorkerSetup } from './worker.ts';

/** An order as it is sent. */
const QueuedWork = z.object({
  order: Work,
  /** When it was sent, in ms since 1970. */
  sentAt: z.number(),
  /** The refs of its owner on the git remote; null where commits travel in rows. */
  refs: z
    .string()
    .regex(/^refs\/conclave\/[\w-]+\/[\w-]+$/)
    .nullable(),
});

/** The answer to an order. */
export const QueuedAnswer = z.object({
  worker: Text,
  machine: Text,
  end: WorkEnd,
  /** The ref of its work on the git remote; null where that is in rows. */
  ref: TextOrNull,
  /** Its usage events. */
  usage: z.array(AgentEvent),
});

/** A worker with its agents, as it announces itself. */
export const Announcement = z.object({
  protocol: z.literal(protocol),
  version: Text,
  /** The lists from which it takes orders. */
  lists: Texts,
  agents: FoundAgents,
});

/** The list of the runs of an agent, that of checks, and that of what only one worker can do; others of other versions. */
export const lists = {
  run: (agent: string) => `${protocol}-run-${agent.replaceAll(/[^\w.-]/g, '-')}`,
  checks: `${protocol}-checks`,
  own: (worker: string) => `${protocol}-at-${worker}`,
};

const announceMs = 5_000;
/** The age from which an order is somebody's copy of an old one, with an hour for clocks that differ; in ms. */
const mostAgeMs = 25 * 3_600_000;

/** Works until it is stopped: takes the runs of the agents that are ready here, and checks. */
export async function servePool(
  queue: Queue,
  {
    slots,
    remote,
    ...setup
  }: WorkerSetup & { readonly slots: number; readonly remote: string | null },
): Promise<void> {
  const { stop } = setup;
  const shop = await openWorkshop(setup);
  const { places } = shop;
  const machine = hostname();
  const worker = sha256Of(`${machine}\0${setup.folder}`).slice(0, 16);
  const found = await findAgents(shop, null, stop);
  const agents = found.filter(({ state }) => state === 'ready');
  const own = [lists.checks, lists.own(worker), ...agents.map(({ name }) => lists.run(name))];
  const said = JSON.stringify({ protocol, version, lists: own, agents });
  const announce = () => queue.keep(`worker-${worker}/${process.pid}`, said);
  await announce();
  const again = setInterval(() => void announce().catch(() => undefined), announceMs);
  await queue.work({ lists: own, slots }, async (text, signal) => {
    const { order, sentAt, refs } = QueuedWork.parse(jsonIn(text));
    const { repository, commit } = order;
    if (Math.abs(Date.now() - sentAt) > mostAgeMs)
      throw new Error('it was sent more than a day ago, or the clock here is wrong');
    if (refs !== null && remote === null)
      throw new Error('its commits are on a git remote, and queue.remote is not set there');
    const carrier =
      refs === null || remote === null ? byRows(queue, Infinity) : byRemote(remote, refs);
    // Runs that begin at once have the same commits.
    await inTurn(`brought ${repository}`, async () => {
      if (!(await places.tips(repository)).includes(commit)) await carrier.bring(order, places);
    });
    const usage: AgentEvent[] = [];
    const end = await carryOut(order, shop, signal, (event) => {
      if (event.type === 'usage') usage.push(event);
    });
    const ref = end.commit === null ? null : await carrier.sendWork(order, end.commit, places);
    return JSON.stringify({ worker, machine, end, ref, usage });
  });
  if (!stop.aborted) await once(stop, 'abort');
  clearInterval(again);
  await queue.close();
  await shop.close();
}
