// Does on this machine what an owner of sessions asks for: takes commits, runs agents and checks, tells what they did.
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import type { Readable, Writable } from 'node:stream';
import { join } from 'node:path';
import type { Agent } from '../agents/agent.ts';
import { lineFramer } from '../agents/process/line-pump.ts';
import { leaveRun } from '../agents/process/start-program.ts';
import type { AgentEvent } from '../model/agent-event.ts';
import type { CheckRun } from '../model/check-record.ts';
import type { Check } from '../model/check.ts';
import { jsonIn } from '../model/json.ts';
import { wordsOfError } from '../model/wording.ts';
import { makeFolder } from '../store/make-folder.ts';
import { version } from '../version.ts';
import {
  type FoundAgent,
  longestLine,
  OrderLine,
  protocol,
  type Reply,
  type Work,
  type WorkEnd,
} from './protocol.ts';
import { lastOf } from './run-facts.ts';
import { piecesIn } from './travelling-commits.ts';
import { openPlaces } from './worker-places.ts';

/** The place of one check: its folder, the top of its work tree, and what its processes are known by. */
export interface CheckSpot extends Pick<Work, 'buildFacts' | 'mayRun' | 'mostMs' | 'slot'> {
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
type Workshop = Awaited<ReturnType<typeof openWorkshop>>;

export async function openWorkshop(setup: WorkerSetup) {
  const places = await openPlaces(setup.folder);
  const markPrefix = `worker-${process.pid}-${Date.now()}.`;
  return {
    ...setup,
    places,
    markPrefix,
    /** The agents that were found ready, which is looked at once. */
    ready: new Set<string>(),
    /** Ends what still runs, and removes the work trees. */
    async close() {
      leaveRun(markPrefix);
      await places.close();
    },
  };
}

/** Works until its input ends; then it ends its agents, removes its work trees and resolves. */
export async function serveOwner(
  setup: WorkerSetup & { readonly input: Readable; readonly output: Writable },
): Promise<void> {
  const { input, output, stop } = setup;
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

  async function obey(order: OrderLine): Promise<unknown> {
    switch (order.do) {
      case 'agents':
        return await findAgents(setup, order.names, gone.signal);
      case 'tips':
        return await places.tips(order.repository);
      case 'bundle':
        await places.append({ ...order, data: Buffer.from(order.data, 'base64') });
        return order.isLast ? await places.take(order) : null;
      case 'received':
        return await places.forget(order.attempt);
      case 'cancel':
        return running.get(order.id)?.abort();
      case 'work':
        return await work(order.id, order);
    }
  }

  /** Carries an order out, and tells its events and the pieces of its work. */
  async function work(id: string, order: Work): Promise<WorkEnd> {
    const cut = new AbortController();
    running.set(id, cut);
    const signal = AbortSignal.any([cut.signal, gone.signal]);
    try {
      const telling = carryOut(order, shop, signal);
      const end = await lastOf(telling, (event) => say({ say: 'event', event }, id));
      if (end.commit !== null)
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
      const order = typeof line === 'string' ? OrderLine.safeParse(jsonIn(line)).data : undefined;
      if (order === undefined) {
        void say({ say: 'refused', why: 'a line is no order of this version' });
        continue;
      }
      const done = obey(order)
        .then(
          (value = null): Reply => ({ say: 'done', value }),
          (error: unknown): Reply => ({ say: 'refused', why: wordsOfError(error) }),
        )
        .then((reply) => say(reply, order.do === 'cancel' ? '' : order.id));
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

/** Finds the agents of these names here, or all. */
export async function findAgents(
  { agents }: Pick<WorkerSetup, 'agents'>,
  names: readonly string[] | null,
  signal: AbortSignal,
): Promise<readonly FoundAgent[]> {
  const find = async (name: string): Promise<FoundAgent> => {
    const why = `its configuration has no agent ${name}`;
    const none = { state: 'not-installed', why, remedy: 'Set it up there.' } as const;
    const found = (await agents.get(name)?.ready(signal)) ?? none;
    return { why: null, remedy: null, version: null, ...found, name };
  };
  return await Promise.all((names ?? agents.models().map(({ name }) => name)).map(find));
}

/**
 * Runs an agent or a check in a folder at its commit. Yields its events and returns its end; an answer that was
 * given to this attempt before is told again.
 */
export async function* carryOut(
  order: Work,
  shop: Workshop,
  signal: AbortSignal,
): AsyncGenerator<AgentEvent, WorkEnd, undefined> {
  const { places, markPrefix } = shop;
  const { attempt, run, check, setUp } = order;
  const known = await places.kept(attempt);
  if (known !== null) return known;
  const agent = run === null ? null : await readyAgent(run.agent, shop, signal);
  const tree = await places.tree(order);
  const cwd = join(tree.path, order.prefix);
  // The owner knows only its own folder, so the folder of the run here is told by that name.
  const [theirs = '', ours = ''] = [order.folder, cwd].map((one) => one.replace(/\/$/, ''));
  const thither = <T>(value: T): T => JSON.parse(JSON.stringify(value).replaceAll(ours, theirs));
  const spot = { ...order, cwd, top: tree.path, markPrefix, signal };
  const output = places.output(attempt);
  try {
    const why =
      setUp === null ? null : await tree.prepare(setUp, (argv) => shop.runSetUp(argv, spot));
    const nothing = { end: null, commit: null, checked: null, why: thither(why) };
    // A set-up that fails may be what the agent is to put right.
    if (run === null || agent === null) {
      const checked = why === null && check !== null ? await shop.runCheck(check, spot) : null;
      return { ...nothing, checked: thither(checked) };
    }
    const { request } = run;
    await makeFolder(output);
    const events = agent.run(
      {
        ...request,
        prompt: request.prompt.replaceAll(theirs, ours),
        resume: request.resume === null ? null : { ...request.resume, cwd },
        limits: { ...request.limits, graceMs: Math.min(request.limits.graceMs, mostGraceMs) },
        about: null,
        cwd,
        extraDirs: [],
        hidden: [],
        mark: `${markPrefix}${attempt.slice(0, 12)}`,
        rawOutput: join(output, 'events.jsonl'),
      },
      signal,
    );
    let step = await events.next();
    for (; step.done !== true; step = await events.next()) yield thither(step.value);
    const end = thither(step.value);
    if (!end.ok) return { ...nothing, end };
    const answer = { ...nothing, commit: await tree.bundle(attempt) };
    const notes = [...end.facts.notes, 'its answer was complete before, and is kept'];
    await places.keep(attempt, { ...answer, end: { ...end, facts: { ...end.facts, notes } } });
    return { ...answer, end };
  } finally {
    await rm(output, { recursive: true, force: true });
    tree.leave();
  }
}

/** The agent of this name. Throws where it is not ready, which its own settings on this machine say. */
async function readyAgent(name: string, shop: Workshop, signal: AbortSignal): Promise<Agent> {
  const { agents, ready } = shop;
  const [found] = ready.has(name) ? [] : await findAgents(shop, [name], signal);
  const agent = agents.get(name);
  if (agent === undefined || typeof found?.why === 'string')
    throw new Error(found?.why ?? `${name} is not known there`);
  ready.add(name);
  return agent;
}
