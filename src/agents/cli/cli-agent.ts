// Runs an agent that is a program, as its adapter says.
import { guardVariables } from '../../git/guard.ts';
import type { AgentFailure } from '../../model/agent-failure.ts';
import type { Result } from '../../model/failure.ts';
import { cleanText } from '../../model/clean-text.ts';
import type { AgentEvent } from '../../model/agent-event.ts';
import type { Agent, AgentAdapter, AgentEnd, AgentRequest, AgentTraits } from '../agent.ts';
import { classifyEnd } from '../classify.ts';
import { isOtherModel } from '../model-names.ts';
import { cliReadiness } from './cli-readiness.ts';
import {
  userSide,
  applySettings,
  canConfine,
  isolateRequest,
  type CliSetup,
  programPath,
  variablesOf,
  whyMissing,
} from './cli-setup.ts';
import { mountPoints } from './mount-points.ts';
import { agentEnvironment, secretFilter } from '../process/environment.ts';
import type { FramedLine } from '../process/line-pump.ts';
import { type PrivateFiles, privateFiles, privateFolder } from '../process/private-files.ts';
import { rereadRecord } from '../process/record.ts';
import { type ProcessRequest, runProcess } from '../process/run-process.ts';
import { notStarted, type ProcessEnd } from '../process/start-program.ts';
import { boundEvent, type RunSum, runTally, usageShare } from './run-tally.ts';

/** An agent that is a program on this machine, called and read by its adapter. */
export function cliAgent({ adapter: given, settings, environment }: CliSetup): Agent {
  const adapter = { ...given, install: settings.install ?? given.install };
  const setup = { adapter, settings, environment };
  const readiness = cliReadiness(setup);
  const orderOf = (asked: AgentRequest): Order => {
    const own = adapter.ownChoice?.(userSide(setup)) ?? null;
    const request = isolateRequest(applySettings(asked, settings, own), setup);
    return { setup, request, version: readiness.version };
  };
  return {
    name: adapter.name,
    traits: traitsOf(setup),
    kind: 'model',
    ready: readiness.ready,
    vendorOf: (model) => settings.vendor ?? adapter.vendorOf(model),
    run: (asked, signal) => run(orderOf(asked), signal),
    recall: (asked, since) => recall(orderOf(asked), since),
  };
}

