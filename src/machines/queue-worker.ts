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
import { type CommitSource, piecesIn, push } from './travelling-commits.ts';
import { openWorkshop, type WorkerSetup } from './worker.ts';

/** An order as it is sent. */
const QueuedWork = z.object({
  order: Work,
  /** When it was sent, in ms since 1970. */
  sentAt: z.number(),
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

type Place = Pick<Work, 'repository' | 'commit'>;

/** Names the bundle in rows that brings a commit; a row of that name holds the commit on which it builds. */
export const bundleId = ({ repository, commit }: Place) => `${repository}-${commit}`;

/** The refs on the git remote under which the commit of an attempt goes there, and its work comes back. */
export const refsOf = (attempt: string) => ({
  base: `refs/conclave/${attempt}/base`,
  work: `refs/conclave/${attempt}/work`,
});

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

  /** Brings a commit to the places: from elsewhere, or from rows with those that its bundle builds on. */
  async function bring(place: Place, source?: CommitSource): Promise<void> {
    const { repository, commit } = place;
    if ((await places.tips(repository)).includes(commit)) return;
    if (source === undefined) {
      const id = bundleId(place);
      const last = await queue.kept(id);
      if (last === null)
        throw new Error('its commits are not in the queue, and queue.remote is not set there');
      if (last.length > 0) await bring({ repository, commit: String(last) });
      for await (const data of queue.pieces(id)) await places.append({ ...place, data });
    }
    await places.take(place, source);
  }

  const machine = hostname();
  const worker = sha256Of(`${machine}\0${setup.folder}`).slice(0, 16);
  const found = await shop.findAgents(null, stop);
  const agents = found.filter(({ state }) => state === 'ready');
  const own = [lists.checks, lists.own(worker), ...agents.map(({ name }) => lists.run(name))];
  const said = JSON.stringify({ protocol, version, lists: own, agents });
  const announce = () => queue.keep(`worker-${worker}/${process.pid}`, said);
  await announce();
  const again = setInterval(() => void announce().catch(() => undefined), announceMs);
  await queue.work({ lists: own, slots }, async (text, signal) => {
    const { order, sentAt } = QueuedWork.parse(jsonIn(text));
    const { repository, attempt } = order;
    if (Math.abs(Date.now() - sentAt) > mostAgeMs)
      throw new Error('it was sent more than a day ago, or the clock here is wrong');
    const from = (await queue.kept(bundleId(order))) === null ? remote : null;
    const refs = refsOf(attempt);
    // Runs that begin at once have the same commits.
    await inTurn(`brought ${repository}`, () =>
      bring(order, from === null ? undefined : { from, ref: refs.base }),
    );
    const usage: AgentEvent[] = [];
    const end = await shop.carryOut(order, signal, (event) => {
      if (event.type === 'usage') usage.push(event);
    });
    const ref = from === null || end.commit === null ? null : refs.work;
    if (from !== null && ref !== null)
      await push(await places.cache(repository), from, [`${end.commit}:${ref}`]);
    else if (end.commit !== null) await queue.keepPieces(attempt, piecesIn(places.bundle(attempt)));
    return JSON.stringify({ worker, machine, end, ref, usage });
  });
  if (!stop.aborted) await once(stop, 'abort');
  clearInterval(again);
  await queue.close();
  await shop.close();
}
