// Determines why a run failed, and whether to try again or continue with the next agent.
import type { AgentFailure, FailureCategory } from '../model/agent-event.ts';
import { cleanText } from '../model/clean-text.ts';
import { clip, oneLine } from '../model/wording.ts';
import type { AgentAdapter, RunLimits } from './agent.ts';
import { errorLine, failureIn, limitIn } from './phrases.ts';
import type { ProcessEnd } from './process/start-program.ts';
import type { Limit } from './process/time-limits.ts';
import type { RunSum } from './cli/run-tally.ts';

/** A process that ended without a usable answer, and what it said. */
export interface BadEnd extends Pick<
  RunSum,
  'error' | 'retrying' | 'plainOutput' | 'text' | 'reasoning' | 'completed'
> {
  readonly adapter: Pick<AgentAdapter, 'name' | 'command' | 'install' | 'login'>;
  readonly limits: RunLimits;
  readonly process: ProcessEnd;
}

/**
 * Decides why a run failed, by the first that applies: a cancellation, an error event, a limit, a
 * failed start, known words on stderr, the way it ended.
 */
export function classifyEnd(end: BadEnd): AgentFailure {
  const found =
    cancellation(end) ??
    reportedError(end) ??
    overLimit(end) ??
    notStarted(end) ??
    knownWords(end) ??
    endedBadly(end) ??
    withoutAnswer(end);
  return {
    category: found.category,
    agent: end.adapter.name,
    detail: shownDetail(found.detail),
    retry_after_ms: possibleWait(found.retryAfterMs ?? null),
    ...(end.retrying === null ? {} : { retried: true }),
  };
}

/** A wait in whole ms; null if it is too long for any retry. A moment that has passed needs no wait. */
function possibleWait(ms: number | null): number | null {
  const whole = ms === null ? NaN : Math.max(0, Math.ceil(ms));
  return Number.isSafeInteger(whole) ? whole : null;
}

interface Found {
  readonly category: FailureCategory;
  readonly detail: string;
  readonly retryAfterMs?: number | null;
}

function cancellation({ process }: BadEnd): Found | null {
  return process.cancelled ? { category: 'cancelled', detail: 'it was cancelled' } : null;
}

// An error of unknown category counts only if nothing else says more.
function reportedError({ adapter, error }: BadEnd): Found | null {
  if (error === null) return null;
  const words = failureIn(error.message);
  const category = error.category === 'unknown' ? words?.category : error.category;
  if (category === undefined) return null;
  const asked = possibleWait(error.retryAfter);
  // A quota for which a provider names a wait is a temporary limit.
  const isLimit = category === 'rate-limited' || (category === 'quota-used-up' && asked !== null);
  const limit = isLimit ? limitIn(error.message, asked) : { category, retryAfterMs: asked };
  return { ...limit, detail: withRemedy(category, error.message, adapter) };
}

function overLimit({ process, limits, retrying }: BadEnd): Found | null {
  const tried = retrying === null ? '' : `; it was retrying: ${retrying}`;
  const whatWas: Record<Limit, string> = {
    'first-output': `no output within ${seconds(limits.firstOutputMs)}`,
    idle: `no output for ${seconds(limits.idleMs)}`,
    total: `not finished within ${seconds(limits.totalMs)}`,
  };
  if (process.timedOut === null) return null;
  const isSilent = process.timedOut === 'first-output';
  // Some CLIs wait for as long as the provider asks, even an hour.
  const meanwhile = retrying === null ? undefined : failureIn(retrying)?.category;
  const isLimit = meanwhile === 'rate-limited' || meanwhile === 'quota-used-up';
  const category = isLimit ? meanwhile : isSilent ? 'silent' : 'timed-out';
  return { category, detail: `${whatWas[process.timedOut]}${tried}` };
}

