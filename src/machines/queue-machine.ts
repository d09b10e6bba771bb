// Has agents and checks run by whichever worker pulls them from the queue.
import { setTimeout as sleep } from 'node:timers/promises';
import { LostMachine } from './run-facts.ts';
import { mostQueuedBytes, openQueue } from './queue.ts';
import { Announcement, BundleNote, commitId, idOf, pieceId, QueuedAnswer } from './queue-worker.ts';
import type { OwnerPlace } from './reach-machine.ts';
import type { Way } from './run-elsewhere.ts';

/** The time between two looks for an answer, in ms. */
const lookMs = 300;

/** Opens the queue as a machine of this name. Throws `LostMachine`. */
export async function reachPool(
  name: string,
  place: OwnerPlace & { readonly url: string; readonly key: string },
): Promise<Way> {
  const queue = await openQueue(place);
  /** The commits of each repository that this owner has sent, newest last. */
  const sent = new Map<string, string[]>();
  const workers = async () =>
    (await queue.workers()).map((text) => Announcement.parse(JSON.parse(text)));
  const there = await workers();
  return {
    name,
    version: there[0]?.version ?? 'unknown',
    repositories: there.length,
    isLost: false,
    folder: place.folder,
    mostBytes: mostQueuedBytes,
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
    async tips({ repository, commit }) {
      const isThere = (await queue.kept(commitId(repository, commit))) !== null;
      return isThere ? [commit] : (sent.get(repository)?.slice(-1) ?? []);
    },
    async send({ repository, commit }, { data, at, isLast, tips: [needs = null] }) {
      const id = commitId(repository, commit);
      await queue.keep(pieceId(id, at), data);
      if (!isLast) return;
      const note: BundleNote = { pieces: at + 1, needs };
      await queue.keep(id, JSON.stringify(note));
      sent.set(repository, [...(sent.get(repository) ?? []), commit]);
    },
    async *start(order, signal) {
      const id = idOf(order.attempt);
      const [list, atOnce] = order.do === 'run' ? [order.agent, order.atOnce] : ['', null];
      const isSent = await queue.send({ id, list, atOnce, text: JSON.stringify(order) });
      let text: string | null = null;
      while (text === null && !signal.aborted) {
        text = await queue.result({ id, list });
        if (text === null) await sleep(lookMs, null, { signal }).catch(() => null);
      }
      // Whoever still runs it does so in vain.
      await queue.cancel({ id, list });
      signal.throwIfAborted();
      const { usage, pieces, machine, end } = QueuedAnswer.parse(JSON.parse(text ?? ''));
      yield* usage;
      for (let at = 0; at < pieces; at += 1) {
        const piece = await queue.kept(pieceId(id, at));
        if (piece === null) throw new LostMachine(`a part of the answer is no longer in the queue`);
        yield piece;
      }
      return end.say === 'end' && !isSent ? { ...end, isKept: true, machine } : { ...end, machine };
    },
    async close(received) {
      for (const attempt of received) await queue.forget(idOf(attempt)).catch(() => undefined);
      await queue.close();
      return true;
    },
  };
}
