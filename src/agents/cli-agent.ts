import type { Agent, AgentAdapter, AgentEnd, AgentRequest, Readiness, RunFacts } from './agent.ts';
import { cleanText } from '../model/clean-text.ts';
import type { AgentEvent } from '../model/event.ts';
import type { AgentFailure } from '../model/failure.ts';
import { classifyEnd } from './classify.ts';
import { agentEnvironment } from './environment.ts';
import { findProgram } from './find-program.ts';
import type { FramedLine } from './process/framing.ts';
import { runProcess, type ProcessEnd, type ProcessRequest } from './process/run-process.ts';
import { checkProgram } from './readiness.ts';
import { runTally, type RunTally } from './run-tally.ts';
import { withoutSecrets } from './secrets.ts';

/** What the user configured for one agent. */
export interface CliAgentSettings {
  /** The program to start instead of the one on PATH: an absolute path, or another name on PATH. */
  readonly path?: string;
  /** Put before the adapter’s own arguments. */
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Used where a request names none. */
  readonly model?: string;
  /** Provider of the model, where the adapter cannot know. */
  readonly vendor?: string;
  /** Takes the place of a request’s total limit. */
  readonly timeoutMs?: number;
  readonly enabled?: boolean;
  /** How to install it, in place of the adapter’s words. */
  readonly install?: string;
}

interface Setup {
  readonly adapter: AgentAdapter;
  readonly settings: CliAgentSettings;
  readonly environment: NodeJS.ProcessEnv;
}

/** An agent that is a program on this machine, called and read as its adapter says. */
export function cliAgent({ adapter: given, settings, environment }: Setup): Agent {
  const adapter = { ...given, install: settings.install ?? given.install };
  const setup = { adapter, settings, environment };
  return {
    name: adapter.name,
    kind: 'model',
    ready: readyOnce(setup),
    vendorOf: (model) => settings.vendor ?? adapter.vendorOf(model),
    run: (request, signal) => run(setup, withSettings(request, settings), signal),
  };
}

// The program is asked once per process; an answer that was cut off by its caller’s signal is none.
function readyOnce(setup: Setup): (signal: AbortSignal) => Promise<Readiness> {
  let asked: Promise<Readiness | null> | null = null;
  return async function ready(signal) {
    signal.throwIfAborted();
    const current = (asked ??= readiness(setup, signal));
    const answer = await current;
    if (answer !== null) return answer;
    if (asked === current) asked = null;
    return ready(signal);
  };
}

async function readiness(setup: Setup, signal: AbortSignal): Promise<Readiness | null> {
  const { adapter, settings, environment } = setup;
  if (settings.enabled === false) {
    return {
      state: 'disabled',
      why: 'it is switched off in the settings',
      remedy: `Set "enabled = true" under [agents.${adapter.name}].`,
    };
  }
  const path = programPath(setup);
  if (path === null) {
    const remedy = `Install it: ${adapter.install}.`;
    return { state: 'not-installed', why: whyMissing(setup), remedy };
  }
  const env = agentEnvironment({ base: environment, adapter, settings, request: null });
  return checkProgram({ adapter, path, args: settings.args ?? [], env }, signal);
}

function programPath({ adapter, settings, environment }: Setup): string | null {
  return findProgram(settings.path ?? adapter.command, environment['PATH']);
}

function whyMissing({ adapter, settings }: Setup): string {
  const name = settings.path ?? adapter.command;
  return `"${name}" ${name.includes('/') ? 'is not the absolute path of a program' : 'is not on PATH'}`;
}

function withSettings(request: AgentRequest, settings: CliAgentSettings): AgentRequest {
  const totalMs = settings.timeoutMs ?? request.limits.totalMs;
  return {
    ...request,
    model: request.model ?? settings.model ?? null,
    limits: { ...request.limits, totalMs },
  };
}

