// Pauses an agent that fails repeatedly.
import type { Agent, AgentEnd, AgentRequest } from './agent.ts';
import type { FailureCategory } from '../model/agent-event.ts';
import { clause, counted } from '../model/wording.ts';

type BadEnd = Extract<AgentEnd, { ok: false }>;

/** Consecutive failures before an agent is paused, and for how long (ms). */
const mostFailures = 2;
const restMs = 600_000;
/** The pause of an agent whose quota is used up, if its reset is unknown, in ms. */
const quotaMs = 3_600_000;

/** Failures of the agent, as opposed to those of a single question or answer. */
const agentFailures: ReadonlySet<FailureCategory> = new Set([
  'rate-limited',
  'silent',
  'timed-out',
  'crashed',
  'network',
  'dropped',
  'empty-answer',
  'unknown',
]);

/**
 * Makes an agent unavailable for a while after two failed runs in a row, and until the reset once
 * its quota is used up. Parallel runs that fail together count once. The count lives as long as the
 * process, so that a new one asks at once: the user may have fixed the cause.
 */
export function withBreaker(agent: Agent, now: () => number = Date.now): Agent {
  let failures = 0;
  let lastCounted = -Infinity;
  let rest: { readonly until: number; readonly why: string } | null = null;

  function count(startedAt: number, end: AgentEnd, request: AgentRequest): void {
    if (end.ok) {
      failures = 0;
      rest = null;
      return;
    }
    const { failure } = end;
    const wait = failure.retry_after_ms ?? 0;
    // A limit that lasts longer than any retry waits is a quota with a known reset.
    const isLongLimit = failure.category === 'rate-limited' && wait > restMs;
    if (failure.category === 'quota-used-up' || isLongLimit) {
      const ms = wait > 0 ? wait : quotaMs;
      rest = { until: now() + ms, why: `its quota is used up: ${clause(failure.detail)}` };
    } else if (agentFailures.has(failure.category) && startedAt >= lastCounted) {
      if (isOwnLimit(end, request)) return;
      failures += 1;
      lastCounted = now();
      if (failures < mostFailures) return;
      const why = `it failed ${failures} times in a row, the last time with: ${clause(failure.detail)}`;
      rest = { until: now() + restMs, why };
    }
  }

  return {
    ...agent,
    async ready(signal) {
      const left = rest === null ? 0 : rest.until - now();
      if (rest === null || left <= 0) return await agent.ready(signal);
      const when = counted(Math.ceil(left / 60_000), 'minute');
      const remedy = `It will be asked again in ${when}, or at once by a new process.`;
      return { state: 'disabled', why: rest.why, remedy, retryAfterMs: left };
    },
    async *run(request, signal) {
      const startedAt = now();
      const end = yield* agent.run(request, signal);
      count(startedAt, end, request);
      return end;
    },
  };
}

/** True for a limit that the caller set, which says nothing about the agent. */
function isOwnLimit({ failure, facts }: BadEnd, { maxTurns, limits }: AgentRequest): boolean {
  if (failure.category !== 'timed-out') return false;
  return typeof maxTurns === 'number' || facts.durationMs >= limits.totalMs;
}
