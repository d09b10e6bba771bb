// Takes one turn of an executor: the run of its agent, the events, the end.
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Agent, AgentEnd, AgentRequest, RunLimits } from '../agents/agent.ts';
import { type AgentSession, resumeIn } from '../agents/agent-session.ts';
import { leaveRun } from '../agents/process/watch-run.ts';
import { treeWatch, withRelativePaths } from '../agents/tree-watch.ts';
import { projectRoot } from '../app/folders.ts';
import { handOffText } from '../conversation/hand-on.ts';
import { openRepository } from '../git/open-repository.ts';
import type { FailureCategory } from '../model/agent-failure.ts';
import { withoutInvisible } from '../model/invisible.ts';
import { turnPrompt } from '../prompts/turn-prompt.ts';
import type { HistoryTurn } from '../store/history.ts';
import type { ExecutorEvent } from './executor.ts';
import { executorEvents } from './executor-events.ts';
import type { ExecutorOrder } from './executor-order.ts';

/** The settings that count for every run. */
export interface RunPlace {
  readonly limits: RunLimits;
  /** The most that an agent without a session of its own is told of earlier turns. */
  readonly handOffTokens: number;
}

/** One conversation with an agent. */
export interface Thread {
  session: AgentSession | null;
  readonly turns: HistoryTurn[];
  /** The messages that wait for their turn. */
  readonly queue: string[];
  /** The turns that run; null where none does. */
  running: { readonly stop: AbortController; readonly over: Promise<void> } | null;
}

export interface ExecutorCall {
  readonly agent: Agent;
  readonly place: RunPlace;
  readonly order: ExecutorOrder;
  readonly thread: Thread;
}

/** Takes a turn. Where nobody follows it any more, `stop` is aborted, and it ends. */
export async function* takeTurn(
  call: ExecutorCall,
  prompt: string,
  stop: AbortController,
): AsyncGenerator<ExecutorEvent, void, undefined> {
  const { agent, order, thread } = call;
  const { signal } = stop;
  const run = `${randomUUID()}.`;
  const folder = await mkdtemp(join(tmpdir(), 'conclave-executor-'));
  const { workingDirectory: cwd, sessionId } = order;
  try {
    const readiness = await agent.ready(signal);
    if (readiness.state !== 'ready') {
      const { why, remedy, retryAfterMs: retryAfter = null } = readiness;
      yield startOf(sessionId);
      yield {
        type: 'error',
        message: `${agent.traits.label} is not ready: ${why}. ${remedy}`,
        recoverable: retryAfter !== null,
        retryAfter,
        category: readiness.state === 'disabled' ? 'not-asked' : readiness.state,
      };
      return;
    }
    const endWatch = await watchTree(order, signal);
    const request = requestFor(call, { prompt, mark: `${run}1`, rawOutput: join(folder, 'raw') });
    const end = yield* follow(agent.run(request, signal), { sessionId, cwd, stop });
    const written = await endWatch(end.facts.filesChanged);
    keep(thread, { agent, cwd, prompt, end });
    yield endEvent({ end, written, signal });
  } catch (error) {
    if (!signal.aborted) throw error;
    yield { type: 'cancelled' };
  } finally {
    leaveRun(run);
    await rm(folder, { recursive: true, force: true });
  }
}

/** Passes the events on; `started` comes once, with all that is known by then. */
async function* follow(
  events: ReturnType<Agent['run']>,
  {
    sessionId,
    cwd,
    stop,
  }: { readonly sessionId: string; readonly cwd: string; readonly stop: AbortController },
): AsyncGenerator<ExecutorEvent, AgentEnd, undefined> {
  const read = executorEvents();
  let isStarted = false;
  let isOver = false;
  try {
    for (;;) {
      const next = await events.next();
      isOver = next.done === true;
      if (!isStarted) {
        isStarted = true;
        const told = next.done !== true && next.value.kind === 'started' ? next.value : null;
        yield {
          ...startOf(sessionId),
          agentSession: told?.agent_session ?? null,
          model: told?.model ?? null,
        };
      }
      if (next.done === true) return next.value;
      yield* read(withRelativePaths(next.value, cwd));
    }
  } finally {
    // A caller that broke the iteration off waits until nothing runs any more.
    if (!isOver) stop.abort();
    while (!isOver) isOver = (await events.next()).done === true;
  }
}

