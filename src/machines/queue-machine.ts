// Has agents and checks run by whichever worker pulls them from the queue.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { jsonIn } from '../model/json.ts';
import { readAnswer, Undone } from './run-facts.ts';
import { openQueue } from './queue.ts';
import { carrierOf, idOf, readPieces, refsOf } from './queue-commits.ts';
import { Announcement, lists, QueuedAnswer } from './queue-worker.ts';
import type { MachineSettings, OwnerPlace } from './reach-machine.ts';
import type { Way } from './run-elsewhere.ts';

/** The time between two looks for an answer, in ms. */
const lookMs = 300;
/** The number of looks between two for workers that are left. */
const looks = 10;

/** Opens the queue as a machine of this name. Throws `Undone`. */
export async function reachPool(
  { name, mostBytes: most }: Pick<MachineSettings, 'name' | 'mostBytes'>,
  place: OwnerPlace & {
    readonly url: string;
    readonly key: string;
    readonly remote: string | null;
  },
): Promise<Way> {
  const queue = await openQueue(place);
  const { remote, folder } = place;
  const refs = remote === null ? null : refsOf(new Date(), randomUUID());
  const carrier = carrierOf(queue, { remote, refs, most });
  const workers = async () =>
    (await queue.workers()).flatMap((text) => Announcement.safeParse(jsonIn(text)).data ?? []);
  /** The worker on which the set-up of each folder stands. */
  const homes = new Map<string, string>();
  const isServed = async (list: string) =>
    (await workers()).some((one) => one.lists.includes(list));

  /** Waits for the answer as long as some worker may give it; whoever still works on it then does so in vain. */
  async function answerTo(queued: Parameters<typeof queue.cancel>[0], signal: AbortSignal) {
    try {
      for (let look = 1; ; look += 1) {
        const text = await queue.result(queued);
        if (text !== null) return readAnswer(QueuedAnswer, jsonIn(text), name);
        if (look % looks === 0 && !(await isServed(queued.list)))
          throw new Undone('no worker of the queue is left that could do it');
        await sleep(lookMs, null, { signal });
      }
    } finally {
      await queue.cancel(queued);
    }
  }

  const there = await workers();
  return {
    ...carrier,
    name,
    version: there[0]?.version ?? 'unknown',
    repositories: there.length,
    isLost: false,
    isPool: true,
    folder,
    mostBytes: Math.min(most, carrier.mostBytes),
    async find(names) {
      const all = await workers();
      const own = new Map(all.flatMap(({ agents }) => agents).map((one) => [one.name, one]));
      const why = `no worker of the queue has it ready (${all.length} there)`;
      const remedy = 'Start one: conclave worker --queue';
      const none = { state: 'not-installed', why, remedy, version: null } as const;
      return (names ?? [...own.keys()]).map((one) => own.get(one) ?? { name: one, ...none });
    },
    async *start(order, { signal, atOnce = Infinity, keeper }) {
      const { attempt, folder: at, setUp, run } = order;
      if (keeper !== undefined && !(await isServed(lists.own(keeper))))
        throw new Undone('the worker that has its session is gone', 'session-lost');
      const home = keeper ?? (setUp === null ? undefined : homes.get(at));
      const anyone = run === null ? lists.checks : lists.run(run.agent);
      const queued = await queue.send({
        id: idOf(attempt),
        list: home === undefined ? anyone : lists.own(home),
        limit: run === null ? null : { agent: run.agent, most: atOnce },
        text: JSON.stringify({ order, sentAt: Date.now(), refs }),
      });
      const answer = await answerTo(queued, signal).catch((error: unknown) => {
        // After its worker is lost, the next run of this work tree goes to any free one.
        homes.delete(at);
        throw error;
      });
      const { usage, worker, machine, end, ref } = answer;
      if (setUp !== null) homes.set(at, worker);
      yield* usage;
      if (ref === null) yield* readPieces(queue, idOf(attempt));
      const source = ref === null ? null : { from: remote ?? '', ref, isShared: true };
      return { ...end, machine, worker, source };
    },
    async close(received) {
      for (const attempt of received) await queue.forget(idOf(attempt)).catch(() => undefined);
      await carrier.forget().catch(() => undefined);
      await queue.close();
      return true;
    },
  };
}
