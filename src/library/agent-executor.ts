// Makes an executor of one of our agents: conversations by your own ids, without a store.
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { z } from 'zod';
import type { Agent, RunLimits } from '../agents/agent.ts';
import { leaveRun } from '../agents/process/start-program.ts';
import { treeWatch } from '../agents/tree-watch.ts';
import { projectRoot } from '../app/folders.ts';
import { takeTurn, type TurnEnd } from '../conversation/take-turn.ts';
import type { Conversation } from '../conversation/turn-request.ts';
import { openRepository } from '../git/open-repository.ts';
import type { AgentEvent } from '../model/agent-event.ts';
import { errorOf } from '../model/make-events.ts';
import { wrongUsage } from '../model/failure.ts';
import { neverAborted } from '../model/signal.ts';
import { filesIn } from '../store/folder-files.ts';
import type { AgentMemory, HistoryTurn } from '../store/history.ts';
import type { Executor, ExecutorEvent, ExecutorOptions, ToolPermissions } from './executor.ts';
import { type Permission, type RunWishes, wishFault } from '../agents/permission.ts';
import { firstMisfit } from '../store/schema-findings.ts';

/** The settings for every run, and the facts about an agent that are known without a call. */
interface ExecutorPlace {
  readonly limits: RunLimits;
  /** The most tokens of earlier turns that an agent without its own session is told. */
  readonly handOffTokens: number;
  readonly model: string | null;
  /** False if it is certain that nobody is logged in. */
  readonly mayBeLoggedIn: () => boolean;
}

/** A conversation with an agent. */
interface Thread {
  /** The agent’s own session, with the last turn that it knows. */
  memory: AgentMemory | null;
  readonly turns: HistoryTurn[];
  /** The messages that wait for a turn. */
  readonly queue: string[];
  /** The turns under way, or null. */
  running: { readonly stop: AbortController; readonly over: Promise<void> } | null;
}

interface ExecutorCall {
  readonly agent: Agent;
  readonly place: ExecutorPlace;
  readonly order: ExecutorOrder;
  readonly thread: Thread;
}

/** Makes the executor of one of our agents. */
export function agentExecutor(agent: Agent, place: ExecutorPlace): Executor {
  const threads = new Map<string, Thread>();
  const cancel = async (sessionId: string) => {
    const thread = threads.get(sessionId);
    if (thread === undefined || thread.running === null) return;
    thread.queue.length = 0;
    thread.running.stop.abort();
    await thread.running.over;
  };
  return {
    id: agent.name,
    name: agent.traits.label,
    type: agent.traits.transport,
    vendor: agent.vendorOf(place.model) ?? undefined,
    ...(place.model === null ? {} : { models: [place.model] }),
    async isAvailable() {
      const readiness = await agent.ready(neverAborted);
      return readiness.state === 'ready' && place.mayBeLoggedIn();
    },
    execute(options) {
      const order = readOrder(options);
      const { sessionId } = order;
      const thread = threads.get(sessionId) ?? {
        memory: null,
        turns: [],
        queue: [],
        running: null,
      };
      threads.set(sessionId, thread);
      return takeTurns({ agent, place, order, thread });
    },
    async sendMessage(sessionId, message) {
      const thread = threads.get(sessionId);
      if (thread === undefined || thread.running === null) {
        throw wrongUsage(
          `sendMessage: no turn of the session "${sessionId}" is running with ${agent.name}; call execute, which goes on with it.`,
        );
      }
      if (message.trim() === '') throw wrongUsage('sendMessage: the message must not be empty.');
      thread.queue.push(message);
    },
    cancel,
    async dispose(sessionId) {
      await cancel(sessionId);
      threads.delete(sessionId);
    },
  };
}

/** Takes the requested turn, and then one for each message that waits. */
async function* takeTurns(call: ExecutorCall): AsyncGenerator<ExecutorEvent, void, undefined> {
  const { agent, order, thread } = call;
  const { sessionId, wishes } = order;
  if (thread.running !== null) {
    throw wrongUsage(
      `execute: a turn of the session "${sessionId}" runs at ${agent.name}; call sendMessage, or cancel it.`,
    );
  }
  const stop = new AbortController();
  const over = Promise.withResolvers<void>();
  thread.running = { stop, over: over.promise };
  try {
    thread.memory = memoryToResume(call);
    for (const message of agent.traits.unenforced(wishes)) {
      yield { type: 'warning', message: `not enforced: ${message}` };
    }
    let prompt: string | undefined = order.prompt;
    while (prompt !== undefined && !stop.signal.aborted) {
      yield* tellTurn(call, prompt, stop);
      prompt = thread.queue.shift();
    }
  } finally {
    stop.abort();
    thread.running = null;
    thread.queue.length = 0;
    over.resolve();
  }
}