async function* run(
  setup: Setup,
  request: AgentRequest,
  signal: AbortSignal,
): AsyncGenerator<AgentEvent, AgentEnd, undefined> {
  const startedAt = new Date().toISOString();
  const tally = runTally();
  const refuse = (failure: AgentFailure): AgentEnd => ({
    ok: false,
    failure,
    facts: factsOf({ startedAt, tally, process: notRun }),
  });
  const path = programPath(setup);
  if (path === null) return refuse(missing(setup));
  const tooLong = tooLongPrompt(setup.adapter, request);
  if (tooLong !== null) return refuse(tooLong);
  const reader = { adapter: setup.adapter, tally };
  const program = runProcess(processRequest(setup, path, request), signal);
  try {
    for (;;) {
      const step = await program.next();
      if (step.done === true) {
        return endOf({ setup, request, startedAt, tally, process: step.value });
      }
      for (const line of step.value) {
        const read = eventsOf(line, reader);
        if (!isList(read)) {
          if (tally.add(read)) yield read;
          continue;
        }
        for (const event of read) if (tally.add(event)) yield event;
      }
    }
  } finally {
    // Ends the program where the caller left the loop; else it has ended already.
    await program.return(notRun);
  }
}

function processRequest(
  { adapter, settings, environment }: Setup,
  path: string,
  request: AgentRequest,
): ProcessRequest {
  return {
    command: path,
    args: [...(settings.args ?? []), ...adapter.argv(request)],
    cwd: request.cwd,
    env: agentEnvironment({ base: environment, adapter, settings, request }),
    mark: request.mark,
    input: request.prompt,
    rawOutput: request.rawOutput,
    limits: request.limits,
  };
}

// Blank lines mean nothing in any dialect.
function eventsOf(
  line: FramedLine,
  { adapter, tally }: { adapter: AgentAdapter; tally: RunTally },
): AgentEvent | readonly AgentEvent[] {
  if (typeof line !== 'string') return tally.leftOut(line.overlong);
  return line.trim() === '' ? [] : adapter.read(line);
}

function isList(event: AgentEvent | readonly AgentEvent[]): event is readonly AgentEvent[] {
  return Array.isArray(event);
}

const notRun: ProcessEnd = {
  exitCode: null,
  signal: null,
  timedOut: null,
  cancelled: false,
  spawnError: null,
  stderrTail: '',
  outputBytes: 0,
  durationMs: 0,
  notes: [],
};

function missing(setup: Setup): AgentFailure {
  const { name, install } = setup.adapter;
  const detail = cleanText(`${whyMissing(setup)}; to install it: ${install}`);
  return { category: 'not-installed', agent: name, detail, retry_after_ms: null };
}

function tooLongPrompt(adapter: AgentAdapter, { prompt }: AgentRequest): AgentFailure | null {
  const bytes = Buffer.byteLength(prompt);
  if (bytes <= adapter.maxPromptBytes) return null;
  const detail = `the prompt has ${bytes} bytes, of which it would take only ${adapter.maxPromptBytes}`;
  return { category: 'unknown', agent: adapter.name, detail, retry_after_ms: null };
}

interface Ended {
  readonly startedAt: string;
  readonly tally: RunTally;
  readonly process: ProcessEnd;
}

// An answer needs the program’s own word that it is complete, and a text. The exit code alone
// decides nothing: some end with 0 after an error, some with 1 after a good answer. What was
// complete before a limit or a cancellation is paid for and kept.
function endOf(ended: Ended & { setup: Setup; request: AgentRequest }): AgentEnd {
  const { setup, request, tally, process } = ended;
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
  const detail = withoutSecrets(failure.detail, own);
  return { ok: false, failure: { ...failure, detail }, facts: factsOf(ended) };
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

function factsOf({ startedAt, tally, process }: Ended, notes: readonly string[] = []): RunFacts {
  const told = tally.facts();
  return {
    ...told,
    exitCode: process.exitCode,
    signal: process.signal,
    startedAt,
    durationMs: process.durationMs,
    outputBytes: process.outputBytes,
    notes: [...told.notes, ...process.notes, ...notes],
  };
}
