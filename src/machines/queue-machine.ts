// Has agents run by whichever worker pulls the run from the queue.
import { createReadStream } from 'node:fs';
import { appendFile, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Agent, AgentEnd, AgentRequest } from '../agents/agent.ts';
import { toolsOf } from '../agents/permission.ts';
import { inTurn } from '../git/session-git.ts';
import { sha256Of } from '../store/digest.ts';
import { contentOf, factsOf, failRun, type Machine, type OwnerPlace } from './reach-machine.ts';
import { mostQueuedBytes, openQueue, type Queue } from './queue.ts';
import { Announcement, idOf, pieceSize, QueuedAnswer } from './queue-worker.ts';
import { bundleSnapshot, layResult, type Snapshot, takeSnapshot } from './travelling-commits.ts';

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

  async function* run(agent: Agent, request: AgentRequest, signal: AbortSignal) {
    const fail = failRun(agent.name);
    const taken = await takeSnapshot({ folder: request.cwd, places: place.folder, signal });
    const unsent = taken.ok ? await bring(taken.value) : taken.failure;
    if (!taken.ok || unsent !== null)
      return fail('request-refused', `it cannot run on ${name}: ${unsent}`);
    const snapshot = taken.value;
    const { repository, commit, prefix, leftOut } = snapshot;
    const attempt = sha256Of(`${request.rawOutput}\0${commit}`);
    const id = idOf(attempt);
    const order = {
      do: 'run',
      id,
      attempt,
      agent: agent.name,
      repository,
      commit,
      prefix,
      folder: request.cwd,
      request: contentOf(request),
    } as const;
    const queued = { id, agent: agent.name };
    const text = JSON.stringify({ attempt, order });
    const isSent = await queue.send({ ...queued, atOnce: atOnce(agent.name), text });
    yield {
      type: 'started',
      agentSession: null,
      model: null,
      version: null,
      machine: name,
    } as const;
    const answer = await waitFor(queue, queued, signal);
    if (answer === null) {
      await queue.cancel(queued);
      return fail('cancelled', 'it was cancelled');
    }
    const { end, commit: work, isKept, usage, machine } = QueuedAnswer.parse(JSON.parse(answer));
    for (const event of usage) yield event;
    const file = join(place.folder, `${attempt}.bundle`);
    try {
      const isWork = work !== null && toolsOf(request).has('file_write');
      if (isWork)
        for await (const data of queue.pieces(`result-${id}`)) await appendFile(file, data);
      const fault = isWork ? await layResult(snapshot, { file, commit: work, attempt }) : null;
      if (fault !== null)
        return fail('wrong-answer', `${machine} sent work that cannot be used: ${fault}`);
    } finally {
      await rm(file, { force: true });
    }
    // Whoever still runs it does so in vain.
    await queue.cancel(queued);
    received.push(id);
    const facts = factsOf(end.facts, { name, isKept: isKept || !isSent, leftOut });
    const ended: AgentEnd = { ...end, facts: { ...facts, machine: `${name} (${machine})` } };
    return ended;
  }

  const workers = async () =>
    (await queue.workers()).map((text) => Announcement.parse(JSON.parse(text)));
  const there = await workers();
  return {
    name,
    version: there[0]?.version ?? 'unknown',
    repositories: there.length,
    run,
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