function memoryToResume({ agent, order, thread }: ExecutorCall): AgentMemory | null {
  const { resumeSessionId, workingDirectory: cwd } = order;
  if (resumeSessionId === undefined) return thread.memory;
  if (agent.traits.resumes === 'never') {
    throw wrongUsage(
      `execute: ${agent.name} cannot go on with a session of its own; leave out resumeSessionId.`,
    );
  }
  return {
    agent: agent.name,
    agent_session: resumeSessionId,
    cwd,
    model: null,
    cli_version: null,
    last_turn: thread.turns.length,
    input_tokens: 0,
    output_tokens: 0,
    cached_tokens: 0,
    answered_by: null,
  };
}

/** Takes a turn. If nobody follows it any more, `stop` is aborted, and it ends. */
async function* tellTurn(
  call: ExecutorCall,
  prompt: string,
  stop: AbortController,
): AsyncGenerator<ExecutorEvent, void, undefined> {
  const { sessionId } = call.order;
  const { signal } = stop;
  const run = { mark: `${randomUUID()}.`, path: await mkdtemp(join(tmpdir(), 'conclave-run-')) };
  const log = openLog<AgentEvent>();
  const onEvent = (event: AgentEvent) => log.add(event);
  const end = askAgent(call, { ...run, prompt, signal, onEvent }).finally(() => log.close());
  const settled = end.then(
    () => undefined,
    () => undefined,
  );
  let isOver = false;
  try {
    let isStarted = false;
    for await (const event of log.read()) {
      if (!isStarted) yield startOf(sessionId, event);
      isStarted = true;
      if (isTold(event)) yield event;
    }
    if (!isStarted) yield startOf(sessionId, null);
    const last = endEvent(await end);
    isOver = true;
    yield last;
  } catch (error) {
    if (!signal.aborted) throw error;
    yield { type: 'cancelled' };
  } finally {
    // A caller that breaks off the iteration waits until nothing is running.
    if (!isOver) stop.abort();
    await settled;
    leaveRun(run.mark);
    await rm(run.path, { recursive: true, force: true });
  }
}

/** The conversation of a thread, in memory: what fails is told again, and its session goes on. */
function conversationOf(thread: Thread): Conversation {
  const { turns } = thread;
  return {
    turns: () => [...turns],
    memory: async () => thread.memory,
    begin({ at: started_at, tool, agent, question }) {
      const number = turns.length + 1;
      const run = { state: 'failed', answer: '', facts: '{}' } as const;
      turns.push({ number, tool, agent, question, ...run, started_at });
      return number;
    },
    end({ number, state, answer, memory }) {
      if (state !== 'answered') return;
      Object.assign(turns[number - 1] ?? {}, { state, answer });
      thread.memory = memory ?? thread.memory;
    },
  };
}

/** Takes a turn in the conversation. */
async function askAgent(
  { agent, place, order, thread }: ExecutorCall,
  run: {
    readonly mark: string;
    readonly path: string;
    readonly prompt: string;
    readonly signal: AbortSignal;
    readonly onEvent: (event: AgentEvent) => void;
  },
): Promise<TurnEnd> {
  const { workingDirectory: cwd, wishes, timeout, sessionId } = order;
  const { extraDirs = [], maxTurns = null, ...tools } = wishes;
  return await takeTurn({
    ...run,
    conversation: conversationOf(thread),
    tool: 'work',
    agent,
    question: run.prompt,
    files: [],
    role: null,
    wishes: { ...tools, maxTurns, model: null },
    form: null,
    cwd,
    extraDirs,
    folder: filesIn({ root: run.path, existing: [] }, sessionId),
    limits: { ...place.limits, ...(timeout === undefined ? {} : { totalMs: timeout }) },
    markPrefix: run.mark,
    watch: await watchOf(order, run.signal),
    unenforced: [],
    background: '',
    handOffTokens: place.handOffTokens,
    summarizer: null,
    summarizes: 'never',
  });
}

