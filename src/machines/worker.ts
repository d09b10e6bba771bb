// Serves one owner of sessions on this machine: takes its commits, runs agents on them, sends back what they did.
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { join } from 'node:path';
import type { Agent, AgentEnd, AgentRequest, RunLimits } from '../agents/agent.ts';
import { toolsOf } from '../agents/permission.ts';
import { lineFramer } from '../agents/process/line-pump.ts';
import { leaveRun } from '../agents/process/start-program.ts';
import { jsonIn } from '../model/json.ts';
import { makeFolder } from '../store/make-folder.ts';
import { version } from '../version.ts';
import {
  type FoundAgent,
  longestLine,
  Order,
  pieceBytes,
  protocol,
  type Reply,
  type RunOrder,
  type TravellingEnd,
  type TravellingRequest,
} from './protocol.ts';
import { openPlaces, type WorkerPlaces, type WorkerTree } from './worker-places.ts';

export interface WorkerSetup {
  readonly input: Readable;
  /** Aborted to end the work although the input goes on. */
  readonly stop: AbortSignal;
  readonly output: Writable;
  /** The absolute folder for everything that the worker keeps. */
  readonly folder: string;
  /** The agents of this machine, by name, as its own settings allow them. */
  readonly agents: {
    get(name: string): Agent | undefined;
    models(): readonly Agent[];
  };
}

/** The longest time for an agent to end itself when the owner is gone, in ms. */
const mostGraceMs = 2_500;

/** Works until its input ends; then it ends its agents, removes its work trees and resolves. */
export async function serveOwner({ input, output, ...setup }: WorkerSetup): Promise<void> {
  const { folder, agents } = setup;
  const gone = new AbortController();
  const places = await openPlaces(folder, new AbortController().signal);
  const markPrefix = `worker-${process.pid}-${Date.now()}.`;
  const running = new Map<string, AbortController>();
  const work = new Set<Promise<void>>();
  const say = async (reply: Reply): Promise<void> => {
    if (gone.signal.aborted || output.destroyed) return;
    if (!output.write(`${JSON.stringify(reply)}\n`))
      await Promise.race([once(output, 'drain'), once(output, 'close')]);
  };
  output.on('error', () => gone.abort());
  setup.stop.addEventListener('abort', () => gone.abort(), { once: true });
  const beats = setInterval(() => void say({ say: 'beat' }), 1_000);
  await say({ say: 'hello', protocol, version, repositories: await places.repositories() });

  const obey = async (order: Order): Promise<void> => {
    switch (order.do) {
      case 'agents': {
        const named = order.names?.map((name) => agents.get(name) ?? name) ?? agents.models();
        const found = await Promise.all(named.map((one) => findAgent(one, gone.signal)));
        return await say({ say: 'agents', id: order.id, agents: found });
      }
      case 'tips':
        return await say({
          say: 'tips',
          id: order.id,
          commits: [...(await places.tips(order.repository))],
        });
      case 'bundle':
        // An owner sends one bundle of a repository at a time.
        await places.take({
          ...order,
          id: order.repository,
          data: Buffer.from(order.data, 'base64'),
        });
        return await say({ say: 'taken', id: order.id });
      case 'received':
        return await places.forget(order.attempt);
      case 'cancel':
        return running.get(order.id)?.abort();
      case 'run': {
        const stop = new AbortController();
        running.set(order.id, stop);
        const signal = AbortSignal.any([stop.signal, gone.signal]);
        try {
          const agent = agents.get(order.agent);
          if (agent === undefined) throw new Error(`${order.agent} is not known there`);
          const found = await findAgent(agent, signal);
          if (found.why !== null) throw new Error(found.why);
          await runOne(order, { agent, places, markPrefix, signal, say });
        } finally {
          running.delete(order.id);
        }
      }
    }
  };

  const framer = lineFramer(longestLine);
  input.on('data', (chunk: Buffer) => {
    for (const line of framer.push(chunk)) {
      const order = typeof line === 'string' ? Order.safeParse(jsonIn(line)) : null;
      if (order?.success !== true) {
        void say({ say: 'refused', id: '', why: 'a line is no order of this version' });
        continue;
      }
      const { data } = order;
      const done = obey(data).catch(async (error: unknown) => {
        const why = error instanceof Error ? error.message : String(error);
        await say({ say: 'refused', id: data.id, why });
      });
      work.add(done);
      void done.finally(() => work.delete(done));
    }
  });
  await Promise.race([once(input, 'end'), once(input, 'close'), once(gone.signal, 'abort')]);
  gone.abort();
  clearInterval(beats);
  await Promise.allSettled(work);
  leaveRun(markPrefix);
  await places.close();
}

export async function findAgent(agent: Agent | string, signal: AbortSignal): Promise<FoundAgent> {
  if (typeof agent === 'string') {
    const why = `its configuration has no agent ${agent}`;
    return { name: agent, state: 'not-installed', why, remedy: 'Set it up there.', version: null };
  }
  const { name } = agent;
  const found = await agent.ready(signal);
  if (found.state === 'ready')
    return { name, state: 'ready', why: null, remedy: null, version: found.version };
  const { state, why, remedy } = found;
  return { name, state, why, remedy, version: null };
}

