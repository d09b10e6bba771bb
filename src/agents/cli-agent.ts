import { guardVariables } from '../git/guard.ts';
import type { AgentFailure } from '../model/agent-failure.ts';
import type { Result } from '../model/failure.ts';
import { cleanText } from '../model/clean-text.ts';
import type { AgentEvent } from '../model/agent-event.ts';
import type { Agent, AgentAdapter, AgentEnd, AgentRequest, RunFacts } from './agent.ts';
import { classifyEnd } from './classify.ts';
import { cliReadiness } from './cli-readiness.ts';
import {
  userSide,
  adjusted,
  isolated,
  type CliSetup,
  programPath,
  variablesOf,
  whyMissing,
} from './cli-setup.ts';
import { agentEnvironment, secretFilter } from './environment.ts';
import type { FramedLine } from './process/line-pump.ts';
import { type PrivateFiles, privateFiles, privateFolder } from './process/private-files.ts';
import {
  notStarted,
  type ProcessEnd,
  type ProcessRequest,
  runProcess,
} from './process/run-process.ts';
import { boundedEvent, runTally, type RunTally, usageShare } from './run-tally.ts';

export type { CliAgentSettings } from './cli-setup.ts';

/** An agent that is a program on this machine, called and read by its adapter. */
export function cliAgent({ adapter: given, settings, environment }: CliSetup): Agent {
  const adapter = { ...given, install: settings.install ?? given.install };
  const setup = { adapter, settings, environment };
  const readiness = cliReadiness(setup);
  return {
    name: adapter.name,
    kind: 'model',
    ready: readiness.ready,
    vendorOf: (model) => settings.vendor ?? adapter.vendorOf(model),
    run: (asked, signal) => {
      const own = adapter.ownChoice?.(userSide(setup)) ?? null;
      const request = isolated(adjusted(asked, settings, own), setup);
      return run({ setup, request, version: readiness.version }, signal);
    },
  };
}

interface Order {
  readonly setup: CliSetup;
  readonly request: AgentRequest;
  readonly version: () => string | null;
}

async function* run(
  order: Order,
  signal: AbortSignal,
): AsyncGenerator<AgentEvent, AgentEnd, undefined> {
  const { setup, request } = order;
  const startedAt = new Date().toISOString();
  const tally = runTally();
  const path = programFor(setup, request);
  if (!path.ok) {
    return { ...path, facts: factsOf({ order, startedAt, tally, process: notStarted }) };
  }
  // Short git commands, which need no signal.
  const guard = await guardVariables({ root: request.cwd, signal: new AbortController().signal });
  const files = filesFor(setup, request);
  const given = files === null ? request : { ...request, filesFolder: files.folder };
  const share = usageShare(setup.adapter, request);
  const safe = secretFilter({ ...setup.environment, ...setup.settings.env });
  const lost = new AbortController();
  const heard = Promise.withResolvers<void>();
  const program = runProcess(
    {
      ...processRequest(setup, { path: path.value, guard }, given),
      ...(setup.adapter.waitsForInput === true ? { inputEnd: heard.promise } : {}),
    },
    AbortSignal.any([signal, lost.signal]),
  );
  try {
    for (;;) {
      const step = await program.next();
      if (step.done === true) {
        for (const event of setup.adapter.usageIn?.(given, userSide(setup)).map(share) ?? []) {
          tally.add(event);
          yield event;
        }
        if (step.value.cancelled && signal.aborted && !tally.completed) {
          yield { kind: 'cancelled', what: tally.calling };
        }
        return endOf({ order, startedAt, tally, process: step.value });
      }
      for (const line of step.value) {
        for (const told of eventsOf(line, { adapter: setup.adapter, tally })) {
          const event = boundedEvent(share(told), safe);
          if (tally.add(event)) yield event;
        }
      }
      // A line that was too long to be read may have been the end.
      if (
        tally.completed ||
        tally.error !== null ||
        step.value.some((line) => typeof line !== 'string')
      )
        heard.resolve();
      // A new session knows nothing of ours: every further word would be paid for in vain.
      if (otherSession(request, tally) !== null) lost.abort();
    }
  } finally {
    // Ends the program if the caller left the loop; otherwise it has ended already.
    await program.return(notStarted);
    files?.remove();
  }
}

function filesFor(setup: CliSetup, request: AgentRequest): PrivateFiles | null {
  const files = setup.adapter.files?.(request, userSide(setup, request.model)) ?? {};
  return Object.keys(files).length === 0
    ? null
    : privateFiles(privateFolder(request.rawOutput), files);
}