function startOf(sessionId: string): Extract<ExecutorEvent, { type: 'started' }> {
  return { type: 'started', sessionId, timestamp: Date.now() };
}

/** Of one that may only read: the files that it says it changed, and that have changed. */
async function watchTree(
  { workingDirectory, wishes }: ExecutorOrder,
  signal: AbortSignal,
): Promise<(claimed: readonly string[]) => Promise<readonly string[]>> {
  if (wishes.permission !== 'read-only') return async () => [];
  const root = await projectRoot(workingDirectory);
  const repository = await openRepository({ root, base: null, snapshots: null, signal });
  const endWatch = await treeWatch(repository).begin(signal);
  return async (claimed) => (await endWatch(claimed)).written;
}

function requestFor(
  { agent, place, order, thread }: ExecutorCall,
  run: Pick<AgentRequest, 'prompt' | 'mark' | 'rawOutput'>,
): AgentRequest {
  const { workingDirectory: cwd, wishes, timeout } = order;
  const { extraDirs = [], maxTurns = null, ...tools } = wishes;
  const resume = resumeIn({ cwd, agent, session: thread.session });
  const after = resume === null ? 0 : Infinity;
  const history = handOffText(thread.turns, { after, tokens: place.handOffTokens });
  const question = withoutInvisible(run.prompt).text;
  const nonce = randomBytes(8).toString('hex');
  return {
    ...tools,
    ...run,
    prompt: turnPrompt({ question, history, files: [], nonce }),
    about: null,
    role: null,
    schema: null,
    model: null,
    maxTurns,
    resume,
    cwd,
    extraDirs,
    hidden: [],
    limits: { ...place.limits, ...(timeout === undefined ? {} : { totalMs: timeout }) },
  };
}

/** Keeps the agent’s own session, and the turn for an agent that has none. */
function keep(
  thread: Thread,
  {
    agent,
    cwd,
    prompt,
    end,
  }: {
    readonly agent: Agent;
    readonly cwd: string;
    readonly prompt: string;
    readonly end: AgentEnd;
  },
): void {
  const { agentSession: id, tokens, model, startedAt } = end.facts;
  const before = thread.session?.id === id ? thread.session.tokens : null;
  const sum = tokens === null || before === null ? tokens : added(tokens, before);
  if (id !== null && end.ok) thread.session = { agent: agent.name, id, cwd, tokens: sum, model };
  thread.turns.push({
    number: thread.turns.length + 1,
    tool: 'work',
    agent: agent.name,
    state: end.ok ? 'answered' : 'failed',
    question: prompt,
    answer: end.ok ? end.text : '',
    facts: '{}',
    started_at: startedAt,
  });
}

type Tokens = NonNullable<AgentSession['tokens']>;

function added(one: Tokens, other: Tokens): Tokens {
  return {
    input: one.input + other.input,
    output: one.output + other.output,
    cached: one.cached + other.cached,
  };
}

function endEvent({
  end,
  written,
  signal,
}: {
  readonly end: AgentEnd;
  readonly written: readonly string[];
  readonly signal: AbortSignal;
}): ExecutorEvent {
  if (written.length > 0) {
    return {
      type: 'error',
      message: `it changed ${written.join(', ')} although it may only read`,
      recoverable: false,
      category: 'wrote-while-planning',
    };
  }
  const { agentSession, model } = end.facts;
  if (end.ok) return { type: 'completed', summary: end.text, agentSession, model };
  if (signal.aborted) return { type: 'cancelled' };
  const { category, detail: message, retry_after_ms: retryAfter } = end.failure;
  return { type: 'error', message, recoverable: passing.has(category), category, retryAfter };
}

/** Failures after which the same request may succeed. */
const passing: ReadonlySet<FailureCategory> = new Set([
  'rate-limited',
  'silent',
  'timed-out',
  'crashed',
  'network',
  'empty-answer',
  'answer-cut',
  'session-lost',
]);
