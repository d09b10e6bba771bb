// Does on this machine what an owner of sessions asks for: takes commits, runs agents and checks, tells what they did.
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import type { Readable, Writable } from 'node:stream';
import { join } from 'node:path';
import type { Agent } from '../agents/agent.ts';
import { toolsOf } from '../agents/permission.ts';
import { lineFramer } from '../agents/process/line-pump.ts';
import { leaveRun } from '../agents/process/start-program.ts';
import type { AgentEvent } from '../model/agent-event.ts';
import type { CheckRun } from '../model/check-record.ts';
import type { Check } from '../model/check.ts';
import { jsonIn } from '../model/json.ts';
import { makeFolder } from '../store/make-folder.ts';
import { version } from '../version.ts';
import {
  type CheckOrder,
  type FoundAgent,
  longestLine,
  OrderLine,
  protocol,
  type Reply,
  type RunOrder,
  type WorkEnd,
  type WorkOrder,
} from './protocol.ts';
import { lastOf } from './run-facts.ts';
import { piecesIn } from './travelling-commits.ts';
import { openPlaces, type WorkerPlaces, type WorkerTree } from './worker-places.ts';

/** The place of one check: its folder, the top of its work tree, and what its processes are known by. */
export interface CheckSpot extends Pick<CheckOrder, 'buildFacts' | 'mayRun' | 'mostMs' | 'slot'> {
  readonly cwd: string;
  readonly top: string;
  readonly markPrefix: string;
  readonly signal: AbortSignal;
}

export interface WorkerSetup {
  /** Aborted to end the work although the input goes on. */
  readonly stop: AbortSignal;
  /** The absolute folder for everything that the worker keeps. */
  readonly folder: string;
  /** The agents of this machine, by name, as its own settings allow them. */
  readonly agents: {
    get(name: string): Agent | undefined;
    models(): readonly Agent[];
  };
  /** Runs checks here, in the confinement of this machine. */
  readonly runCheck: (check: Check, spot: CheckSpot) => Promise<CheckRun>;
  /** Runs a command of a set-up; says why it failed. */
  readonly runSetUp: (argv: readonly string[], spot: CheckSpot) => Promise<string | null>;
}

/** The longest time for an agent to end itself when the owner is gone, in ms. */
const mostGraceMs = 2_500;

/** What a worker has opened. */
export interface Workshop extends WorkerSetup {
  readonly places: WorkerPlaces;
  /** The agents that were found ready, which is looked at once. */
  readonly ready: Set<string>;
  readonly markPrefix: string;
  /** Ends what still runs, and removes the work trees. */
  close(): Promise<void>;
}

export async function openWorkshop(setup: WorkerSetup): Promise<Workshop> {
  const places = await openPlaces(setup.folder);
  const markPrefix = `worker-${process.pid}-${Date.now()}.`;
  const close = async () => {
    leaveRun(markPrefix);
    await places.close();
  };
  return { ...setup, places, ready: new Set(), markPrefix, close };
}

