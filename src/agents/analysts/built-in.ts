// Runs the built-in analysts `structure` and `history` as agents like all others.
import { kindOf } from '../../context/file-kinds.ts';
import { partnersOf } from '../../context/package/changed-together.ts';
import { partsOf } from '../../context/search/terms.ts';
import { testMap } from '../../context/tests-of.ts';
import { timeLimit } from '../../context/time-limit.ts';
import { type PastCommit, logCommand } from '../../git/past-commits.ts';
import type { Repository } from '../../git/repository.ts';
import type { AgentEvent } from '../../model/agent-event.ts';
import type { FailureCategory } from '../../model/agent-failure.ts';
import { Proposal, type ProposedSolution } from '../../model/proposal.ts';
import {
  type Agent,
  type AgentEnd,
  type AnalystInput,
  bareTraits,
  type RunFacts,
} from '../agent.ts';
import { draftOf } from './draft.ts';
import { type NamedLocation, findNamedLocations } from './named-locations.ts';
import { namesIn } from './task-names.ts';

const drafters = { structure, history };

/** Makes the agents that need no account: they read only the repository and its history. */
export function builtInAnalysts(repository: Repository): readonly Agent[] {
  return Object.entries(drafters).map(([name, run]) => analyst(name, run, repository));
}

/** The version of both analysts; raise it when the same repository leads to different answers. */
const version = '6';

/** Makes an agent that reads only the repository: no program, no model, no vendor. */
function analyst(name: string, find: typeof structure, repository: Repository): Agent {
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
        return { ...noFacts, startedAt, durationMs: Math.round(performance.now() - since) };
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
        const found = yield* find(repository, about);
        either.throwIfAborted();
        if ('nothing' in found) return failed('empty-answer', found.nothing);
        yield { type: 'completed', summary: null };
        const text = answerText(about, found);
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
const noFacts: Omit<RunFacts, 'startedAt' | 'durationMs'> = {
  agentSession: null,
  model: null,
  version,
  exitCode: null,
  signal: null,
  outputBytes: 0,
  tokens: null,
  costUsd: null,
  unknownEvents: 0,
  filesChanged: [],
  notes: ['built-in analyst: no model was asked'],
};

function answerText({ session, round }: AnalystInput, solution: ProposedSolution): string {
  const answer = { session, round, recommended: null, solutions: [solution], questions: [] };
  return JSON.stringify(Proposal.parse(answer), null, 2);
}

/** Yields what an analyst does; ends with a draft, or with a clause that says why it has none. */
type Drafting = AsyncGenerator<
  AgentEvent,
  ProposedSolution | { readonly nothing: string },
  undefined
>;

/** Proposes to change the code that the task names, with its tests. */
async function* structure(repository: Repository, about: AnalystInput): Drafting {
  const places = yield* findNamedLocations({ about, repository });
  if (places.length === 0) return { nothing: 'the task names no code in this repository' };
  const tests = await testsOf(places, repository);
  return draftOf({ ...about, places, tests, precedents: [], companions: [] });
}

/** Proposes the same places with the past commits that changed them, and what changed with them. */
async function* history(repository: Repository, about: AnalystInput): Drafting {
  if (repository.base.commit === null) return { nothing: 'there are no past commits' };
  const places = yield* findNamedLocations({ about, repository });
  if (places.length === 0) return { nothing: 'the task names no code in this repository' };
  const commits = await repository.log();
  yield { type: 'command', command: logCommand, exitCode: commits === null ? 1 : 0 };
  if (commits === null) return { nothing: 'git log could not be read' };
  const paths = places.map(({ path }) => path);
  const tests = await testsOf(places, repository);
  const words = namesIn(about.task).words.flatMap(({ text, isName }) => (isName ? [text] : []));
  const precedents = precedentsOf(commits, { paths, tests, words });
  if (precedents.length === 0)
    return { nothing: 'no past commit changed the places that the task names' };
  const known = new Set(await repository.files());
  const companions = partnersOf(paths, commits)
    .filter(({ path }) => known.has(path) && !tests.includes(path) && kindOf(path) === 'source')
    .slice(0, mostCompanions);
  return draftOf({ ...about, places, tests, precedents, companions });
}

async function testsOf(
  places: readonly NamedLocation[],
  repository: Repository,
): Promise<readonly string[]> {
  const map = testMap(await repository.files());
  return places.flatMap(({ path }) => map.of(path));
}

/** The most files of a commit that counts: larger ones moved or reformatted them. */
const mostFiles = 20;
const mostPrecedents = 3;
const mostCompanions = 3;

/**
 * The precedents: first commits with words of the task in their subject, then those that changed
 * little else.
 */
function precedentsOf(
  commits: readonly PastCommit[],
  near: {
    readonly paths: readonly string[];
    readonly tests: readonly string[];
    readonly words: readonly string[];
  },
): readonly PastCommit[] {
  const { paths, tests, words } = near;
  const own = new Set([...paths, ...tests]);
  const said = ({ subject }: PastCommit) => {
    const parts = new Set(partsOf(subject));
    return words.filter((word) => parts.has(word)).length;
  };
  const focus = ({ files }: PastCommit) =>
    files.filter(({ path }) => own.has(path)).length / files.length;
  return commits
    .filter(({ files, isRoot }) => !isRoot && files.length <= mostFiles)
    .filter(({ files }) => files.some(({ path }) => paths.includes(path)))
    .toSorted((a, b) => said(b) - said(a) || focus(b) - focus(a))
    .slice(0, mostPrecedents);
}
