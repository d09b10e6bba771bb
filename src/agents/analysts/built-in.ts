// Makes the built-in analysts `structure` and `history`, whose answers are drafts made by rules.
import { timeLimit } from '../../context/provider.ts';
import type { Repository } from '../../git/repository.ts';
import type { FailureCategory } from '../../model/agent-event.ts';
import { analystNames } from '../../model/agent-settings.ts';
import { type Agent, type AgentEnd, bareTraits, noFacts } from '../agent.ts';

/** Makes the agents that need no account: they read only the repository and its history. */
export function builtInAnalysts(repository: Repository): readonly Agent[] {
  return analystNames.map((name) => analyst(name, repository));
}

/** The version of both analysts; raise it when the same repository leads to different answers. */
const version = '7';

/** Makes an agent that reads only the repository: no program, no model, no vendor. */
function analyst(name: string, repository: Repository): Agent {
  return {
    name,
    traits: bareTraits(name),
    kind: 'analyst',
    ready: async () => ({ state: 'ready', path: null, version }),
    vendorOf: () => null,
    async *run({ about, limits }, signal) {
      if (about === null) throw new Error('the analysts only plan');
      const startedAt = new Date().toISOString();
      const since = performance.now();
      const facts = () => {
        return { ...ownFacts, startedAt, durationMs: Math.round(performance.now() - since) };
      };
      const failed = (category: FailureCategory, detail: string): AgentEnd => {
        const failure = { category, agent: name, detail, retry_after_ms: null };
        return { ok: false, failure, facts: facts() };
      };
      const time = timeLimit(limits.totalMs);
      const either = AbortSignal.any([signal, time]);
      yield { type: 'started', agentSession: null, model: null, version };
      try {
        either.throwIfAborted();
        const { draftSolution } = await import('./draft-solution.ts');
        const found = yield* draftSolution(name, repository, about);
        either.throwIfAborted();
        if ('nothing' in found) return failed('empty-answer', found.nothing);
        yield { type: 'completed', summary: null };
        const { text } = found;
        return { ok: true, text, facts: { ...facts(), outputBytes: Buffer.byteLength(text) } };
      } catch (error) {
        if (signal.aborted) return failed('cancelled', 'it was interrupted');
        if (!time.aborted) throw error;
        return failed('timed-out', `no answer after ${limits.totalMs / 1000} s`);
      }
    },
  };
}

/** The facts of a run without a program or a model. */
const ownFacts = {
  ...noFacts,
  version,
  notes: ['built-in analyst: no model was asked'],
};
