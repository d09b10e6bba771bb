// Has agents and checks run by whichever worker pulls them from the queue, and is such a worker.
import { once } from 'node:events';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { GitTarget } from '../git/git.ts';
import { inTurn } from '../git/session-git.ts';
import { AgentEvent } from '../model/agent-event.ts';
import { jsonIn, readAs } from '../model/json.ts';
import { Text, TextOrNull, Texts } from '../model/plain-shapes.ts';
import { counted } from '../model/wording.ts';
import { sha256Of } from '../store/digest.ts';
import { version } from '../version.ts';
import { type CommitPlace, FoundAgents, protocol, Work, WorkEnd } from './protocol.ts';
import { openQueue } from './queue.ts';
import type { OwnMachine } from './reach-machine.ts';
import type { Way } from './run-elsewhere.ts';
import { Undone } from './run-facts.ts';
import { addPiece, bundlePieces, type CommitSource, piecesIn, push } from './travelling-commits.ts';
import { openWorkshop, type WorkerSetup } from './worker.ts';

/** An order as it is sent, with that time in ms since 1970. */
const QueuedWork = Work.extend({ sentAt: z.number() });

/** The answer to an order. */
const QueuedAnswer = WorkEnd.extend({
  worker: Text,
  machine: Text,
  /** The ref of its work on the git remote; null where that is in rows. */
  ref: TextOrNull,
  /** Its usage events. */
  usage: z.array(AgentEvent),
});

/** A worker with its agents, as it announces itself. */
const Announcement = z.object({
  protocol: z.literal(protocol),
  version: Text,
  /** The lists from which it takes orders. */
  lists: Texts,
  agents: FoundAgents,
});

/** The list of the runs of an agent, that of checks, and that of what only one worker can do; others of other versions. */
const lists = {
  run: (agent: string) => `${protocol}-run-${agent.replaceAll(/[^\w.-]/g, '-')}`,
  checks: `${protocol}-checks`,
  own: (worker: string) => `${protocol}-at-${worker}`,
};

/** Names the bundle in rows that brings a commit; a row of that name holds the commit on which it builds. */
const bundleId = ({ repository, commit }: CommitPlace) => `${repository}-${commit}`;

/** The refs on the git remote under which the commit of an attempt goes there, and its work comes back. */
const refsOf = (attempt: string) => ({
  base: `refs/conclave/${attempt}/base`,
  work: `refs/conclave/${attempt}/work`,
});

const announceMs = 5_000;
/** The age from which an order is somebody's copy of an old one, with an hour for clocks that differ; in ms. */
const mostAgeMs = 25 * 3_600_000;

/** The time between two looks for an answer, in ms. */
const lookMs = 300;
/** The number of looks between two for workers that are left. */
const looks = 10;
/** The largest bundle that goes in rows, in megabytes. */
const mostInRows = 100;
/** The longest time for removing from the remote what went there, in ms. */
const mostForgetMs = 20_000;

/** The address and the key of the queue, and the git remote that carries its commits; null where rows do. */
interface QueuePlace {
  readonly url: string;
  readonly key: string;
  readonly remote: string | null;
}

