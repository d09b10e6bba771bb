import { createHash } from 'node:crypto';
import type { Agent, RunFacts } from '../../agents/agent.ts';
import type { AgentFailure } from '../../model/agent-failure.ts';
import type { Receipt } from '../../model/receipt.ts';

/** What is known of a run of an agent; without `facts` it was not started. */
export function receiptOf(
  ask: { readonly agent: Agent; readonly seat: string; readonly prompt: string },
  { facts, failure }: { readonly facts: RunFacts | null; readonly failure: AgentFailure | null },
): Receipt {
  const { agent, seat, prompt } = ask;
  return {
    agent: agent.name,
    seat,
    version: facts?.version ?? null,
    model: facts?.model ?? null,
    vendor: facts === null ? null : agent.vendorOf(facts.model),
    agent_session: facts?.agentSession ?? null,
    started_at: facts?.startedAt ?? new Date().toISOString(),
    duration_ms: facts?.durationMs ?? 0,
    exit_code: facts?.exitCode ?? null,
    signal: facts?.signal ?? null,
    output_bytes: facts?.outputBytes ?? 0,
    tokens: facts?.tokens ?? null,
    cost_usd: facts?.costUsd ?? null,
    prompt_hash: createHash('sha256').update(prompt).digest('hex'),
    raw_output: null,
    attempts: 1,
    repaired: false,
    fallback_for: agent.name === seat ? null : seat,
    unknown_events: facts?.unknownEvents ?? 0,
    notes: [...(facts?.notes ?? [])],
    failure: failure === null ? null : { category: failure.category, reason: failure.detail },
  };
}
