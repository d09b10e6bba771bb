// Leaves an agent alone for a while that fails again and again.
import type { Agent, AgentEnd } from './agent.ts';
import type { AgentFailure, FailureCategory } from '../model/agent-failure.ts';

/** After so many failed runs in a row the agent rests for so long, in ms. */
const mostFailures = 2;
const restMs = 600_000;

/** Failures of the agent, as opposed to those of one question or answer. */
const counted: ReadonlySet<FailureCategory> = new Set([
  'rate-limited',
  'silent',
  'timed-out',
  'crashed',
  'network',
  'empty-answer',
  'unknown',
]);

/**
 * An agent that is not ready for a while after two failed runs in a row, and never again once its
 * quota is used up. Parallel runs that fail together count once. Resuming a session starts the count
 * anew, since the user may have fixed the cause.
 */
export function withBreaker(agent: Agent, now: () => number = Date.now): Agent {
  let failures = 0;
  let lastCounted = -Infinity;
  let rest: { readonly until: number; readonly why: string; readonly remedy: string } | null = null;

  function count(startedAt: number, end: AgentEnd): void {
    if (end.ok) {
      failures = 0;
      rest = null;
    } else if (end.failure.category === 'quota-used-up') {
      rest = {
        until: Infinity,
        why: `its quota is used up: ${clause(end.failure)}`,
        remedy: resume,
      };
    } else if (counted.has(end.failure.category) && startedAt >= lastCounted) {
      failures += 1;
      lastCounted = now();
      if (failures < mostFailures) return;
      const why = `it failed ${failures} times in a row, the last time with: ${clause(end.failure)}`;
      const ms = Math.max(restMs, end.failure.retry_after_ms ?? 0);
      const remedy = `It will not be asked for ${Math.round(ms / 60_000)} minutes. ${resume}`;
      rest = { until: now() + ms, why, remedy };
    }
  }

  return {
    ...agent,
    async ready(signal) {
      if (rest === null || now() >= rest.until) return await agent.ready(signal);
      return { state: 'disabled', why: rest.why, remedy: rest.remedy };
    },
    async *run(request, signal) {
      const startedAt = now();
      const end = yield* agent.run(request, signal);
      count(startedAt, end);
      return end;
    },
  };
}

const resume = 'Resume the session to ask it again.';

function clause({ detail }: AgentFailure): string {
  return detail.replace(/[.\s]+$/, '');
}