function notStarted({ adapter, process: { spawnError } }: BadEnd): Found | null {
  if (spawnError === null) return null;
  const { code, message } = spawnError;
  switch (code) {
    case 'ENOENT':
      return {
        category: 'not-installed',
        detail: `"${adapter.command}" was not found; to install it: ${adapter.install}`,
      };
    case 'EACCES':
    case 'EPERM':
      return {
        category: 'not-installed',
        detail: `"${adapter.command}" may not be executed (${code}); check its permissions`,
      };
    default:
      return { category: 'crashed', detail: `"${adapter.command}" did not start: ${message}` };
  }
}

// An error event is clearer than a log.
function knownWords({ adapter, process, error, plainOutput }: BadEnd): Found | null {
  const words = failureIn(process.stderrTail) ?? failureIn(plainOutput);
  if (words === null) return null;
  const { category, line, retryAfterMs } = words;
  return { category, detail: withRemedy(category, error?.message || line, adapter), retryAfterMs };
}

function endedBadly({ process, error, plainOutput }: BadEnd): Found | null {
  const { exitCode, signal, stderrTail } = process;
  if (exitCode === 0) return null;
  const how = signal === null ? `exit code ${exitCode ?? 'unknown'}` : `signal ${signal}`;
  const last = error?.message || errorLine(stderrTail) || errorLine(plainOutput);
  const detail = `it ended with ${how}${last === '' ? '' : `: ${last}`}`;
  // A shell or env ends like this if a launcher or its interpreter is missing or not executable.
  const isMissing = exitCode === 127 || exitCode === 126;
  return { category: isMissing ? 'not-installed' : 'crashed', detail };
}

function withoutAnswer({ error, text, reasoning, completed }: BadEnd): Found {
  if (error !== null) {
    return {
      category: 'unknown',
      detail: error.message || 'it reported an error without a message',
    };
  }
  if (text.trim() === '') {
    const instead = reasoning.trim() === '' ? '' : ': all that came was its reasoning';
    return { category: 'empty-answer', detail: `it ended without an answer${instead}` };
  }
  return completed
    ? { category: 'unknown', detail: 'it ended without a usable answer' }
    : { category: 'unknown', detail: 'it ended without saying that its answer was complete' };
}

function withRemedy(
  category: FailureCategory,
  text: string,
  { login }: Pick<AgentAdapter, 'login'>,
): string {
  const said = text.trim() || 'it reported an error without a message';
  return category === 'not-logged-in' ? `${clip(said, 300)} (to log in: ${login})` : said;
}

function seconds(ms: number): string {
  return `${Math.round(ms / 100) / 10} s`;
}

function shownDetail(text: string): string {
  return clip(oneLine(cleanText(text)), 500);
}

/** The longest wait for a rate limit, in ms; with a longer one the seat is given away. */
const longestWaitMs = 600_000;
/** The wait if the provider names none. */
const usualWaitMs = 60_000;

/** Failures that another try may overcome. */
const passing: ReadonlySet<FailureCategory> = new Set([
  'network',
  'crashed',
  'silent',
  'empty-answer',
  'session-lost',
  'unknown',
]);

/**
 * Decides what follows a failed agent run: one more try (after a wait), or the next agent of the
 * chain. A network failure that the CLI has retried itself is not tried again. A rate limit is
 * waited for only if no other agent with a model is free.
 */
export function recoveryFor(
  { category, retried = false, retry_after_ms: asked }: AgentFailure,
  { hasBackup }: { readonly hasBackup: boolean },
): { readonly kind: 'retry'; readonly delayMs: number } | { readonly kind: 'fall-back' } {
  if (passing.has(category) && !(category === 'network' && retried)) {
    return { kind: 'retry', delayMs: jitter(250) };
  }
  const wait = asked ?? usualWaitMs;
  return category === 'rate-limited' && !hasBackup && wait <= longestWaitMs
    ? { kind: 'retry', delayMs: jitter(wait) }
    : { kind: 'fall-back' };
}

// Spreads a delay so that parallel agents do not retry at the same moment, and never earlier than
// asked for.
function jitter(delayMs: number): number {
  return Math.round(delayMs * (1 + Math.random() * 0.1));
}