export interface Running {
  readonly agent: Agent;
  readonly places: WorkerPlaces;
  readonly markPrefix: string;
  readonly signal: AbortSignal;
  readonly say: (reply: Reply) => Promise<void>;
}

/** A run with the id of the order, which all replies carry. */
type IdentifiedRun = RunOrder & { readonly id: string };

/** Runs an agent, or sends the answer that it gave to this attempt before. */
export async function runOne(order: IdentifiedRun, running: Running): Promise<void> {
  const { places, say } = running;
  const { id, attempt } = order;
  await say({ say: 'accepted', id });
  const known = await places.kept(attempt);
  if (known === null) {
    const tree = await places.tree(order);
    try {
      const { end, commit } = await workIn(tree, order, running);
      if (end.ok) await places.keep(attempt, { end: plain(end), commit });
      if (commit !== null) await sendBundle(order, running);
      await say({ say: 'end', id, end: plain(end), commit, isKept: false });
    } finally {
      await rm(dirname(places.raw(attempt)), { recursive: true, force: true });
      tree.leave();
    }
    return;
  }
  if (known.commit !== null) await sendBundle(order, running);
  await say({ say: 'end', id, end: known.end, commit: known.commit, isKept: true });
}

async function sendBundle({ id, attempt }: IdentifiedRun, { places, say }: Running): Promise<void> {
  const pieces = createReadStream(places.bundle(attempt), { highWaterMark: pieceBytes });
  for await (const piece of pieces) {
    const data = Buffer.isBuffer(piece) ? piece.toString('base64') : '';
    await say({ say: 'result', id, data });
  }
}

async function workIn(tree: WorkerTree, order: IdentifiedRun, running: Running) {
  const { agent, places, markPrefix, signal, say } = running;
  const { id, attempt, prefix, request, folder } = order;
  const cwd = join(tree.path, prefix);
  const raw = places.raw(attempt);
  await makeFolder(dirname(raw));
  // What the agent reads and says names the folder of the owner there, and that of the run here.
  const hither = (text: string) =>
    text.replaceAll(folder.replace(/\/$/, ''), cwd.replace(/\/$/, ''));
  const thither = <T>(value: T): T =>
    JSON.parse(JSON.stringify(value).replaceAll(cwd.replace(/\/$/, ''), folder.replace(/\/$/, '')));
  const asked: AgentRequest = {
    ...contentOf(request, hither),
    resume: request.resume === null ? null : { ...request.resume, cwd },
    limits: limitsOf(request.limits),
    about: null,
    cwd,
    extraDirs: [],
    hidden: [],
    mark: `${markPrefix}${attempt.slice(0, 12)}`,
    rawOutput: raw,
  };
  const events = agent.run(asked, signal);
  let end: AgentEnd;
  for (;;) {
    const step = await events.next();
    if (step.done === true) {
      end = step.value;
      break;
    }
    await say({ say: 'event', id, event: thither(step.value) });
  }
  end = thither(end);
  if (!toolsOf(request).has('file_write')) {
    const wrote = await tree.changes();
    if (wrote.length === 0) return { end, commit: null };
    await tree.reset();
    const detail = `it changed ${wrote.slice(0, 3).join(', ')} although it may only read`;
    const failure = { category: 'wrote-while-planning', agent: agent.name, detail } as const;
    const failed = {
      ok: false,
      failure: { ...failure, retry_after_ms: null },
      facts: end.facts,
    } as const;
    return { end: failed, commit: null };
  }
  return { end, commit: end.ok ? await tree.bundle(attempt) : null };
}

function contentOf(request: TravellingRequest, hither: (text: string) => string) {
  const { permission, allowed, denied, prompt, role, schema, model } = request;
  return {
    prompt: hither(prompt),
    role,
    schema,
    model,
    effort: request.effort ?? null,
    verbosity: request.verbosity ?? null,
    maxTurns: request.maxTurns ?? null,
    permission,
    ...(allowed === undefined ? {} : { allowed }),
    ...(denied === undefined ? {} : { denied }),
  };
}

function limitsOf({ graceMs, ...limits }: TravellingRequest['limits']): RunLimits {
  const { firstOutputMs, idleMs, totalMs } = limits;
  return {
    firstOutputMs: firstOutputMs ?? Infinity,
    idleMs: idleMs ?? Infinity,
    totalMs: totalMs ?? Infinity,
    graceMs: Math.min(graceMs, mostGraceMs),
  };
}

/** An end as it travels. */
function plain(end: AgentEnd): TravellingEnd {
  const { filesChanged, notes } = end.facts;
  const facts = { ...end.facts, filesChanged: [...filesChanged], notes: [...notes] };
  return { ...end, facts };
}
