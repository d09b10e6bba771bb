// Follows one run of an API model: its limits, its events, its record, its end.
import type {
  AgentEvent,
  AgentEventOf,
  AgentFailure,
  TokenCounts,
} from '../../model/agent-event.ts';
import { beginsCall, errorOf, usageOf } from '../../model/make-events.ts';
import { cleanText } from '../../model/clean-text.ts';
import { estimateTokens } from '../../model/text-size.ts';
import type { AgentEnd, AgentRequest, RunFacts } from '../agent.ts';
import { classifyEnd } from '../classify.ts';
import { answerIn } from '../cli/run-end.ts';
import { boundEvent, runTally } from '../cli/run-tally.ts';
import { secretFilter } from '../process/environment.ts';
import { openRecord } from '../process/record.ts';
import { notStarted } from '../process/start-program.ts';
import { type Limit, watchLimits } from '../process/time-limits.ts';
import type { Prices } from './api-setup.ts';
import type { ModelNews } from './stream-model.ts';

type ErrorEvent = AgentEventOf<'error'>;
type Reason = Pick<AgentFailure, 'category' | 'detail'>;

/** A run of an API model that has started. */
export interface OpenRun {
  /** Aborted by the caller, or when a time limit is reached. */
  readonly signal: AbortSignal;
  /** The model that answered, if it was reported. */
  model(): string | null;
  /** The tool call that was in progress. */
  calling(): string | null;
  /** Removes a key from everything that is reported and kept from now on. */
  hide(key: string | null): void;
  /** Counts and records one of our events; returns what may be shown of it. */
  note(event: AgentEvent): readonly AgentEvent[];
  /** Notes in the receipt which part of the request was left out. */
  degrade(what: string): void;
  /** Counts the bytes of a request. */
  send(bytes: number): void;
  /** Passes on the events of one request, until its end, a limit or a cancellation. */
  follow(
    news: AsyncGenerator<ModelNews, void, undefined>,
    terms: Terms,
  ): AsyncGenerator<AgentEvent, Followed, undefined>;
  fail(reason: Reason): AgentEnd;
  /** The answer, or why there is none. */
  end(more: Pick<RunFacts, 'askedModel'>): AgentEnd;
  /** Stops the clocks and everything still in progress. */
  close(): void;
}

interface Terms {
  readonly prices: Prices | null;
  /** The tokens of the prompt, if the server may cut it. */
  readonly estimate: number | null;
}

interface Followed {
  /** The error that was not followed by an answer. */
  readonly error: ErrorEvent | null;
  /** True if a part of an answer came. */
  readonly isAnswering: boolean;
}

interface RunInput {
  readonly name: string;
  readonly request: AgentRequest;
  /** The login command for a person. */
  readonly login: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly signal: AbortSignal;
}

