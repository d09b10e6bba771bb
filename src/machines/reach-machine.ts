// Reaches the worker on one machine over a pipe: brings it commits, has it run agents, takes what they did.
import { createReadStream } from 'node:fs';
import { appendFile, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Agent, AgentEnd, AgentRequest, RunFacts, RunLimits } from '../agents/agent.ts';
import { toolsOf } from '../agents/permission.ts';
import { agentEnvironment } from '../agents/process/environment.ts';
import { findProgram } from '../agents/process/find-program.ts';
import { errorLine } from '../agents/phrases.ts';
import { type Program, startProgram } from '../agents/process/start-program.ts';
import type { AgentEvent, AgentFailure } from '../model/agent-event.ts';
import { cleanText } from '../model/clean-text.ts';
import type { Result } from '../model/failure.ts';
import { jsonIn } from '../model/json.ts';
import { counted, oneLine } from '../model/wording.ts';
import { sha256Of } from '../store/digest.ts';
import { inTurn } from '../git/session-git.ts';
import {
  type FoundAgent,
  type NewOrder,
  pieceBytes,
  protocol,
  Reply,
  type ReplyOf,
  type TravellingRequest,
} from './protocol.ts';
import { bundleSnapshot, layResult, type Snapshot, takeSnapshot } from './travelling-commits.ts';

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

/** Thrown where the worker is lost or never answered. */
export class LostMachine extends Error {}

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
  close(): Promise<void>;
}

/** The worker says hello in this time and then something each second, or it counts as lost; in ms. */
const patience = { firstOutputMs: 20_000, idleMs: 5_000, totalMs: Infinity };

type Replies = AsyncGenerator<Reply, void, undefined>;