/** Opens the queue as a machine of this name. Throws `Undone`. */
export async function reachPool(
  { name, mostMb }: Pick<OwnMachine, 'name' | 'mostMb'>,
  place: QueuePlace,
): Promise<Way> {
  const queue = await openQueue(place);
  const { remote } = place;
  /** The newest commit of each repository that went in rows. */
  const newest = new Map<string, readonly string[]>();
  /** The attempts whose commits went by the remote, each with the repository of ours that holds them. */
  const pushed = new Map<string, GitTarget>();
  /** The worker on which the set-up of each folder stands. */
  const homes = new Map<string, string>();
  const workers = async () =>
    (await queue.workers()).flatMap((text) => Announcement.safeParse(jsonIn(text)).data ?? []);
  const isServed = async (list: string) =>
    (await workers()).some((one) => one.lists.includes(list));

  /** Waits for the answer to an order as long as some worker may give it. */
  async function answerTo(id: string, list: string, signal: AbortSignal) {
    for (let look = 1; ; look += 1) {
      const text = await queue.result(id);
      const answer = readAs(QueuedAnswer, text);
      if (answer !== null) return answer;
      if (text !== null) throw new Undone(`${name} answered in an unknown form`);
      if (look % looks === 0 && !(await isServed(list)))
        throw new Undone('no worker of the queue is left that could do it');
      await sleep(lookMs, null, { signal });
    }
  }

  const there = await workers();
  return {
    name,
    version: there[0]?.version ?? 'unknown',
    holds: counted(there.length, 'worker'),
    isLost: () => false,
    async find(names) {
      const all = (await workers()).flatMap(({ agents }) => agents);
      const asked = new Set(names ?? all.map((one) => one.name));
      const why = 'no worker of the queue has it ready';
      const remedy = 'Start one: conclave worker --queue';
      return [...asked].map(
        (own) =>
          all.find((one) => one.name === own) ?? { name: own, state: 'disabled', why, remedy },
      );
    },
    async send(snapshot) {
      const { repository, commit, store, attempt } = snapshot;
      const id = bundleId(snapshot);
      if (remote !== null) {
        pushed.set(attempt, store);
        return await push(store, remote, [`${commit}:${refsOf(attempt).base}`]);
      }
      if ((await queue.kept(id)) !== null) return;
      const tips = newest.get(repository) ?? [];
      const bounds = { tips, mostMb: Math.min(mostMb, mostInRows) };
      await queue.keepPieces(id, bundlePieces(snapshot, bounds));
      // The row that names the commit on which it builds comes last, as then it is whole.
      await queue.keep(id, tips.join());
      newest.set(repository, [commit]);
    },
    async start(order, { signal, atOnce, keeper, file, tell }) {
      const { attempt: id, folder: at, setUp, run } = order;
      if (keeper !== '' && !(await isServed(lists.own(keeper))))
        throw new Undone('has lost the worker that has its session', 'session-lost');
      const home = keeper === '' && setUp !== null ? homes.get(at) : keeper;
      const wanted = home ? lists.own(home) : run === null ? lists.checks : lists.run(run.agent);
      const list = await queue.send({
        id,
        list: wanted,
        group: run?.agent ?? lists.checks,
        most: atOnce,
        text: JSON.stringify({ ...order, sentAt: Date.now() }),
      });
      try {
        const answer = await answerTo(id, list, signal);
        const { ref } = answer;
        if (setUp !== null) homes.set(at, answer.worker);
        answer.usage.forEach(tell);
        for await (const piece of queue.pieces(id)) await addPiece(file, piece);
        const source = remote === null || ref === null ? {} : { source: { from: remote, ref } };
        return { ...answer, ...source };
      } catch (error) {
        // After its worker is lost, the next run of this work tree goes to any free one.
        homes.delete(at);
        throw error;
      } finally {
        // Whoever still works on it then does so in vain.
        await queue.cancel(list, id);
      }
    },
    async close(received) {
      for (const attempt of received) await queue.forget(attempt).catch(() => undefined);
      const [store] = pushed.values();
      if (remote !== null && store !== undefined) {
        const sent = [...pushed.keys()].flatMap((one) => Object.values(refsOf(one)));
        const gone = sent.map((ref) => `:${ref}`);
        const signal = AbortSignal.timeout(mostForgetMs);
        await push({ ...store, signal }, remote, gone).catch(() => undefined);
      }
      await queue.close();
      return true;
    },
  };
}

/** Works until it is stopped: takes the runs of the agents that are ready here, and checks. */
export async function servePool(
  setup: WorkerSetup & QueuePlace & { readonly slots: number },
): Promise<void> {
  const { stop, remote, slots } = setup;
  const queue = await openQueue(setup);
  const shop = await openWorkshop(setup);
  const { places } = shop;

  /** Brings a commit to the places: from elsewhere, or from rows with those that its bundle builds on. */
  async function bring(place: CommitPlace, source?: CommitSource): Promise<void> {
    const { repository, commit, attempt } = place;
    if ((await places.tips(repository)).includes(commit)) return;
    if (source === undefined) {
      const id = bundleId(place);
      const last = await queue.kept(id);
      if (last === null)
        throw new Error('its commits are not in the queue, and queue.remote is not set there');
      if (last.length > 0) await bring({ ...place, commit: String(last) });
      for await (const data of queue.pieces(id)) await places.append(attempt, data);
    }
    await places.take(place, source);
  }

  const machine = hostname();
  const worker = sha256Of(`${machine}\0${setup.folder}`).slice(0, 16);
  const agents = (await shop.findAgents(null, stop)).filter(({ state }) => state === 'ready');
  const own = [lists.checks, lists.own(worker), ...agents.map(({ name }) => lists.run(name))];
  const said = JSON.stringify({ protocol, version, lists: own, agents });
  const announce = () => queue.keep(`worker-${worker}/${process.pid}`, said);
  await announce();
  const again = setInterval(() => void announce().catch(() => undefined), announceMs);
  await queue.work({ lists: own, slots }, async (text, signal) => {
    const order = QueuedWork.parse(jsonIn(text));
    const { repository, attempt } = order;
    if (Math.abs(Date.now() - order.sentAt) > mostAgeMs)
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
    return JSON.stringify({ ...end, worker, machine, ref, usage });
  });
  if (!stop.aborted) await once(stop, 'abort');
  clearInterval(again);
  await queue.close();
  await shop.close();
}
