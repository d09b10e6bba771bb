// Reaches the worker on one machine over a pipe: brings it commits, has it run agents, takes what they did.
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Agent, AgentEnd, AgentRequest, RunLimits } from '../agents/agent.ts';
import { agentEnvironment } from '../agents/process/environment.ts';
import { findProgram } from '../agents/process/find-program.ts';
import { errorLine } from '../agents/phrases.ts';
import { type Program, startProgram } from '../agents/process/start-program.ts';
import type { AgentEvent } from '../model/agent-event.ts';
import { cleanText } from '../model/clean-text.ts';
import { jsonIn } from '../model/json.ts';
import { oneLine } from '../model/wording.ts';
import { sha256Of } from '../store/digest.ts';
import { inTurn } from '../git/session-git.ts';
import {
  type FoundAgent,
  type NewOrder,
  type Order,
  pieceBytes,
  protocol,
  Reply,
  type ReplyOf,
  type RunOrder,
} from './protocol.ts';
import { LostMachine, RefusedOrder } from './run-facts.ts';
import { runElsewhere, type Transport } from './run-elsewhere.ts';
import { bundleSnapshot, type Snapshot } from './travelling-commits.ts';

/** A machine of the user’s configuration. */
export interface MachineSettings {
  readonly name: string;
  /** The command that starts `conclave worker` there. */
  readonly command: readonly string[];
  /** The largest bundle that is sent there, in bytes. */
  readonly mostBytes: number;
}

/** The place of the connections on this machine. */
export interface OwnerPlace {
  /** The absolute folder for the repositories from which commits are sent. */
  readonly folder: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly graceMs: number;
}

/** A worker that has answered. */
export interface Machine {
  readonly name: string;
  readonly version: string;
  readonly repositories: number;
  find(names: readonly string[] | null): Promise<readonly FoundAgent[]>;
  /** Like `Agent.run`. Throws `LostMachine`. */
  run(
    agent: Agent,
    request: AgentRequest,
    signal: AbortSignal,
  ): AsyncGenerator<AgentEvent, AgentEnd, undefined>;
  readonly isLost: boolean;
  /** Ends the worker; false if it did not end by itself, and so could remove nothing. */
  close(): Promise<boolean>;
}

/** The worker says hello in this time and then something each second, or it counts as lost; in ms. */
const patience = { firstOutputMs: 20_000, idleMs: 5_000, totalMs: Infinity };

