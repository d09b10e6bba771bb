// Makes an executor of one of our agents: conversations by your own ids, one turn at a time.
import type { Agent } from '../agents/agent.ts';
import type { AgentSession } from '../agents/agent-session.ts';
import { wrongUsage } from '../model/failure.ts';
import { neverAborted } from '../model/signal.ts';
import type { Executor, ExecutorEvent } from './executor.ts';
import { readOrder } from './executor-order.ts';
import { type ExecutorCall, type RunPlace, takeTurn, type Thread } from './executor-turn.ts';

/** The facts about an agent that are known without a call. */
interface ExecutorPlace extends RunPlace {
  readonly model: string | null;
  /** False where it is certain that nobody is logged in. */
  readonly mayBeLoggedIn: () => boolean;
}

/** The executor that one of our agents is. */
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
      const thread = threads.get(order.sessionId) ?? newThread();
      threads.set(order.sessionId, thread);
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

function newThread(): Thread {
  return { session: null, turns: [], queue: [], running: null };
}

/** The turn that was asked for, and then the messages that wait. */
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
    thread.session = sessionToResume(call);
    for (const message of agent.traits.unenforced(wishes)) {
      yield { type: 'warning', message: `not enforced: ${message}` };
    }
    let prompt: string | undefined = order.prompt;
    while (prompt !== undefined && !stop.signal.aborted) {
      yield* takeTurn(call, prompt, stop);
      prompt = thread.queue.shift();
    }
  } finally {
    stop.abort();
    thread.running = null;
    thread.queue.length = 0;
    over.resolve();
  }
}

function sessionToResume({ agent, order, thread }: ExecutorCall): AgentSession | null {
  const { resumeSessionId: id, workingDirectory: cwd } = order;
  if (id === undefined) return thread.session;
  if (agent.traits.resumes === 'never') {
    throw wrongUsage(
      `execute: ${agent.name} cannot go on with a session of its own; leave out resumeSessionId.`,
    );
  }
  return { agent: agent.name, id, cwd, tokens: null, model: null };
}
