// Has agents and checks run by whichever worker pulls them from the queue.
import { setTimeout as sleep } from 'node:timers/promises';
import type { GitTarget } from '../git/git.ts';
import { jsonIn } from '../model/json.ts';
import { readAnswer, Undone } from './run-facts.ts';
import { openQueue } from './queue.ts';
import { Announcement, bundleId, lists, QueuedAnswer, refsOf } from './queue-worker.ts';
import type { MachineSettings } from './reach-machine.ts';
import type { Way } from './run-elsewhere.ts';
import { addPiece, bundlePieces, push } from './travelling-commits.ts';

/** The time between two looks for an answer, in ms. */
const lookMs = 300;
/** The number of looks between two for workers that are left. */
const looks = 10;
/** The largest bundle that goes in rows, in bytes. */
const mostInRows = 100_000_000;
/** The longest time for removing from the remote what went there, in ms. */
const mostForgetMs = 20_000;

/** Opens the queue as a machine of this name. Throws `Undone`. */
export async function reachPool(
  { name, mostBytes }: Pick<MachineSettings, 'name' | 'mostBytes'>,
  place: { readonly url: string; readonly key: string; readonly remote: string | null },
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
      if (text !== null) return readAnswer(QueuedAnswer, jsonIn(text), name);
      if (look % looks === 0 && !(await isServed(list)))
        throw new Undone('no worker of the queue is left that could do it');
      await sleep(lookMs, null, { signal });
    }
  }

  const there = await workers();
  return {
    name,
    version: there[0]?.version ?? 'unknown',
    repositories: there.length,
    isLost: () => false,
    async find(names) {
      const all = await workers();
      const own = new Map(all.flatMap(({ agents }) => agents).map((one) => [one.name, one]));
      const why = `no worker of the queue has it ready (${all.length} there)`;
      const remedy = 'Start one: conclave worker --queue';
      const none = { state: 'not-installed', why, remedy } as const;
      return (names ?? [...own.keys()]).map((one) => own.get(one) ?? { name: one, ...none });
    },
    async send(snapshot, { attempt }) {
      const { repository, commit, store } = snapshot;
      const id = bundleId(snapshot);
      if (remote !== null) {
        pushed.set(attempt, store);
        return await push(store, remote, [`${commit}:${refsOf(attempt).base}`]);
      }
      if ((await queue.kept(id)) !== null) return;
      const tips = newest.get(repository) ?? [];
      const bounds = { tips, mostBytes: Math.min(mostBytes, mostInRows) };
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
      const anyone = run === null ? lists.checks : lists.run(run.agent);
      const limit = run === null ? null : { agent: run.agent, most: atOnce };
      const text = JSON.stringify({ order, sentAt: Date.now() });
      const list = await queue.send({ id, list: home ? lists.own(home) : anyone, limit, text });
      try {
        const { usage, worker, machine, end, ref } = await answerTo(id, list, signal);
        if (setUp !== null) homes.set(at, worker);
        usage.forEach(tell);
        for await (const piece of queue.pieces(id)) await addPiece(file, piece);
        const source = remote === null || ref === null ? {} : { source: { from: remote, ref } };
        return { ...end, ...source, machine, worker };
      } catch (error) {
        // After its worker is lost, the next run of this work tree goes to any free one.
        homes.delete(at);
        throw error;
      } finally {
        // Whoever still works on it then does so in vain.
        await queue.cancel(id);
      }
    },
    async close(received) {
      for (const attempt of received) await queue.forget(attempt).catch(() => undefined);
      const [store] = pushed.values();
      if (remote !== null && store !== undefined) {
        const gone = [...pushed.keys()].flatMap((one) => Object.values(refsOf(one)));
        const signal = AbortSignal.timeout(mostForgetMs);
        const changes = gone.map((ref) => `:${ref}`);
        await push({ ...store, signal }, remote, changes).catch(() => undefined);
      }
      await queue.close();
      return true;
    },
  };
}
