import type { Repository } from '../../git/repository.ts';
import { timeLimit } from '../../context/time-limit.ts';
import type { AgentEvent } from '../../model/event.ts';
import type { FailureCategory } from '../../model/agent-failure.ts';
import { Proposal, type ProposedSolution } from '../../model/proposal.ts';
import type { Agent, AgentEnd, AgentRequest, RunFacts } from '../agent.ts';

/** Of the built-in analysts together; changes when the same repository gives other answers. */
const version = '4';

/** What an analyst found, or one clause on why it has nothing to say. */
export type Analysis =
  | { readonly solutions: readonly ProposedSolution[]; readonly questions: readonly string[] }
  | { readonly nothing: string };

/** What an analyst works with. */
export interface AnalystWork {
  readonly repository: Repository;
  readonly about: AgentRequest['about'];
  readonly signal: AbortSignal;
}

/** Looks at the repository and tells what it does meanwhile. */
type Analyse = (
  about: AgentRequest['about'],
  signal: AbortSignal,
) => AsyncGenerator<AgentEvent, Analysis, undefined>;

/** An agent that reads only the repository: no program, no model, no vendor. */
export function analyst(name: string, analyse: Analyse): Agent {
  return {
    name,
    kind: 'analyst',
    ready: async () => ({ state: 'ready', path: null, version }),
    vendorOf: () => null,
    async *run(request, signal) {
      const end = endings(name);
      const time = timeLimit(request.limits.totalMs);
      const either = AbortSignal.any([signal, time]);
      yield { kind: 'started', agent_session: null, model: null, version };
      try {
        either.throwIfAborted();
        const found = yield* analyse(request.about, either);
        either.throwIfAborted();
        if ('nothing' in found) return end.failed('empty-answer', found.nothing);
        yield { kind: 'completed', text: null };
        return end.answered(answerText(request, found));
      } catch (error) {
        if (signal.aborted) return end.failed('cancelled', 'it was interrupted');
        if (!time.aborted) throw error;
        return end.failed('timed-out', `no answer after ${request.limits.totalMs / 1000} s`);
      }
    },
  };
}

function answerText(
  { about }: AgentRequest,
  { solutions, questions }: Extract<Analysis, { readonly solutions: unknown }>,
): string {
  const answer = { session: about.session, round: about.round, solutions, questions };
  return JSON.stringify(Proposal.parse(answer), null, 2);
}

function endings(agent: string): {
  answered(text: string): AgentEnd;
  failed(category: FailureCategory, detail: string): AgentEnd;
} {
  const startedAt = new Date().toISOString();
  const started = performance.now();
  const facts = (outputBytes: number): RunFacts => ({
    agentSession: null,
    model: null,
    version,
    exitCode: null,
    signal: null,
    startedAt,
    durationMs: Math.round(performance.now() - started),
    outputBytes,
    tokens: null,
    costUsd: null,
    unknownEvents: 0,
    filesChanged: [],
    notes: ['built-in analyst: no model was asked'],
  });
  return {
    answered: (text) => ({ ok: true, text, facts: facts(Buffer.byteLength(text)) }),
    failed: (category, detail) => ({
      ok: false,
      failure: { category, agent, detail, retry_after_ms: null },
      facts: facts(0),
    }),
  };
}
