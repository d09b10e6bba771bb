// Has agents and checks run by whichever worker pulls them from the queue.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { jsonIn } from '../model/json.ts';
import type { WorkOrder } from './protocol.ts';
import { LostMachine, readAnswer, RefusedOrder } from './run-facts.ts';
import { openQueue, type QueuedPlace } from './queue.ts';
import { byRemote, byRows, idOf, readPieces, refsOf } from './queue-commits.ts';
import { Announcement, lists, QueuedAnswer } from './queue-worker.ts';
import type { MachineSettings, OwnerPlace } from './reach-machine.ts';
import type { Way } from './run-elsewhere.ts';

/** The time between two looks for an answer, in ms. */
const lookMs = 300;
/** The number of looks between two for workers that are left. */
const looks = 10;

/** Opens the queue as a machine of this name. Throws `LostMachine`. */
export async function reachPool(
  { name, mostBytes }: Pick<MachineSettings, 'name' | 'mostBytes'>,
  place: OwnerPlace & {
    readonly url: string;
    readonly key: string;
    readonly remote: string | null;
  },
): Promise<Way> {
  const queue = await openQueue(place);
  const { remote, folder } = place;
  const refs = remote === null ? null : refsOf(new Date(), randomUUID());
  const carrier =
    remote === null || refs === null ? byRows(queue) : byRemote(remote, { refs, most: mostBytes });
  const workers = async () =>
    (await queue.workers()).flatMap((text) => Announcement.safeParse(jsonIn(text)).data ?? []);
  /** The worker on which the set-up of each folder stands. */
  const homes = new Map<string, string>();
  const refsOfWork: string[] = [];
  const isServed = async (list: string) =>
    (await workers()).some((one) => one.lists.includes(list));

  /** Waits for the answer as long as some worker may give it; whoever still works on it then does so in vain. */
  async function answerTo(queued: QueuedPlace, signal: AbortSignal) {
    try {
      for (let look = 1; ; look += 1) {
        const text = await queue.result(queued);
        if (text !== null) return readAnswer(QueuedAnswer, jsonIn(text), name);
        if (look % looks === 0 && !(await isServed(queued.list)))
          throw new LostMachine('no worker of the queue is left that could do it');
        await sleep(lookMs, null, { signal });
      }
    } finally {
      await queue.cancel(queued);
    }
  }

  const there = await workers();
  return {
    name,
    version: there[0]?.version ?? 'unknown',
    repositories: there.length,
    isLost: false,
    folder,
    mostBytes: Math.min(mostBytes, carrier.mostBytes),
    async find(names) {
      const all = await workers();
      const agents = all.flatMap((one) => one.agents);
      const own = [...new Map(agents.map((one) => [one.name, one])).values()];
      if (names === null) return own;
      const why = `no worker of the queue has it ready (${all.length} there)`;
      const remedy = 'Start one: conclave worker --queue';
      const none = { state: 'not-installed', why, remedy, version: null } as const;
      return names.map((one) => own.find((agent) => agent.name === one) ?? { name: one, ...none });
    },
    tips: (snapshot) => carrier.tips(snapshot),
    send: (snapshot, tips) => carrier.send(snapshot, tips),
    async *start(order, signal) {
      const { attempt, folder: at, setUp } = order;
      const { keeper, sent } = withoutKeeper(order);
      if (keeper !== undefined && !(await isServed(lists.own(keeper))))
        throw new RefusedOrder('the worker that has its session is gone', 'session-lost');
      const isRun = order.do === 'run';
      const home = keeper ?? (setUp === null ? undefined : homes.get(at));
      const anyone = isRun ? lists.run(order.agent) : lists.checks;
      const queued = await queue.send({
        id: idOf(attempt),
        list: home === undefined ? anyone : lists.own(home),
        limit: isRun ? { agent: order.agent, most: order.atOnce } : null,
        text: JSON.stringify({ order: sent, sentAt: Date.now(), refs }),
      });
      const { usage, worker, machine, end, ref } = await answerTo(queued, signal).catch(
        (error: unknown) => {
          // After its worker is lost, the next run of this work tree goes to any free one.
          homes.delete(at);
          throw error;
        },
      );
      if (setUp !== null) homes.set(at, worker);
      yield* usage;
      if (end.say !== 'end') return { ...end, machine };
      const source = ref === null ? null : { from: remote ?? '', ref, isShared: true };
      if (ref === null) yield* readPieces(queue, idOf(attempt));
      else refsOfWork.push(ref);
      const { facts } = end.end;
      const own = facts.agentSession;
      const agentSession = own === null ? null : `${worker}/${own}`;
      return {
        ...end,
        end: { ...end.end, facts: { ...facts, agentSession } },
        isKept: end.isKept || !queued.isNew,
        machine,
        source,
      };
    },
    async close(received) {
      for (const attempt of received) await queue.forget(idOf(attempt)).catch(() => undefined);
      await carrier.forget(refsOfWork).catch(() => undefined);
      await queue.close();
      return true;
    },
  };
}

/** A run without the name of the worker that has the session with which it goes on. */
function withoutKeeper(order: WorkOrder): { readonly sent: WorkOrder; readonly keeper?: string } {
  if (order.do !== 'run') return { sent: order };
  const { request } = order;
  const { resume } = request;
  if (resume === null) return { sent: order };
  const [keeper = '', ...session] = resume.agentSession.split('/');
  const own = { ...resume, agentSession: session.join('/') };
  return { keeper, sent: { ...order, request: { ...request, resume: own } } };
}
