// Reaches the worker on one machine over a pipe.
import { EventEmitter, on, once } from 'node:events';
import { Readable } from 'node:stream';
import { z } from 'zod';
import { agentEnvironment } from '../agents/process/environment.ts';
import { findProgram } from '../agents/process/find-program.ts';
import { errorLine } from '../agents/phrases.ts';
import { type Program, startProgram } from '../agents/process/start-program.ts';
import { cleanText } from '../model/clean-text.ts';
import { jsonIn } from '../model/json.ts';
import { neverAborted } from '../model/signal.ts';
import { counted, oneLine } from '../model/wording.ts';
import {
  CommitPlace,
  Commits,
  FoundAgents,
  type Order,
  protocol,
  ReplyLine,
  WorkEnd,
} from './protocol.ts';
import { refusal, Undone } from './run-facts.ts';
import type { Way } from './run-elsewhere.ts';
import { addPiece, bundlePieces } from './travelling-commits.ts';

/** A machine of the user’s configuration. */
export interface OwnMachine {
  readonly name: string;
  /** The command that starts `conclave worker` there; empty for the workers of the queue. */
  readonly command: readonly string[];
  /** The largest bundle that is sent there, in megabytes. */
  readonly mostMb: number;
  /** The agents whose runs go there. */
  readonly agents: readonly string[];
  /** The most runs at once. */
  readonly slots: number;
  /** False until the user has said once that prompts and code may go there. */
  readonly isAllowed: boolean;
}

/** The worker says hello in this time and then something each second, or it counts as lost; in ms. */
const patience = { firstOutputMs: 20_000, idleMs: 4_000, totalMs: Infinity, graceMs: 1_000 };

/** Starts the worker of a machine. Throws `Undone` with the reason where none answers. */
export async function reachMachine(
  settings: OwnMachine,
  environment: NodeJS.ProcessEnv,
  mark: string,
): Promise<Way> {
  const { name, mostMb } = settings;
  const program = await startWorker(settings, environment, mark);
  /** Emits `hello`, and what is said to each order under its id. */
  const heard = new EventEmitter();
  const hello = once(heard, 'hello');
  let lost: Undone | null = null;
  let orders = 0;

  const reading = (async () => {
    for (let lines = await program.take(); lines !== null; lines = await program.take()) {
      for (const line of lines) {
        // A machine may greet whoever logs in before the worker speaks.
        const { data } = ReplyLine.safeParse(typeof line === 'string' ? jsonIn(line) : null);
        if (data !== undefined) heard.emit(data.say === 'hello' ? 'hello' : data.id, data);
      }
    }
    const { timedOut, stderrTail } = await program.over;
    const said = oneLine(cleanText(errorLine(stderrTail))).slice(0, 200);
    const how = timedOut === null ? 'the connection ended' : 'it went silent';
    lost = new Undone(`${name} does not answer: ${said === '' ? how : `${how}: ${said}`}`);
    if (heard.listenerCount('error') > 0) heard.emit('error', lost);
  })();

  const send = (id: string, words: Order) => program.write(`${JSON.stringify({ id, ...words })}\n`);

  /** Sends an order, tells its events, keeps the pieces of its work, and returns its answer. */
  async function ask<T>(
    words: Order,
    shape: z.ZodType<T>,
    { signal = neverAborted, file = '', tell }: Partial<Parameters<Way['start']>[1]> = {},
  ): Promise<T> {
    if (lost !== null) throw lost;
    const id = String((orders += 1));
    const replies = on(heard, id, { signal });
    send(id, words);
    try {
      for await (const [said] of replies) {
        const reply: z.infer<typeof ReplyLine> = said;
        if (reply.say === 'refused') throw refusal(reply.why);
        if (reply.say === 'event') tell?.(reply.event);
        if (reply.say === 'result') await addPiece(file, reply.data);
        if (reply.say !== 'done') continue;
        const answer = shape.safeParse(reply.value);
        if (answer.success) return answer.data;
        throw new Undone(`${name} answered in an unknown form`);
      }
      throw new Error('the replies ended');
    } finally {
      if (signal.aborted) send(id, { do: 'cancel' });
    }
  }

  try {
    const [{ protocol: theirs, version, repositories }] = await hello;
    if (theirs !== protocol) {
      throw new Undone(
        `${name} has Conclave ${version}, which speaks another version of the protocol (${theirs}, here ${protocol}); install the same version on both`,
      );
    }
    return {
      name,
      version,
      holds: counted(repositories, 'repository', 'repositories'),
      isLost: () => lost !== null,
      find: (names) => ask({ do: 'agents', names }, FoundAgents),
      async send(snapshot, signal) {
        const place = CommitPlace.parse(snapshot);
        const { repository, commit } = place;
        const tips = await ask({ do: 'tips', repository }, Commits, { signal });
        if (tips.includes(commit)) return;
        const carry = async (data: string, isLast: boolean) => {
          await ask({ ...place, do: 'bundle', data, isLast }, z.unknown(), { signal });
        };
        // Several pieces are on their way, as each takes a while to be written there.
        await Readable.from(bundlePieces(snapshot, { tips, mostMb })).forEach(
          (piece: Buffer) => carry(piece.toString('base64'), false),
          { concurrency: 4, signal },
        );
        await carry('', true);
      },
      start: (work, bounds) => ask({ ...work, do: 'work' }, WorkEnd, bounds),
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
  { name, command: [command = '', ...args] }: OwnMachine,
  environment: NodeJS.ProcessEnv,
  mark: string,
): Promise<Program> {
  const adapter = { variables: ['SSH_*', 'DISPLAY', 'DOCKER_*'], env: () => ({}) };
  const env = agentEnvironment({ base: environment, adapter, settings: {}, request: null });
  const path = findProgram(command, env['PATH']);
  if (path === null) throw new Undone(`${name} cannot be reached: there is no program ${command}`);
  const call = { command: path, args, cwd: '/', env, mark, rawOutput: null, limits: patience };
  const started = await startProgram(call, neverAborted);
  if (started.ok) return started.value;
  const why = started.failure.spawnError?.message ?? 'its command did not start';
  throw new Undone(`${name} cannot be reached: ${oneLine(why)}`);
}