/** Starts the worker of a machine. Throws `LostMachine` with the reason where none answers. */
export async function reachMachine(
  settings: MachineSettings,
  place: OwnerPlace,
  mark: string,
): Promise<Machine> {
  const { name } = settings;
  const program = await startWorker(settings, place, mark);
  const waiting = new Map<string, ReturnType<typeof channel>>();
  const hello = Promise.withResolvers<ReplyOf<'hello'>>();
  /** The attempts whose answers need not be kept there, once the session has recorded them. */
  const received: string[] = [];
  let isLost = false;
  let orders = 0;
  let why = '';

  const hear = (line: string) => {
    const reply = Reply.safeParse(jsonIn(line));
    // A machine may greet whoever logs in before the worker speaks.
    if (!reply.success) return;
    const { data } = reply;
    if (data.say === 'hello') hello.resolve(data);
    else if (data.say !== 'beat') waiting.get(data.id)?.put(data);
  };
  const reading = (async () => {
    for (let lines = await program.take(); lines !== null; lines = await program.take())
      for (const line of lines) if (typeof line === 'string') hear(line);
    isLost = true;
    const end = await program.over;
    const said = oneLine(cleanText(errorLine(end.stderrTail))).slice(0, 200);
    const quiet = end.timedOut === null ? 'the connection ended' : 'it went silent';
    why = said === '' ? quiet : `${quiet}: ${said}`;
    hello.reject(new LostMachine(`${name} does not answer: ${why}`));
    for (const one of waiting.values()) one.wake();
  })();

  const send = (line: Order) => program.write(`${JSON.stringify(line)}\n`);

  /** Sends an order; yields what answers it, until the caller leaves. Throws `LostMachine`. */
  function order(words: NewOrder) {
    const id = String((orders += 1));
    const answers = channel();
    waiting.set(id, answers);
    send({ ...words, id });
    async function* listen(): AsyncGenerator<Reply, void, undefined> {
      try {
        for (;;) {
          const reply = answers.next() ?? (isLost ? null : await answers.more());
          if (reply === null) throw new LostMachine(`${name} was lost: ${why}`);
          if (reply?.say === 'refused') throw new RefusedOrder(reply.why);
          if (reply !== undefined) yield reply;
        }
      } finally {
        waiting.delete(id);
      }
    }
    return { id, replies: listen() };
  }

  async function ask<Say extends Reply['say']>(words: NewOrder, say: Say): Promise<ReplyOf<Say>> {
    for await (const reply of order(words).replies) if (isSaid(reply, say)) return reply;
    throw new LostMachine(`${name} was lost`);
  }

  /** Brings a snapshot there, unless it is there; says why that cannot be. */
  async function bring(snapshot: Snapshot): Promise<string | null> {
    const { repository, commit } = snapshot;
    return await inTurn(`${name}/${repository}`, async () => {
      const { commits: tips } = await ask({ do: 'tips', repository }, 'tips');
      const file = join(place.folder, `${sha256Of(`${process.pid}${name}${commit}`)}.bundle`);
      const { mostBytes } = settings;
      const made = await bundleSnapshot(snapshot, { tips, file, mostBytes });
      if (!made.ok) return made.failure;
      if (made.value === null) return null;
      const content = await readFile(file);
      await rm(file);
      for (let at = 0; at < content.length; at += pieceBytes) {
        const isLast = at + pieceBytes >= content.length;
        const whole = isLast ? { commit, sha256: sha256Of(content) } : null;
        const data = content.toString('base64', at, at + pieceBytes);
        await ask({ do: 'bundle', repository, data, whole }, 'taken');
      }
      return null;
    });
  }

  async function* start(run: RunOrder, signal: AbortSignal): ReturnType<Transport['start']> {
    const { id, replies } = order({ do: 'run', ...run });
    const cancel = () => send({ do: 'cancel', id });
    signal.addEventListener('abort', cancel, { once: true });
    if (signal.aborted) cancel();
    try {
      for await (const reply of replies) {
        if (reply.say === 'event') yield reply.event;
        else if (reply.say === 'result') yield Buffer.from(reply.data, 'base64');
        else if (reply.say === 'end') return reply;
      }
      throw new LostMachine(`${name} was lost`);
    } finally {
      signal.removeEventListener('abort', cancel);
    }
  }

  const way = {
    name,
    folder: place.folder,
    bring,
    start,
    receive: (attempt: string) => void received.push(attempt),
  };
  try {
    const { protocol: theirs, version, repositories } = await hello.promise;
    if (theirs !== protocol) {
      throw new LostMachine(
        `${name} has Conclave ${version}, which speaks another version of the protocol (${theirs}, here ${protocol}); install the same version on both`,
      );
    }
    return {
      name,
      version,
      repositories,
      find: async (names) =>
        (await ask({ do: 'agents', names: names === null ? null : [...names] }, 'agents')).agents,
      run: (agent, request, signal) => runElsewhere(way, agent, { request, signal }),
      get isLost() {
        return isLost;
      },
      async close() {
        for (const attempt of received) send({ do: 'received', id: '', attempt });
        program.endInput();
        setTimeout(() => program.stop(), 5_000).unref();
        await reading;
        return (await program.over).exitCode === 0;
      },
    };
  } catch (error) {
    program.stop();
    await reading;
    throw error;
  }
}

async function startWorker(
  { name, command: [command = '', ...args] }: MachineSettings,
  { environment, graceMs }: OwnerPlace,
  mark: string,
): Promise<Program> {
  const adapter = { variables: ['SSH_*', 'DISPLAY', 'DOCKER_*'], env: () => ({}) };
  const env = agentEnvironment({ base: environment, adapter, settings: {}, request: null });
  const path = findProgram(command, env['PATH']);
  if (path === null)
    throw new LostMachine(`${name} cannot be reached: there is no program ${command}`);
  const limits: RunLimits = { ...patience, graceMs };
  const call = { command: path, args, cwd: '/', env, mark, rawOutput: null, limits };
  const started = await startProgram(call, new AbortController().signal);
  if (started.ok) return started.value;
  const why = started.failure.spawnError?.message ?? 'its command did not start';
  throw new LostMachine(`${name} cannot be reached: ${oneLine(why)}`);
}

function isSaid<Say extends Reply['say']>(reply: Reply, say: Say): reply is ReplyOf<Say> {
  return reply.say === say;
}

/** The replies to one order, in their order. */
function channel() {
  const replies: Reply[] = [];
  let waiter = Promise.withResolvers<void>();
  return {
    put(reply: Reply): void {
      replies.push(reply);
      waiter.resolve();
    },
    wake: () => waiter.resolve(),
    next: () => replies.shift(),
    /** Waits until something has come, or the connection is lost. */
    async more(): Promise<Reply | undefined> {
      await waiter.promise;
      waiter = Promise.withResolvers<void>();
      return replies.shift();
    },
  };
}
