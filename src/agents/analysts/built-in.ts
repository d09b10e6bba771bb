// Runs the built-in analysts `structure` and `history`, whose answers are drafts made by rules.
import { partsOf } from '../../context/search/terms.ts';
import { testMap } from '../../context/tests-of.ts';
import { timeLimit } from '../../context/provider.ts';
import { type PastCommit, logCommand } from '../../git/past-commits.ts';
import { shortName } from '../../git/paths.ts';
import type { Repository } from '../../git/repository.ts';
import type { AgentEvent, FailureCategory } from '../../model/agent-event.ts';
import { Proposal, type ProposedSolution, type SolutionTask } from '../../model/proposal.ts';
import { listed, quoteTask } from '../../model/wording.ts';
import {
  type Agent,
  type AgentEnd,
  type AnalystInput,
  type RunFacts,
  bareTraits,
} from '../agent.ts';
import { type NamedLocation, findNamedLocations, nameWords } from './named-locations.ts';

const drafters = { structure, history };

/** Makes the agents that need no account: they read only the repository and its history. */
export function builtInAnalysts(repository: Repository): readonly Agent[] {
  return Object.entries(drafters).map(([name, run]) => analyst(name, run, repository));
}

/** The version of both analysts; raise it when the same repository leads to different answers. */
const version = '7';

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
  return draftOf({ ...about, places, tests, precedents: [] });
}

/** Proposes the same places with the past commits that changed them. */
async function* history(repository: Repository, about: AnalystInput): Drafting {
  if (repository.base.commit === null) return { nothing: 'there are no past commits' };
  const places = yield* findNamedLocations({ about, repository });
  if (places.length === 0) return { nothing: 'the task names no code in this repository' };
  const commits = await repository.log();
  yield { type: 'command', command: logCommand, exitCode: commits === null ? 1 : 0 };
  if (commits === null) return { nothing: 'git log could not be read' };
  const paths = places.map(({ path }) => path);
  const tests = await testsOf(places, repository);
  const precedents = precedentsOf(commits, { paths, tests, words: nameWords(about.task) });
  if (precedents.length === 0)
    return { nothing: 'no past commit changed the places that the task names' };
  return draftOf({ ...about, places, tests, precedents });
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

/** The facts that rules found for a task in the repository at its base. */
interface Findings {
  readonly task: string;
  readonly constraints: readonly string[];
  /** The places, the most certain first; at least one. */
  readonly places: readonly NamedLocation[];
  /** The tests of these places. */
  readonly tests: readonly string[];
  /** Past commits that changed one of the places. */
  readonly precedents: readonly PastCommit[];
}

/** Placeholder values that the shape of a solution needs, because no model has judged it. */
const unknown = { feasibility: 0.5, effort: 'medium', risk: 'medium' } as const;

/** Makes a draft, which says where to begin and what to read, not what to write. */
function draftOf(found: Findings): ProposedSolution {
  const { places, precedents } = found;
  const tests = [...new Set(found.tests)];
  const tasks = tasksOf({ ...found, tests });
  return {
    name: `Draft: change ${listed(places.map(subjectOf))}`.slice(0, 200),
    summary: `No model has read the task. It names ${listed(places.map(namedAs))}${listedTests(tests)}.`,
    ...unknown,
    implementation_plan: {
      approach: approachOf(found),
      tasks,
      execution_flow: tasks.map(({ id }) => id).join(' → '),
      milestones: [],
    },
    dependencies: { internal: [], external: [] },
    technical_concerns: [],
    pros: [
      'It plans only places that the task names.',
      ...(tests.length > 0 ? [`These places have tests: ${listed(tests)}.`] : []),
      ...precedents.map(({ id, subject }) => `Precedent: ${showCommand(id)}, “${subject}”.`),
    ],
    cons: [
      'Rules found the places; what to write there is still open.',
      ...(tests.length === 0 ? ['No test is named after these places.'] : []),
      ...found.constraints.map(
        (constraint) => `Not checked against your constraint “${constraint}”.`,
      ),
    ],
    claims: places.flatMap(claimOn),
  };
}

function tasksOf({ task, places, tests }: Findings): SolutionTask[] {
  const change: SolutionTask = {
    id: 'T1',
    depends_on: [],
    name: `Change ${listed(places.map(subjectOf))}`,
    files: places.map(({ path, line }) => ({ file: path, line, action: 'modify' })),
    key_point: `Carry out the task ${quoteTask(titleOf(task))}.`,
  };
  const tested: SolutionTask = {
    id: 'T2',
    depends_on: ['T1'],
    name: `Test the change in ${listed(tests.map(shortName))}`,
    files: tests.map((file) => ({ file, action: 'modify' })),
    key_point: 'Add a test that fails without the change and passes with it.',
  };
  return tests.length === 0 ? [change] : [change, tested];
}

/** The title of a task; a pasted issue has it in the first paragraph. */
function titleOf(task: string): string {
  return task.trim().split(/\n\s*\n/, 1)[0] ?? task;
}

function approachOf({ places, precedents }: Findings): string {
  const read = precedents.map(({ id }) => showCommand(id));
  const first =
    read.length === 0 ? '' : `Read ${listed(read)} first, which changed these places before. `;
  const starts = places.map(({ path, line }) => `${path}:${line}`);
  return `${first}Begin at ${listed(starts)}, and write there what the task asks for.`;
}

function showCommand(commit: string): string {
  return `"git show ${commit.slice(0, 7)}"`;
}

/** The definition that the task names, or else the file. */
function subjectOf({ path, definition }: NamedLocation): string {
  return definition === null ? shortName(path) : `${definition.name} in ${shortName(path)}`;
}

function namedAs({ path, line, by }: NamedLocation): string {
  return by === path ? path : `“${by}” (${path}:${line})`;
}

function listedTests(tests: readonly string[]): string {
  return tests.length === 0 ? '' : `, tested by ${listed(tests)}`;
}

const longestQuote = 120;

function claimOn({ path, definition }: NamedLocation): ProposedSolution['claims'] {
  const quote = definition?.text.trim().slice(0, longestQuote).trim() ?? '';
  if (definition === null || quote === '') return [];
  return [{ statement: `${path} defines ${definition.name}`, path, line: definition.line, quote }];
}