/** Watches the work tree if the agent may only read. */
async function watchOf({ workingDirectory, wishes }: ExecutorOrder, signal: AbortSignal) {
  if (wishes.permission !== 'read-only') return undefined;
  const root = await projectRoot(workingDirectory);
  return treeWatch(await openRepository({ root, base: null, snapshots: null, signal }));
}

/** Makes the event that a turn has started, with everything that its first event reports. */
function startOf(sessionId: string, event: AgentEvent | null): ExecutorEvent {
  const { agentSession = null, model = null } = event?.type === 'started' ? event : {};
  return { type: 'started', sessionId, timestamp: Date.now(), agentSession, model };
}

/** False for what the turn itself reports, which may be two runs, and for lines that nobody can read. */
function isTold(event: AgentEvent): event is Exclude<AgentEvent, { type: Untold }> {
  return !untold.has(event.type);
}

type Untold = 'started' | 'completed' | 'error' | 'cancelled' | 'unknown';
const untold: ReadonlySet<string> = new Set<Untold>([
  'started',
  'completed',
  'error',
  'cancelled',
  'unknown',
]);

function endEvent({ attempt }: TurnEnd): ExecutorEvent {
  if (attempt.ended === 'answered') {
    const { agent_session: agentSession, model } = attempt.receipt;
    return { type: 'completed', summary: attempt.value, agentSession, model };
  }
  const { category, detail, retry_after_ms: wait } = attempt.failure;
  return errorOf(category, detail, wait);
}

const folder = z.string().refine((path) => isAbsolute(path), { error: 'must be an absolute path' });
const tools = z.array(z.enum(['file_read', 'file_write', 'shell', 'git', 'web']));
const positive = z.int().min(1);

const Options = z.strictObject({
  sessionId: z.string().min(1),
  prompt: z.string().refine((text) => text.trim() !== '', { error: 'must not be empty' }),
  workingDirectory: folder,
  additionalDirectories: z.array(folder).optional(),
  permissions: z
    .strictObject({
      allowAll: z.boolean().optional(),
      allowed: tools.optional(),
      denied: tools.optional(),
      sandboxMode: z.enum(['read-only', 'full-auto', 'danger-full-access']).optional(),
    })
    .optional(),
  maxTurns: positive.optional(),
  timeout: positive.optional(),
  resumeSessionId: z.string().min(1).optional(),
});

/** A call with its limits in the terms of our agents. */
interface ExecutorOrder extends ExecutorOptions {
  readonly wishes: RunWishes;
}

/** Reads the options. Throws `usage`, naming the option, if one is unknown, missing or of another kind. */
function readOrder(options: ExecutorOptions): ExecutorOrder {
  const misfit = firstMisfit(options, Options);
  if (misfit !== '') throw wrongUsage(`execute: ${misfit}.`);
  const { permissions = {}, maxTurns = null, additionalDirectories: extraDirs = [] } = options;
  const { allowed = [], denied = [] } = permissions;
  const permission = permissionOf(permissions);
  const fault = wishFault({ permission, allowed, denied });
  if (fault !== null) throw wrongUsage(`execute: permissions.allowed: ${fault}.`);
  return { ...options, wishes: { permission, allowed, denied, maxTurns, extraDirs } };
}

function permissionOf({ allowAll = false, sandboxMode }: ToolPermissions): Permission {
  if (allowAll && sandboxMode === 'read-only') {
    throw wrongUsage(
      'execute: permissions.allowAll cannot be combined with sandboxMode "read-only"; leave one of them out.',
    );
  }
  return modes[sandboxMode ?? (allowAll ? 'danger-full-access' : 'read-only')];
}

const modes = {
  'read-only': 'read-only',
  'full-auto': 'edit-and-shell',
  'danger-full-access': 'full',
} as const;

/** A list that grows until it is closed. */
interface EventLog<T> {
  add(one: T): void;
  close(): void;
  /** Returns everything from the first entry on, including entries still to come. */
  read(): AsyncGenerator<T, void, undefined>;
}

export function openLog<T>(): EventLog<T> {
  const all: T[] = [];
  let isClosed = false;
  let news = Promise.withResolvers<void>();
  const tell = () => {
    news.resolve();
    news = Promise.withResolvers();
  };
  return {
    add(one) {
      all.push(one);
      tell();
    },
    close() {
      isClosed = true;
      tell();
    },
    async *read() {
      for (let at = 0; ;) {
        const { promise } = news;
        const next = all.slice(at);
        at += next.length;
        yield* next;
        if (at < all.length) continue;
        if (isClosed) return;
        await promise;
      }
    },
  };
}