/** Works until its input ends; then it ends its agents, removes its work trees and resolves. */
export async function serveOwner(
  setup: WorkerSetup & { readonly input: Readable; readonly output: Writable },
): Promise<void> {
  const { input, output, agents, stop } = setup;
  const shop = await openWorkshop(setup);
  const { places } = shop;
  const gone = new AbortController();
  const running = new Map<string, AbortController>();
  const obeyed = new Set<Promise<void>>();
  const say = async (reply: Reply, id = ''): Promise<void> => {
    if (gone.signal.aborted || output.destroyed) return;
    if (!output.write(`${JSON.stringify({ id, ...reply })}\n`))
      await Promise.race([once(output, 'drain'), once(output, 'close')]);
  };
  output.on('error', () => gone.abort());
  stop.addEventListener('abort', () => gone.abort(), { once: true });
  const beats = setInterval(() => void say({ say: 'beat' }), 1_000);
  await say({ say: 'hello', protocol, version, repositories: await places.repositories() });

  async function obey({ id, ...order }: OrderLine): Promise<unknown> {
    switch (order.do) {
      case 'agents': {
        const named = order.names?.map((name) => agents.get(name) ?? name) ?? agents.models();
        return await Promise.all(named.map((one) => findAgent(one, gone.signal)));
      }
      case 'tips':
        return await places.tips(order.repository);
      case 'bundle':
        await places.append({ ...order, data: Buffer.from(order.data, 'base64') });
        return order.isLast ? await places.take(order) : null;
      case 'received':
        return await places.forget(order.attempt);
      case 'cancel':
        return running.get(id)?.abort();
      case 'run':
      case 'check':
        return await work(id, order);
    }
  }

  /** Carries an order out, and tells its events and the pieces of its work. */
  async function work(id: string, order: WorkOrder): Promise<WorkEnd> {
    const cut = new AbortController();
    running.set(id, cut);
    try {
      const signal = AbortSignal.any([cut.signal, gone.signal]);
      const end = await lastOf(carryOut(order, shop, signal), (event) =>
        say({ say: 'event', event }, id),
      );
      if (end.say === 'end' && end.commit !== null)
        for await (const piece of piecesIn(places.bundle(order.attempt)))
          await say({ say: 'result', data: piece.toString('base64') }, id);
      return end;
    } finally {
      running.delete(id);
    }
  }

  const framer = lineFramer(longestLine);
  input.on('data', (chunk: Buffer) => {
    for (const line of framer.push(chunk)) {
      const order = typeof line === 'string' ? OrderLine.safeParse(jsonIn(line)) : null;
      if (order?.success !== true) {
        void say({ say: 'refused', why: 'a line is no order of this version' });
        continue;
      }
      const { data } = order;
      const done = obey(data)
        .then(
          (value = null): Reply => ({ say: 'done', value }),
          (error: unknown): Reply => ({ say: 'refused', why: wordsOf(error) }),
        )
        .then((reply) => (data.do === 'cancel' ? undefined : say(reply, data.id)));
      obeyed.add(done);
      void done.finally(() => obeyed.delete(done));
    }
  });
  await Promise.race([once(input, 'end'), once(input, 'close'), once(gone.signal, 'abort')]);
  gone.abort();
  clearInterval(beats);
  await Promise.allSettled(obeyed);
  await shop.close();
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

export async function findAgent(agent: Agent | string, signal: AbortSignal): Promise<FoundAgent> {
  if (typeof agent === 'string') {
    const why = `its configuration has no agent ${agent}`;
    return { name: agent, state: 'not-installed', why, remedy: 'Set it up there.', version: null };
  }
  const { name } = agent;
  const found = await agent.ready(signal);
  return { name, why: null, remedy: null, version: null, ...found };
}

/**
 * Runs an agent or a check in a folder at its commit. Yields its events and returns its end; an answer that was
 * given to this attempt before is told again.
 */
export async function* carryOut(
  order: WorkOrder,
  shop: Workshop,
  signal: AbortSignal,
): AsyncGenerator<AgentEvent, WorkEnd, undefined> {
  const { places } = shop;
  const known = order.do === 'run' ? await places.kept(order.attempt) : null;
  if (known !== null) return { ...known, isKept: true };
  const tree = await places.tree(order);
  try {
    if (order.do === 'run') return yield* runIn(tree, order, shop, signal);
    return await checkIn(tree, order, shop, signal);
  } finally {
    await rm(tree.output(order.attempt), { recursive: true, force: true });
    tree.leave();
  }
}

/** What is said of the folder of the owner there, and of that of the run here. */
function translator({ path }: WorkerTree, { folder, prefix }: WorkOrder) {
  const cwd = join(path, prefix);
  const [theirs, ours] = [folder, cwd].map((one) => one.replace(/\/$/, ''));
  return {
    cwd,
    hither: (text: string) => text.replaceAll(theirs ?? '', ours ?? ''),
    thither: <T>(value: T): T =>
      JSON.parse(JSON.stringify(value).replaceAll(ours ?? '', theirs ?? '')),
  };
}

async function prepare(
  tree: WorkerTree,
  { setUp }: WorkOrder,
  spot: CheckSpot,
  { runSetUp }: Workshop,
): Promise<string | null> {
  return setUp === null ? null : await tree.prepare(setUp, (argv) => runSetUp(argv, spot));
}

async function checkIn(
  tree: WorkerTree,
  order: CheckOrder,
  shop: Workshop,
  signal: AbortSignal,
): Promise<WorkEnd> {
  const { cwd, thither } = translator(tree, order);
  const { markPrefix } = shop;
  const spot = { ...order, cwd, top: tree.path, markPrefix, signal };
  const why = await prepare(tree, order, spot, shop);
  const { check } = order;
  const run = why === null && check !== null ? await shop.runCheck(check, spot) : null;
  return { say: 'checked', run: thither(run), why: thither(why) };
}

async function* runIn(
  tree: WorkerTree,
  order: RunOrder,
  shop: Workshop,
  signal: AbortSignal,
): AsyncGenerator<AgentEvent, WorkEnd, undefined> {
  const { places, markPrefix, ready } = shop;
  const { attempt, request, atOnce } = order;
  const agent = shop.agents.get(order.agent);
  if (agent === undefined) throw new Error(`${order.agent} is not known there`);
  if (!ready.has(agent.name)) {
    const { why } = await findAgent(agent, signal);
    if (why !== null) throw new Error(why);
    ready.add(agent.name);
  }
  const { cwd, hither, thither } = translator(tree, order);
  const bare = { buildFacts: [], mayRun: [], mostMs: request.limits.totalMs, slot: '0' };
  // A set-up that fails may be what the agent is to put right.
  await prepare(tree, order, { ...bare, cwd, top: tree.path, markPrefix, signal }, shop);
  const done = atOnce === null ? null : await places.turn(agent.name, atOnce, signal);
  try {
    await makeFolder(tree.output(attempt));
    const events = agent.run(
      {
        ...request,
        prompt: hither(request.prompt),
        resume: request.resume === null ? null : { ...request.resume, cwd },
        limits: { ...request.limits, graceMs: Math.min(request.limits.graceMs, mostGraceMs) },
        about: null,
        cwd,
        extraDirs: [],
        hidden: [],
        mark: `${markPrefix}${attempt.slice(0, 12)}`,
        rawOutput: join(tree.output(attempt), 'events.jsonl'),
      },
      signal,
    );
    let step = await events.next();
    for (; step.done !== true; step = await events.next()) yield thither(step.value);
    const end = thither(step.value);
    const told = { say: 'end', end, commit: null, isKept: false } as const;
    if (!toolsOf(request).has('file_write')) {
      const wrote = await tree.changes();
      if (wrote.length > 0) {
        await tree.reset();
        const detail = `it changed ${wrote.slice(0, 3).join(', ')} although it may only read`;
        const category = 'wrote-while-planning';
        const failure = { category, agent: agent.name, detail, retry_after_ms: null } as const;
        return { ...told, end: { ok: false, failure, facts: end.facts } };
      }
    }
    if (!end.ok) return told;
    const commit = toolsOf(request).has('file_write') ? await tree.bundle(attempt) : null;
    await places.keep(attempt, { ...told, commit });
    return { ...told, commit };
  } finally {
    done?.();
  }
}
