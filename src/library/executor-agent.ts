// Lets an executor from outside take part in sessions, as an agent.
import { type Agent, type AgentEnd, type AgentRequest, bareTraits } from '../agents/agent.ts';
import { openRun } from '../agents/api/api-run.ts';
import { promptWithRole } from '../agents/cli/adapter-parts.ts';
import { toolKinds, toolsOf } from '../agents/permission.ts';
import { AgentEvent, FailureCategory } from '../model/agent-event.ts';
import { errorOf } from '../model/make-events.ts';
import { wordsOfError } from '../model/wording.ts';
import { firstMisfit } from '../store/schema-findings.ts';
import type { Executor, ExecutorEvent, ExecutorOptions } from './executor.ts';

/** Makes an agent of an executor. Whatever the executor throws is its failure, not a bug of ours. */
export function executorAgent(executor: Executor, environment: NodeJS.ProcessEnv): Agent {
  const { id, name, type, vendor } = executor;
  return {
    name: id,
    kind: 'model',
    traits: {
      ...bareTraits(name),
      transport: type,
      edits: true,
      unenforced: () => ['its own program alone decides what it may do'],
    },
    async ready() {
      const isThere = await executor.isAvailable().catch(() => false);
      if (isThere) return { state: 'ready', path: null, version: null };
      const why = `${name} is not available`;
      return { state: 'not-installed', why, remedy: 'Its own program says so.' };
    },
    vendorOf: () => vendor ?? null,
    run: (request, signal) => run({ executor, environment }, request, signal),
  };
}

async function* run(
  {
    executor,
    environment,
  }: { readonly executor: Executor; readonly environment: NodeJS.ProcessEnv },
  request: AgentRequest,
  signal: AbortSignal,
): AsyncGenerator<AgentEvent, AgentEnd, undefined> {
  const { id } = executor;
  const open = openRun({ name: id, request, login: `see ${id}`, environment, signal });
  try {
    yield* open.follow(eventsOf(executor, optionsFor(request)), { prices: null, estimate: null });
  } catch (error) {
    const detail = `it threw: ${wordsOfError(error)}`;
    if (!open.signal.aborted) return open.fail({ category: 'crashed', detail });
  } finally {
    const isCut = open.signal.aborted;
    open.close();
    // An executor that never returns must not block the session.
    if (isCut) await within(executor.cancel(request.mark), request.limits.graceMs);
    await within(executor.dispose(request.mark), request.limits.graceMs);
  }
  if (signal.aborted) yield* open.note({ type: 'cancelled', what: open.calling() });
  return open.end({ askedModel: null });
}

async function* eventsOf(
  executor: Executor,
  options: ExecutorOptions,
): AsyncGenerator<AgentEvent, void, undefined> {
  for await (const event of executor.execute(options)) yield eventOf(event);
}

/** Completes an event from outside; one that is none of ours is the executor’s failure. */
function eventOf(event: ExecutorEvent): AgentEvent {
  if (event.type === 'error') {
    const usual = event.recoverable ? 'crashed' : 'request-refused';
    const category = FailureCategory.safeParse(event.category).data ?? usual;
    return errorOf(category, event.message, event.retryAfter);
  }
  const isCall = event.type === 'tool_call' && event.output !== undefined;
  const told = isCall ? { ...event, output: textOf(event.output) } : event;
  const misfit = firstMisfit(told, AgentEvent);
  return misfit === ''
    ? AgentEvent.parse(told)
    : errorOf('crashed', `one of its events cannot be read: ${misfit}`);
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

function optionsFor(request: AgentRequest): ExecutorOptions {
  const { permission, cwd, extraDirs, maxTurns, limits } = request;
  const tools = toolsOf(request);
  // A mode may allow more than was asked for.
  const denied = toolKinds.filter((tool) => !tools.has(tool));
  return {
    sessionId: request.mark,
    prompt: promptWithRole(request),
    workingDirectory: cwd,
    additionalDirectories: extraDirs,
    permissions: { sandboxMode: modes[permission], allowed: [...tools], denied },
    ...(typeof maxTurns === 'number' ? { maxTurns } : {}),
    ...(limits.totalMs === Infinity ? {} : { timeout: limits.totalMs }),
  };
}

const modes = {
  'read-only': 'read-only',
  edit: 'full-auto',
  'edit-and-shell': 'full-auto',
  full: 'danger-full-access',
} as const;

async function within(work: Promise<void>, ms: number): Promise<void> {
  const timer = Promise.withResolvers<void>();
  const clock = setTimeout(timer.resolve, ms);
  await Promise.race([work.catch(() => undefined), timer.promise]);
  clearTimeout(clock);
}
