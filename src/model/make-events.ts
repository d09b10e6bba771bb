// Makes the events that agents report, without zod, which the list of agents does not need.
import type { EventOf } from './event.ts';
import type {
  AgentEvent,
  AgentEventOf,
  AgentFailure,
  FailureCategory,
  PlanWindow,
  TokenCounts,
} from './agent-event.ts';

/** Makes the event of a run that has no answer. */
export function errorOf(
  category: FailureCategory,
  message: string,
  retryAfter: number | null = null,
): AgentEventOf<'error'> {
  const recoverable = mayPass({ category, retry_after_ms: retryAfter });
  return { type: 'error', message, recoverable, category, retryAfter };
}

/** Makes the event of a message that is whole. */
export function messageOf(content: string): AgentEventOf<'message'> {
  return { type: 'message', content, partial: false };
}

/** Makes the event of some more usage. */
export function usageOf(
  { input, output: written, cached, estimated }: TokenCounts,
  costUsd: number | null,
): AgentEventOf<'usage'> {
  const counts = { inputTokens: input, outputTokens: written, cachedTokens: cached };
  return { type: 'usage', ...counts, ...(estimated === true && { estimated }), costUsd };
}

/** Adds up tokens; the sum is an estimate if a part is. */
export function addTokens(one: TokenCounts, other: TokenCounts): TokenCounts {
  return {
    ...((one.estimated ?? other.estimated) === true && { estimated: true }),
    input: one.input + other.input,
    output: one.output + other.output,
    cached: one.cached + other.cached,
  };
}

/** Makes the event of a plan’s window, which uses no tokens. */
export function windowOf(window: PlanWindow): AgentEventOf<'usage'> {
  return { ...usageOf({ input: 0, output: 0, cached: 0 }, null), window };
}

/** True for a tool call that begins, false for its output and all else. */
export function beginsCall(one: AgentEvent): boolean {
  return one.type === 'tool_call' && one.output === undefined;
}

/** True if the same request may succeed later: its cause passes, or it said when to ask again. */
function mayPass({
  category,
  retry_after_ms: wait,
}: Pick<AgentFailure, 'category' | 'retry_after_ms'>): boolean {
  return passing.has(category) || wait !== null;
}

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

/** The event of a warning that no step of a session raises. */
export function newWarning(text: string): EventOf<'warning.raised'> {
  return { type: 'warning.raised', text, seq: 0, at: new Date().toISOString(), replayed: false };
}