function processRequest(
  setup: CliSetup,
  { path, guard }: { readonly path: string; readonly guard: Readonly<Record<string, string>> },
  request: AgentRequest,
): ProcessRequest {
  const { settings, environment: base } = setup;
  const adapter = { ...setup.adapter, variables: variablesOf(setup, request.model) };
  return {
    command: path,
    args: [...(settings.args ?? []), ...adapter.argv(request)],
    cwd: request.cwd,
    env: { ...guard, ...agentEnvironment({ base, adapter, settings, request }) },
    mark: request.mark,
    input: adapter.input?.(request) ?? request.prompt,
    rawOutput: request.rawOutput,
    limits: request.limits,
  };
}

// No CLI gives a blank line a meaning.
function eventsOf(
  line: FramedLine,
  { adapter, tally }: { adapter: AgentAdapter; tally: RunTally },
): readonly AgentEvent[] {
  if (typeof line !== 'string') return [tally.leftOut(line.overlong)];
  return line.trim() === '' ? [] : [adapter.read(line)].flat();
}

function ownFailure(
  { name: agent }: AgentAdapter,
  category: AgentFailure['category'],
  detail: string,
): AgentFailure {
  return { category, agent, detail: cleanText(detail), retry_after_ms: null };
}

/** The path of the program, or why it is not started. */
function programFor(setup: CliSetup, request: AgentRequest): Result<string> {
  const { adapter } = setup;
  const path = programPath(setup);
  if (path === null) {
    const detail = `${whyMissing(setup)}; to install it: ${adapter.install}`;
    return { ok: false, failure: ownFailure(adapter, 'not-installed', detail) };
  }
  const refusal = adapter.refusal?.(request, userSide(setup, request.model)) ?? null;
  if (refusal !== null) {
    return { ok: false, failure: ownFailure(adapter, 'permission-refused', refusal) };
  }
  const bytes = Buffer.byteLength(request.prompt);
  if (bytes <= adapter.maxPromptBytes) return { ok: true, value: path };
  const detail = `the prompt has ${bytes} bytes, of which it would take only ${adapter.maxPromptBytes}`;
  return { ok: false, failure: ownFailure(adapter, 'request-refused', detail) };
}

interface Ended {
  readonly order: Order;
  readonly startedAt: string;
  readonly tally: RunTally;
  readonly process: ProcessEnd;
}

// An answer needs an event that says it is complete, and a text. The exit code decides nothing: some
// CLIs end with 0 after an error, some with 1 after a good answer. An answer that was complete before
// a limit or a cancellation is paid for and kept.
function endOf(ended: Ended): AgentEnd {
  const { tally, process } = ended;
  const { setup, request } = ended.order;
  const other = otherSession(request, tally);
  if (other !== null) {
    const detail = `it does not know the session to go on with; it began another, ${other}`;
    const failure = ownFailure(setup.adapter, 'session-lost', detail);
    return { ok: false, failure, facts: factsOf(ended) };
  }
  const text = tally.text();
  const hasText = text.trim() !== '';
  if (tally.completed && hasText) {
    return { ok: true, text, facts: factsOf(ended, afterAnswer(process)) };
  }
  const failure = classifyEnd({
    adapter: setup.adapter,
    limits: request.limits,
    process,
    error: tally.error,
    retrying: tally.retrying,
    plainOutput: tally.plainOutput(),
    hasText,
    completed: tally.completed,
  });
  const own = { ...setup.environment, ...setup.settings.env };
  const detail = secretFilter(own)(failure.detail);
  return { ok: false, failure: { ...failure, detail }, facts: factsOf(ended) };
}

/** The id of the session that the CLI began instead of the requested one. */
function otherSession({ resume }: AgentRequest, tally: RunTally): string | null {
  const { agentSession } = tally;
  return resume !== null && agentSession !== resume.agentSession ? agentSession : null;
}

function afterAnswer({ cancelled, timedOut, exitCode, signal }: ProcessEnd): string[] {
  if (cancelled) return ['it was cancelled after its answer'];
  if (timedOut !== null)
    return [`it did not end after its answer and was stopped (${timedOut} limit)`];
  if (signal !== null) return [`it ended with signal ${signal} after its answer`];
  return exitCode === 0
    ? []
    : [`it ended with exit code ${exitCode ?? 'unknown'} after its answer`];
}

// Not every CLI reports its version and model while it runs.
function factsOf(
  { order, startedAt, tally, process }: Ended,
  notes: readonly string[] = [],
): RunFacts {
  const told = tally.facts();
  return {
    ...told,
    version: told.version ?? order.version(),
    model: told.model ?? modelIn(order, told.agentSession) ?? order.request.model,
    exitCode: process.exitCode,
    signal: process.signal,
    startedAt,
    durationMs: process.durationMs,
    outputBytes: process.outputBytes,
    notes: [...told.notes, ...process.notes, ...notes],
  };
}

function modelIn({ setup }: Order, agentSession: string | null): string | null {
  return agentSession === null
    ? null
    : (setup.adapter.modelIn?.(agentSession, userSide(setup)) ?? null);
}