/** Starts the worker of a machine. Throws `LostMachine` with the reason where none answers. */
export async function reachMachine(
  settings: MachineSettings,
  place: OwnerPlace,
  mark: string,
): Promise<Machine> {
  const { name } = settings;
  const program = await startWorker(settings, place, mark);
  const waiting = new Map<string, { put(reply: Reply): void; wake(): void }>();
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

  /** Sends an order and yields what answers it, until the caller leaves. Throws `LostMachine`. */
  async function* order(words: NewOrder): Replies {
    const id = String((orders += 1));
    const replies: Reply[] = [];
    let more = Promise.withResolvers<void>();
    const put = (reply: Reply) => {
      replies.push(reply);
      more.resolve();
    };
    waiting.set(id, { put, wake: () => more.resolve() });
    program.write(`${JSON.stringify({ ...words, id })}\n`);
    try {
      for (;;) {
        const reply = replies.shift();
        if (reply !== undefined) {
          if (reply.say === 'refused') throw new Error(`${name}: ${reply.why}`);
          yield reply;
        } else if (isLost) throw new LostMachine(`${name} was lost: ${why}`);
        else {
          await more.promise;
          more = Promise.withResolvers<void>();
        }
      }
    } finally {
      waiting.delete(id);
    }
  }

  async function ask<Say extends Reply['say']>(words: NewOrder, say: Say): Promise<ReplyOf<Say>> {
    for await (const reply of order(words)) if (isSaid(reply, say)) return reply;
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
      try {
        const sha256 = sha256Of(await readFile(file));
        const { size } = await import('node:fs/promises').then(({ stat }) => stat(file));
        let sent = 0;
        for await (const piece of createReadStream(file, { highWaterMark: pieceBytes })) {
          if (!Buffer.isBuffer(piece)) continue;
          sent += piece.length;
          const whole = sent === size ? { commit, sha256 } : null;
          const data = piece.toString('base64');
          await ask({ do: 'bundle', repository, data, whole }, 'taken');
        }
        return null;
      } finally {
        await rm(file, { force: true });
      }
    });
  }

  async function* run(agent: Agent, request: AgentRequest, signal: AbortSignal) {
    const fail = failRun(agent.name);
    const taken: Result<Snapshot, string> = await takeSnapshot({
      folder: request.cwd,
      places: place.folder,
      signal,
    });
    if (!taken.ok) return fail('request-refused', `it cannot run on ${name}: ${taken.failure}`);
    const snapshot = taken.value;
    const unsent = await bring(snapshot);
    if (unsent !== null) return fail('request-refused', `it cannot run on ${name}: ${unsent}`);
    const { repository, commit, prefix, leftOut } = snapshot;
    // The output has one place for each attempt of a step, and a resumed one has the same.
    const attempt = sha256Of(`${request.rawOutput}\0${commit}`);
    const bundle = join(place.folder, `${attempt}.bundle`);
    const words = { do: 'run', attempt, agent: agent.name, repository, commit, prefix } as const;
    const travelling = { folder: request.cwd, request: contentOf(request) };
    const replies = order({ ...words, ...travelling });
    const id = String(orders + 1);
    const cancel = () => program.write(`${JSON.stringify({ do: 'cancel', id })}\n`);
    signal.addEventListener('abort', cancel, { once: true });
    try {
      for await (const reply of replies) {
        if (reply.say === 'accepted') {
          if (signal.aborted) cancel();
          yield {
            type: 'started',
            agentSession: null,
            model: null,
            version: null,
            machine: name,
          } as const;
        } else if (reply.say === 'event') {
          yield reply.event.type === 'started' ? { ...reply.event, machine: name } : reply.event;
        } else if (reply.say === 'result') {
          await appendFile(bundle, Buffer.from(reply.data, 'base64'), { mode: 0o600 });
        } else if (reply.say === 'end') {
          const { end, commit: work, isKept } = reply;
          const fault =
            work === null || !toolsOf(request).has('file_write')
              ? null
              : await layResult(snapshot, { file: bundle, commit: work, attempt });
          if (fault !== null)
            return fail('wrong-answer', `${name} sent work that cannot be used: ${fault}`);
          received.push(attempt);
          return { ...end, facts: factsOf(end.facts, { name, isKept, leftOut }) };
        }
      }
      throw new LostMachine(`${name} was lost`);
    } finally {
      signal.removeEventListener('abort', cancel);
      await rm(bundle, { force: true });
    }
  }

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
      run,
      get isLost() {
        return isLost;
      },
      async close() {
        for (const attempt of received)
          program.write(`${JSON.stringify({ do: 'received', id: '', attempt })}\n`);
        program.endInput();
        setTimeout(() => program.stop(), 5_000).unref();
        await reading;
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

/** The part of a request that travels. */
export function contentOf(request: AgentRequest): TravellingRequest {
  const { prompt, role, schema, model, effort, verbosity, maxTurns, permission, resume } = request;
  const { allowed, denied, limits } = request;
  const { firstOutputMs, idleMs, totalMs, graceMs } = limits;
  const { cwd: _, agentSession = '', ...rest } = resume ?? {};
  const session = agentSession.replace(/^[^/]*\//, '');
  return {
    prompt,
    role,
    schema,
    model,
    effort,
    verbosity,
    maxTurns,
    permission,
    ...(allowed === undefined ? {} : { allowed: [...allowed] }),
    ...(denied === undefined ? {} : { denied: [...denied] }),
    resume: resume === null ? null : { ...rest, agentSession: session },
    limits: {
      firstOutputMs: finite(firstOutputMs),
      idleMs: finite(idleMs),
      totalMs: finite(totalMs),
      graceMs,
    },
  };
}

/** A limit as JSON can say it. */
function finite(ms: number): number | null {
  return Number.isFinite(ms) ? ms : null;
}

/** The facts of a run there; its session is known by the machine, which alone can continue it. */
export function factsOf(
  facts: RunFacts,
  of: { name: string; isKept: boolean; leftOut: readonly string[] },
): RunFacts {
  const { name, isKept, leftOut } = of;
  const session = facts.agentSession;
  return {
    ...facts,
    machine: name,
    agentSession: session === null ? null : `${name}/${session}`,
    notes: [
      ...facts.notes,
      ...(isKept ? [`its answer was complete on ${name} before, and is kept`] : []),
      ...(leftOut.length === 0
        ? []
        : [
            `${counted(leftOut.length, 'uncommitted file')} with secrets stayed here: ${leftOut.join(', ')}`,
          ]),
    ],
  };
}

/** Makes the ends of a run that failed on this side. */
export function failRun(agent: string) {
  const startedAt = new Date().toISOString();
  return (category: AgentFailure['category'], detail: string): AgentEnd => ({
    ok: false,
    failure: { category, agent, detail, retry_after_ms: null },
    facts: { ...noFacts, startedAt },
  });
}

const noFacts: Omit<RunFacts, 'startedAt'> = {
  agentSession: null,
  model: null,
  version: null,
  exitCode: null,
  signal: null,
  durationMs: 0,
  outputBytes: 0,
  tokens: null,
  costUsd: null,
  unknownEvents: 0,
  filesChanged: [],
  notes: [],
};