function traitsOf(setup: CliSetup): AgentTraits {
  const { adapter, settings } = setup;
  const { displayName: label, resumes, maxPromptBytes, loads = [] } = adapter;
  return {
    label,
    transport: 'cli',
    resumes,
    maxPromptBytes,
    loads,
    unheld: () =>
      adapter.unenforced?.({ permission: 'edit-and-shell', confined: canConfine(setup) }) ?? [],
    edits: true,
    schemaWay: (schema) => adapter.schemaWay?.(schema) ?? null,
    startCommand(text) {
      const words = adapter.begin?.(text);
      if (words === undefined || programPath(setup) === null) return null;
      return [settings.path ?? adapter.command, ...words];
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
  const { adapter } = setup;
  const startedAt = new Date().toISOString();
  const tally = runTally();
  const ended = (process: ProcessEnd) => ({ order, startedAt, sum: tally.sum(), process });
  const path = programFor(setup, request);
  if (!path.ok) return failed(ended(notStarted), path.failure);
  // Short git commands, which need no signal.
  const guard = await guardVariables({ root: request.cwd, signal: new AbortController().signal });
  const files = filesFor(setup, request);
  const given = files === null ? request : { ...request, filesFolder: files.folder };
  const share = usageShare(adapter, request);
  const safe = secretFilter(secretsOf(setup));
  const { cwd, extraDirs } = request;
  const removeMountPoints = mountPoints([cwd, ...extraDirs], adapter.mounts ?? []);
  const lost = new AbortController();
  const heard = Promise.withResolvers<void>();
  const program = runProcess(
    {
      ...processRequest(setup, { path: path.value, guard }, given),
      ...(adapter.waitsForInput === true ? { inputEnd: heard.promise } : {}),
    },
    AbortSignal.any([signal, lost.signal]),
  );
  try {
    for (;;) {
      const step = await program.next();
      if (step.done === true) {
        for (const told of adapter.usageIn?.(given, userSide(setup)) ?? []) {
          const event = tally.sound(share(told));
          tally.add(event);
          yield event;
        }
        const { completed, calling } = tally.sum();
        if (step.value.cancelled && signal.aborted && !completed) {
          yield { kind: 'cancelled', what: calling };
        }
        return endOf(ended(step.value));
      }
      for (const line of step.value) {
        for (const told of eventsOf(line, adapter, tally.leftOut)) {
          const event = boundEvent(tally.sound(share(told)), safe);
          if (tally.add(event)) yield event;
        }
      }
      const sum = tally.sum();
      // A line that was too long to be read may have been the end.
      const isHeard = step.value.some((line) => typeof line !== 'string');
      if (sum.completed || sum.error !== null || isHeard) heard.resolve();
      // A new session knows nothing of ours: every further word would be paid for in vain.
      if (otherSession(request, sum) !== null) lost.abort();
    }
  } finally {
    // Ends the program if the caller left the loop; otherwise it has ended already.
    await program.return(notStarted);
    removeMountPoints();
    files?.remove();
  }
}

/** See `Agent.recall`. Reads what the killed run printed as that run would have. */
function recall(order: Order, since: Date): AgentEnd | null {
  const { setup, request } = order;
  const { adapter } = setup;
  const output = rereadRecord(request.rawOutput, { since, environment: secretsOf(setup) });
  if (output === null) return null;
  const tally = runTally();
  const share = usageShare(adapter, request);
  const usage = () => adapter.usageIn?.(request, userSide(setup)) ?? [];
  for (const line of output.lines)
    for (const told of eventsOf(line, adapter, tally.leftOut)) tally.add(tally.sound(share(told)));
  if (!tally.sum().completed) return null;
  for (const told of usage()) tally.add(tally.sound(share(told)));
  const { durationMs, outputBytes } = output;
  const process = { ...notStarted, exitCode: 0, durationMs, outputBytes };
  const end = endOf({ order, startedAt: since.toISOString(), sum: tally.sum(), process });
  return end.ok ? { ...end, facts: { ...end.facts, exitCode: null } } : null;
}

/** Its own variables, and those that it may not have. */
function secretsOf({ environment, settings }: CliSetup): NodeJS.ProcessEnv {
  return { ...environment, ...settings.env };
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
    secrets: base,
    mark: request.mark,
    input: adapter.input?.(request) ?? request.prompt,
    rawOutput: request.rawOutput,
    limits: request.limits,
  };
}

// No CLI gives a blank line a meaning.
function eventsOf(
  line: FramedLine,
  adapter: AgentAdapter,
  leftOut: (bytes: number) => AgentEvent,
): readonly AgentEvent[] {
  if (typeof line !== 'string') return [leftOut(line.overlong)];
  return line.trim() === '' ? [] : [adapter.read(line)].flat();
}

type Reason = Pick<AgentFailure, 'category' | 'detail'>;

/** The path of the program, or why it is not started. */
function programFor(setup: CliSetup, request: AgentRequest): Result<string, Reason> {
  const { adapter } = setup;
  const refused = (category: Reason['category'], detail: string) =>
    ({ ok: false, failure: { category, detail } }) as const;
  const path = programPath(setup);
  if (path === null) {
    return refused('not-installed', `${whyMissing(setup)}; to install it: ${adapter.install}`);
  }
  const refusal = adapter.refusal?.(request, userSide(setup, request.model)) ?? null;
  if (refusal !== null) return refused('permission-refused', refusal);
  const bytes = Buffer.byteLength(request.prompt);
  if (bytes <= adapter.maxPromptBytes) return { ok: true, value: path };
  const most = adapter.maxPromptBytes;
  return refused(
    'request-refused',
    `the prompt has ${bytes} bytes, of which it would take only ${most}`,
  );
}

interface Ended {
  readonly order: Order;
  readonly startedAt: string;
  readonly sum: RunSum;
  readonly process: ProcessEnd;
}

// An answer needs an event that says it is complete, and a text. The exit code decides nothing: some
// CLIs end with 0 after an error, some with 1 after a good answer. An answer that was complete before
// a limit or a cancellation is paid for and kept.
function endOf(ended: Ended): AgentEnd {
  const { sum, process } = ended;
  const { setup, request } = ended.order;
  const other = otherSession(request, sum);
  if (other !== null) {
    const detail = `it does not know the session to go on with; it began another, ${other}`;
    return failed(ended, { category: 'session-lost', detail });
  }
  const { adapter } = setup;
  const safe = secretFilter(secretsOf(setup));
  if (sum.completed && sum.text.trim() !== '') {
    // Once more as a whole: a secret may have come in pieces.
    return { ok: true, text: safe(sum.text), facts: factsOf(ended, afterAnswer(process)) };
  }
  const failure = classifyEnd({ ...sum, adapter, limits: request.limits, process });
  return failed(ended, { ...failure, detail: safe(failure.detail) });
}

function failed(ended: Ended, reason: Reason & Partial<AgentFailure>): AgentEnd {
  const agent = ended.order.setup.adapter.name;
  const failure = { agent, retry_after_ms: null, ...reason, detail: cleanText(reason.detail) };
  return { ok: false, failure, facts: factsOf(ended, []) };
}

/** The id of the session that the CLI began instead of the requested one. */
function otherSession({ resume }: AgentRequest, { facts: { agentSession } }: RunSum) {
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
function factsOf({ order, startedAt, sum, process }: Ended, notes: readonly string[]) {
  const { facts: told } = sum;
  const { adapter } = order.setup;
  const ofSession =
    told.agentSession === null
      ? null
      : (adapter.modelIn?.(told.agentSession, userSide(order.setup)) ?? null);
  const answered = told.model ?? ofSession;
  const { model: asked } = order.request;
  return {
    ...told,
    version: told.version ?? order.version(),
    model: answered ?? asked,
    askedModel: isOtherModel(asked, answered) ? asked : null,
    exitCode: process.exitCode,
    signal: process.signal,
    startedAt,
    durationMs: process.durationMs,
    outputBytes: process.outputBytes,
    notes: [...told.notes, ...process.notes, ...notes],
  };
}
