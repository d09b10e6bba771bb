// Does on this machine what an owner of sessions asks for: takes commits, runs agents and checks, tells what they did.
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import type { Readable, Writable } from 'node:stream';
import { join, resolve } from 'node:path';
import type { AgentPool } from '../agents/pool.ts';
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
  readonly agents: Pick<AgentPool, 'get' | 'models'>;
  /** Runs checks here, in the confinement of this machine. */
  readonly runCheck: (check: Check, spot: CheckSpot) => Promise<CheckRun>;
  /** Runs a command of a set-up; says why it failed. */
  readonly runSetUp: (argv: readonly string[], spot: CheckSpot) => Promise<string | null>;
}

/** The longest time for an agent to end itself when the owner is gone, in ms. */
const mostGraceMs = 2_500;

/** Opens what a worker works with. */
export async function openWorkshop({ folder, agents, runCheck, runSetUp }: WorkerSetup) {
  const places = await openPlaces(folder);
  const markPrefix = `worker-${process.pid}-${Date.now()}.`;

  /** Finds the agents of these names here, or all. */
  async function findAgents(
    names: readonly string[] | null,
    signal: AbortSignal,
  ): Promise<readonly FoundAgent[]> {
    const find = async (name: string): Promise<FoundAgent> => {
      const why = `its configuration has no agent ${name}`;
      const none = { state: 'not-installed', why, remedy: 'Set it up there.' } as const;
      return { ...((await agents.get(name)?.ready(signal)) ?? none), name };
    };
    return await Promise.all((names ?? agents.models().map(({ name }) => name)).map(find));
  }

  /**
   * Runs an agent or a check in a folder at its commit, and tells its events; an answer that was given to this
   * attempt before is returned again.
   */
  async function carryOut(
    order: Work,
    signal: AbortSignal,
    tell: (event: AgentEvent) => Promise<void> | void,
  ): Promise<WorkEnd> {
    const { attempt, run, check, setUp } = order;
    const known = await places.kept(attempt);
    if (known !== null) return known;
    const finding = findAgents(run === null ? [] : [run.agent], signal);
    const making = places.tree(order);
    await Promise.allSettled([finding, making]);
    const tree = await making;
    const cwd = resolve(tree.path, order.prefix);
    // The owner knows only its own folder, so the folder of the run here is told by that name.
    const thither = <T>(value: T): T =>
      JSON.parse(JSON.stringify(value).replaceAll(cwd, order.folder));
    const spot = { ...order, cwd, top: tree.path, markPrefix, signal };
    const output = places.output(attempt);
    try {
      const [found] = await finding;
      if (found !== undefined && found.state !== 'ready') throw new Error(found.why);
      const agent = agents.get(found?.name ?? '');
      const why = setUp === null ? null : await tree.prepare(setUp, (argv) => runSetUp(argv, spot));
      const nothing = { end: null, commit: null, checked: null, why: thither(why) };
      // A set-up that fails may be what the agent is to put right.
      if (run === null || agent === undefined) {
        const checked = why === null && check !== null ? await runCheck(check, spot) : null;
        return { ...nothing, checked: thither(checked) };
      }
      const { prompt, resume, limits, ...request } = run.request;
      await makeFolder(output);
      const events = agent.run(
        {
          ...request,
          prompt: prompt.replaceAll(order.folder, cwd),
          resume: resume === null ? null : { ...resume, cwd },
          limits: { ...limits, graceMs: Math.min(limits.graceMs, mostGraceMs) },
          about: null,
          cwd,
          extraDirs: [],
          hidden: [],
          mark: `${markPrefix}${attempt}`,
          rawOutput: join(output, 'events.jsonl'),
        },
        signal,
      );
      let step = await events.next();
      for (; step.done !== true; step = await events.next()) await tell(thither(step.value));
      const end = thither(step.value);
      if (!end.ok) return { ...nothing, end };
      const answer = { ...nothing, end, commit: await tree.bundle(attempt) };
      await places.keep(attempt, answer);
      return answer;
    } finally {
      await rm(output, { recursive: true, force: true });
      tree.leave();
    }
  }

  return {
    places,
    findAgents,
    carryOut,
    /** Ends what still runs, and removes the work trees. */
    async close(): Promise<void> {
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
  const signal = AbortSignal.any([gone.signal, stop]);
  const cuts = new Map<string, AbortController>();
  const obeyed: Promise<void>[] = [];
  // Resolves once it is written, or never will be.
  const say = (reply: Reply, id = '') =>
    new Promise<void>((written) =>
      output.write(`${JSON.stringify({ id, ...reply })}\n`, () => written()),
    );
  output.on('error', () => gone.abort());
  const beats = setInterval(() => void say({ say: 'beat' }), 1_000);
  await say({ say: 'hello', protocol, version, repositories: await places.repositories() });

  async function obey(order: OrderLine): Promise<unknown> {
    switch (order.do) {
      case 'agents':
        return await shop.findAgents(order.names, signal);
      case 'tips':
        return await places.tips(order.repository);
      case 'bundle':
        if (order.isLast) return await places.take(order);
        return await places.append(order.attempt, order.data);
      case 'received':
        return await places.forget(order.attempt);
      case 'cancel':
        return cuts.get(order.id)?.abort();
      case 'work': {
        const { id } = order;
        const cut = new AbortController();
        cuts.set(id, cut);
        const ending = AbortSignal.any([cut.signal, signal]);
        const end = await shop.carryOut(order, ending, (event) => say({ say: 'event', event }, id));
        if (end.commit !== null)
          for await (const piece of piecesIn(places.bundle(order.attempt)))
            await say({ say: 'result', data: piece.toString('base64') }, id);
        return end;
      }
    }
  }

  /** Obeys a line, and says how that ended. */
  async function answer(line: unknown): Promise<void> {
    const order = typeof line === 'string' ? OrderLine.safeParse(jsonIn(line)).data : undefined;
    // A worker of another version is given none.
    if (order === undefined) return;
    await obey(order).then(
      (value = null) => say({ say: 'done', value }, order.id),
      (error: unknown) => say({ say: 'refused', why: wordsOfError(error) }, order.id),
    );
  }

  const framer = lineFramer(longestLine);
  input.on('data', (chunk: Buffer) => obeyed.push(...framer.push(chunk).map(answer)));
  await Promise.race([once(input, 'end'), once(input, 'close'), once(signal, 'abort')]);
  gone.abort();
  clearInterval(beats);
  await Promise.allSettled(obeyed);
  await shop.close();
}