export function openRun({ name, request, login, environment, signal: cancel }: RunInput): OpenRun {
  const startedAt = new Date().toISOString();
  const since = performance.now();
  const tally = runTally();
  const record = openRecord(request.rawOutput, environment);
  const limit = new AbortController();
  const signal = AbortSignal.any([cancel, limit.signal]);
  const notes: string[] = [];
  let timedOut: Limit | null = null;
  let outputBytes = 0;
  let sent = 0;
  let key: string | null = null;
  // Silence does not count against the model while nobody reads our events, or while a tool of ours works.
  let isHeld = false;
  const safe = (text: string) =>
    secretFilter({ ...environment, CONCLAVE_API_KEY: key ?? '' })(text);
  const watch = watchLimits(request.limits, {
    isHeld: () => isHeld,
    onLimit(used) {
      timedOut = used;
      limit.abort();
    },
  });

  function keep(told: AgentEvent): readonly AgentEvent[] {
    const event = boundEvent(told, safe);
    record.stdout(Buffer.from(`${JSON.stringify(event)}\n`));
    return tally.add(event);
  }

  async function* follow(
    news: AsyncGenerator<ModelNews, void, undefined>,
    { prices, estimate }: Terms,
  ): AsyncGenerator<AgentEvent, Followed, undefined> {
    let isAnswering = false;
    let steps = 0;
    let written = 0;
    const spend = (told: TokenCounts) => {
      const input = estimateTokens(sent);
      const output = estimateTokens(written);
      [sent, written] = [0, 0];
      if (told.input + told.output > 0) return usageEvent(told, prices);
      // A refusal costs nothing.
      const isPaid = isAnswering || output > 0;
      return isPaid ? usageEvent({ input, output, cached: 0, estimated: true }, prices) : null;
    };
    let error: ErrorEvent | null = null;
    // Earlier requests were refused.
    sent = 0;
    for await (const told of untilAborted(news, signal)) {
      watch.noteOutput('stdout');
      const seen = told?.type === 'step' ? spend(told.usage) : told;
      if (seen === null) continue;
      const event = seen.type === 'error' ? withRemedy(seen, name) : seen;
      if (event.type === 'error') error = event;
      if (event.type === 'completed') error = null;
      if (event.type === 'message') outputBytes += Buffer.byteLength(event.content);
      if (event.type === 'message' || event.type === 'thinking')
        written += Buffer.byteLength(event.content);
      isAnswering ||= event.type === 'message' || beginsCall(event);
      isHeld = true;
      yield* keep(event);
      isHeld = beginsCall(event);
      if (told?.type !== 'step') continue;
      steps += 1;
      const read = steps === 1 ? told.usage.input : 0;
      if (estimate === null || !isCut(read, estimate)) continue;
      error = cutPrompt(read, estimate, name);
      yield* keep(error);
      limit.abort();
    }
    // A request that was cancelled is paid for, too.
    const rest = sent > 0 && written > 0 ? spend(none) : null;
    if (rest !== null) yield* keep(rest);
    return { error, isAnswering };
  }

  const facts = (askedModel: string | null): RunFacts => ({
    ...tally.sum().facts,
    askedModel,
    exitCode: null,
    signal: null,
    startedAt,
    durationMs: Math.round(performance.now() - since),
    outputBytes,
    notes: [...tally.sum().facts.notes, ...notes, ...record.close()],
  });

  function fail(
    reason: Reason & Partial<AgentFailure>,
    askedModel: string | null = null,
  ): AgentEnd {
    const failure = { agent: name, retry_after_ms: null, ...reason };
    return {
      ok: false,
      failure: { ...failure, detail: safe(cleanText(failure.detail)) },
      facts: facts(askedModel),
    };
  }

  function end({ askedModel = null }: Pick<RunFacts, 'askedModel'>): AgentEnd {
    const sum = tally.sum();
    const answer = answerIn(sum, request);
    if (answer !== null) {
      notes.push(...answer.notes);
      return { ok: true, text: safe(answer.text), facts: facts(askedModel) };
    }
    const adapter = { name, command: name, install: '', login };
    const cancelled = cancel.aborted && timedOut === null;
    const process = { ...notStarted, exitCode: 0, timedOut, cancelled };
    return fail(classifyEnd({ ...sum, adapter, limits: request.limits, process }), askedModel);
  }

  return {
    signal,
    model: () => tally.sum().facts.model,
    calling: () => tally.sum().calling,
    hide: (given) => void (key = given),
    note: keep,
    send: (bytes) => void (sent += bytes),
    degrade: (what) => void notes.push(what),
    follow,
    fail,
    end,
    close() {
      watch.stop();
      limit.abort();
    },
  };
}

/** Passes on what comes before a signal, without waiting for a model that hangs. */
async function* untilAborted<T>(
  source: AsyncGenerator<T, void, undefined>,
  signal: AbortSignal,
): AsyncGenerator<T, void, undefined> {
  const aborted = new Promise<null>((resolve) => {
    if (signal.aborted) resolve(null);
    signal.addEventListener('abort', () => resolve(null), { once: true });
  });
  for (;;) {
    const next = source.next();
    // Nobody waits for this result after an abort, so its failure must not count as unhandled.
    next.catch(() => undefined);
    const step = await Promise.race([next, aborted]);
    if (step === null || step.done === true) return;
    yield step.value;
  }
}

const none: TokenCounts = { input: 0, output: 0, cached: 0 };

function usageEvent(tokens: TokenCounts, prices: Prices | null): AgentEvent {
  return usageOf(tokens, prices === null ? null : costOf(tokens, prices));
}

function costOf({ input, output, cached }: TokenCounts, prices: Prices): number {
  const fresh = Math.max(0, input - cached);
  const { cached: cachedPrice = prices.input } = prices;
  return (fresh * prices.input + cached * cachedPrice + output * prices.output) / 1_000_000;
}

/**
 * The least estimate that can show a cut prompt, in tokens: texts differ in their tokens, so a
 * shorter one proves nothing.
 */
const leastEstimate = 2_000;

function isCut(read: number, estimate: number): boolean {
  return read > 0 && estimate >= leastEstimate && read < estimate / 2;
}

function cutPrompt(read: number, estimate: number, name: string): ErrorEvent {
  const text = `the server read only ${read} of about ${estimate} tokens; raise its context (Ollama: OLLAMA_CONTEXT_LENGTH), or set context_tokens under [agents.${name}]`;
  return errorOf('request-refused', text);
}

const tooLong = /context (?:length|size|window)|(?:prompt|input|request) is too (?:long|large)/i;

/** Adds a remedy: a window that is too small can be changed in the settings. */
function withRemedy(error: ErrorEvent, name: string): ErrorEvent {
  if (error.category !== 'request-refused' || !tooLong.test(error.message)) return error;
  const said = error.message.replace(/[.\s]*$/, '.');
  const remedy = `Set context_tokens under [agents.${name}], so that requests keep within its window.`;
  return { ...error, message: `${said} ${remedy}` };
}
