// Has agents run by whichever worker pulls the run from the queue.
import { createReadStream } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { inTurn } from '../git/session-git.ts';
import { sha256Of } from '../store/digest.ts';
import type { RunOrder } from './protocol.ts';
import { mostQueuedBytes, openQueue, type Queue } from './queue.ts';
import { Announcement, idOf, pieceSize, QueuedAnswer } from './queue-worker.ts';
import type { Machine, OwnerPlace } from './reach-machine.ts';
import { runElsewhere, type Transport } from './run-elsewhere.ts';
import { bundleSnapshot, type Snapshot } from './travelling-commits.ts';

/** The time between two looks for an answer, in ms. */
const lookMs = 300;

/** Opens the queue as a machine of this name. Throws `LostMachine`. */
export async function reachPool(
  { name, atOnce }: { readonly name: string; readonly atOnce: (agent: string) => number },
  place: OwnerPlace & { readonly url: string; readonly key: string },
): Promise<Machine> {
  const queue = await openQueue(place);
  const received: string[] = [];
  /** The commit of each repository that stands in the queue already, newest last. */
  const sent = new Map<string, string[]>();

  async function bring(snapshot: Snapshot): Promise<string | null> {
    const { repository, commit } = snapshot;
    return await inTurn(`${name}/${repository}`, async () => {
      const id = `${repository}-${commit}`;
      if ((await queue.find(id)) !== null) return null;
      const before = sent.get(repository) ?? [];
      const needs = before.at(-1) ?? null;
      const file = join(place.folder, `${sha256Of(`${process.pid}${name}${commit}`)}.bundle`);
      const tips = needs === null ? [] : [needs];
      const made = await bundleSnapshot(snapshot, { tips, file, mostBytes: mostQueuedBytes });
      if (!made.ok) return made.failure;
      if (made.value === null) return null;
      try {
        const content = await readFile(file);
        const bundle = { id, sha256: sha256Of(content), bytes: content.length, needs };
        await queue.put(bundle, createReadStream(file, { highWaterMark: pieceSize }));
        sent.set(repository, [...before, commit]);
        return null;
      } finally {
        await rm(file, { force: true });
      }
    });
  }

  async function* start(run: RunOrder, signal: AbortSignal): ReturnType<Transport['start']> {
    const queued = { id: idOf(run.attempt), agent: run.agent };
    const isSent = await queue.send({
      ...queued,
      atOnce: atOnce(run.agent),
      text: JSON.stringify(run),
    });
    const answer = await waitFor(queue, queued, signal);
    // Whoever still runs it does so in vain.
    await queue.cancel(queued);
    if (answer === null) return null;
    const { usage, isKept, ...rest } = QueuedAnswer.parse(JSON.parse(answer));
    yield* usage;
    if (rest.commit !== null) yield* queue.pieces(`result-${queued.id}`);
    return { ...rest, isKept: isKept || !isSent };
  }

  const way = {
    name,
    folder: place.folder,
    bring,
    start,
    receive: (attempt: string) => void received.push(idOf(attempt)),
  };
  const workers = async () =>
    (await queue.workers()).map((text) => Announcement.parse(JSON.parse(text)));
  const there = await workers();
  return {
    name,
    version: there[0]?.version ?? 'unknown',
    repositories: there.length,
    run: (agent, request, signal) => runElsewhere(way, agent, { request, signal }),
    isLost: false,
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
    async close() {
      for (const id of received) await queue.forget(id).catch(() => undefined);
      await queue.close();
      return true;
    },
  };
}

/** The answer to a run; null if the signal is aborted before. Throws `LostMachine` where none will come. */
async function waitFor(
  queue: Queue,
  queued: { readonly id: string; readonly agent: string },
  signal: AbortSignal,
): Promise<string | null> {
  for (;;) {
    if (signal.aborted) return null;
    const answer = await queue.result(queued);
    if (answer !== null) return answer;
    await sleep(lookMs, null, { signal }).catch(() => null);
  }
}
