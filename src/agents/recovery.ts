import type { AgentFailure } from '../model/agent-failure.ts';

/** The longest wait, in ms, that a rate limit may ask for before the seat is given away. */
const longestWaitMs = 60_000;

/**
 * What a failed agent run is worth: one more try (after a wait), or the next agent of the chain.
 * A login, a permission or a missing program does not fix itself, a time limit would only be
 * spent twice, a wrong answer to the same question would come again, and what a CLI has tried
 * again by itself is not tried once more.
 */
export function recoveryFor(
  failure: AgentFailure,
): { readonly kind: 'retry'; readonly delayMs: number } | { readonly kind: 'fall-back' } {
  switch (failure.category) {
    case 'network':
      return failure.retried === true
        ? { kind: 'fall-back' }
        : { kind: 'retry', delayMs: jittered(250) };
    case 'crashed':
    case 'empty-answer':
    case 'unknown':
      return { kind: 'retry', delayMs: jittered(250) };
    case 'rate-limited':
      return failure.retry_after_ms !== null && failure.retry_after_ms <= longestWaitMs
        ? { kind: 'retry', delayMs: jittered(failure.retry_after_ms) }
        : { kind: 'fall-back' };
    case 'not-installed':
    case 'not-logged-in':
    case 'timed-out':
    case 'invalid-answer':
    case 'wrong-answer':
    case 'answer-cut':
    case 'refused':
    case 'content-filtered':
    case 'permission-refused':
    case 'request-refused':
    case 'session-lost':
    case 'wrote-while-planning':
    case 'cancelled':
      return { kind: 'fall-back' };
  }
}

// Never earlier than asked for; spread so that parallel agents do not knock at the same moment.
function jittered(delayMs: number): number {
  return Math.round(delayMs * (1 + Math.random() * 0.1));
}
