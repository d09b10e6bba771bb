import type { Repository } from '../../git/repository.ts';
import { timeLimit } from '../../context/time-limit.ts';
import type { FailureCategory } from '../../model/agent-failure.ts';
import { Proposal, type ProposedSolution } from '../../model/proposal.ts';
import type { Agent, AgentEnd, AgentRequest, RunFacts } from '../agent.ts';
import type { AnalystRun } from './draft.ts';
import { history } from './history.ts';
import { structure } from './structure.ts';

/** The agents that need no account: they read only the repository and its history. */
export function builtInAnalysts(repository: Repository): readonly Agent[] {
  return Object.entries({ structure, history }).map(([name, run]) =>
    analyst(name, run, repository),
  );
}

/** Of both together; changes when the same repository gives other answers. */
const version = '5';

/** An agent that reads only the repository: no program, no model, no vendor. */
function analyst(name: string, find: AnalystRun, repository: Repository): Agent {
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
        const found = yield* find({ repository, about: request.about, signal: either });
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

function answerText({ about }: AgentRequest, solution: ProposedSolution): string {
  const answer = {
    session: about.session,
    round: about.round,
    solutions: [solution],
    questions: [],
  };
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
