// Reaches the worker on one machine over a pipe.
import { addAbortListener, EventEmitter, on } from 'node:events';
import { z } from 'zod';
import { agentEnvironment } from '../agents/process/environment.ts';
import { findProgram } from '../agents/process/find-program.ts';
import { errorLine } from '../agents/phrases.ts';
import { type Program, startProgram } from '../agents/process/start-program.ts';
import type { AgentEvent } from '../model/agent-event.ts';
import { cleanText } from '../model/clean-text.ts';
import { jsonIn } from '../model/json.ts';
import { neverAborted } from '../model/signal.ts';
import { oneLine } from '../model/wording.ts';
import {
  Commits,
  FoundAgents,
  type Order,
  protocol,
  type Reply,
  ReplyLine,
  WorkEnd,
} from './protocol.ts';
import { lastOf, readAnswer, refusal, Undone } from './run-facts.ts';
import type { Way } from './run-elsewhere.ts';
import { bundlePieces } from './travelling-commits.ts';

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

/** The worker says hello in this time and then something each second, or it counts as lost; in ms. */
const patience = { firstOutputMs: 20_000, idleMs: 4_000, totalMs: Infinity };

/** Starts the worker of a machine. Throws `Undone` with the reason where none answers. */
export async function reachMachine(
  { name, mostBytes, command }: MachineSettings,
  place: OwnerPlace,
  mark: string,
): Promise<Way> {
  const program = await startWorker({ name, command }, place, mark);
  const hello = Promise.withResolvers<Extract<Reply, { say: 'hello' }>>();
  /** Tells what is heard by the ids of orders. */
  const heard = new EventEmitter();
  let why: string | null = null;
  let orders = 0;

  const lost = () => new Undone(`${name} was lost: ${why}`);

  const hear = (line: string) => {
    // A machine may greet whoever logs in before the worker speaks.
    const { data } = ReplyLine.safeParse(jsonIn(line));
    if (data?.say === 'hello') hello.resolve(data);
    else if (data !== undefined) heard.emit(data.id, data);
  };
  const reading = (async () => {
    for (let lines = await program.take(); lines !== null; lines = await program.take())
      for (const line of lines) if (typeof line === 'string') hear(line);
    const end = await program.over;
    const said = oneLine(cleanText(errorLine(end.stderrTail))).slice(0, 200);
    const quiet = end.timedOut === null ? 'the connection ended' : 'it went silent';
    why = said === '' ? quiet : `${quiet}: ${said}`;
    hello.reject(new Undone(`${name} does not answer: ${why}`));
    if (heard.listenerCount('error') > 0) heard.emit('error', lost());
  })();

  const send = (id: string, words: Order) => program.write(`${JSON.stringify({ id, ...words })}\n`);

  /** Sends an order, yields its events and the pieces of its work, and returns its answer. */
  async function* ask<T>(
    words: Order,
    shape: z.ZodType<T>,
    signal: AbortSignal = neverAborted,
  ): AsyncGenerator<AgentEvent | Buffer, T, undefined> {
    if (why !== null) throw lost();
    const id = String((orders += 1));
    const replies = on(heard, id);
    send(id, words);
    const ending = addAbortListener(signal, () => send(id, { do: 'cancel' }));
    try {
      for await (const [said] of replies) {
        const reply: Reply = said;
        if (reply.say === 'refused') throw refusal(reply.why);
        if (reply.say === 'event') yield reply.event;
        if (reply.say === 'result') yield Buffer.from(reply.data, 'base64');
        if (reply.say === 'done') return readAnswer(shape, reply.value, name);
      }
      throw lost();
    } finally {
      ending[Symbol.dispose]();
    }
  }

  const answer = async <T>(words: Order, shape: z.ZodType<T>) => await lastOf(ask(words, shape));

  try {
    const { protocol: theirs, version, repositories } = await hello.promise;
    if (theirs !== protocol) {
      throw new Undone(
        `${name} has Conclave ${version}, which speaks another version of the protocol (${theirs}, here ${protocol}); install the same version on both`,
      );
    }
    return {
      name,
      version,
      repositories,
      get isLost() {
        return why !== null;
      },
      folder: place.folder,
      mostBytes,
      find: (names) => answer({ do: 'agents', names }, FoundAgents),
      tips: ({ repository }) => answer({ do: 'tips', repository }, Commits),
      async send(snapshot, without) {
        const { repository, commit } = snapshot;
        const carry = async (data: string, isLast: boolean) =>
          await answer({ do: 'bundle', repository, commit, data, isLast }, z.unknown());
        for await (const piece of bundlePieces(snapshot, without))
          await carry(piece.toString('base64'), false);
        await carry('', true);
      },
      start: (work, { signal }) => ask({ ...work, do: 'work' }, WorkEnd, signal),
      async close(received) {
        for (const attempt of received) send('', { do: 'received', attempt });
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
  { name, command: [command = '', ...args] }: Pick<MachineSettings, 'name' | 'command'>,
  { environment, graceMs }: OwnerPlace,
  mark: string,
): Promise<Program> {
  const adapter = { variables: ['SSH_*', 'DISPLAY', 'DOCKER_*'], env: () => ({}) };
  const env = agentEnvironment({ base: environment, adapter, settings: {}, request: null });
  const path = findProgram(command, env['PATH']);
  if (path === null) throw new Undone(`${name} cannot be reached: there is no program ${command}`);
  const call = {
    command: path,
    args,
    cwd: '/',
    env,
    mark,
    rawOutput: null,
    limits: { ...patience, graceMs },
  };
  const started = await startProgram(call, neverAborted);
  if (started.ok) return started.value;
  const why = started.failure.spawnError?.message ?? 'its command did not start';
  throw new Undone(`${name} cannot be reached: ${oneLine(why)}`);
}
