// Writes the answers of the built-in analysts: solutions that rules made from the code and its history.
import { partsOf } from '../../context/search/terms.ts';
import { testMap } from '../../context/tests-of.ts';
import { type PastCommit, logCommand } from '../../git/past-commits.ts';
import { shortName } from '../../git/paths.ts';
import type { Repository } from '../../git/repository.ts';
import type { AgentEvent } from '../../model/agent-event.ts';
import { Proposal, type ProposedSolution, type SolutionTask } from '../../model/proposal.ts';
import { listed, quoteTask } from '../../model/wording.ts';
import type { AnalystInput } from '../agent.ts';
import { type NamedLocation, findNamedLocations, nameWords } from './named-locations.ts';

/**
 * Drafts a solution that changes the code which the task names, with its tests; `history` adds the past commits
 * that changed these places. Yields what the analyst does; ends with the answer, or with a clause that says why
 * it has none.
 */
export async function* draftSolution(
  name: string,
  repository: Repository,
  about: AnalystInput,
): AsyncGenerator<AgentEvent, { readonly text: string } | { readonly nothing: string }, undefined> {
  const isHistory = name === 'history';
  if (isHistory && repository.base.commit === null) return { nothing: 'there are no past commits' };
  const places = yield* findNamedLocations({ about, repository });
  if (places.length === 0) return { nothing: 'the task names no code in this repository' };
  const paths = places.map(({ path }) => path);
  const map = testMap(await repository.files());
  const tests = paths.flatMap((path) => map.of(path));
  const draft = { ...about, places, tests, precedents: [] };
  if (!isHistory) return { text: answerText(about, draftOf(draft)) };
  const commits = await repository.log();
  yield { type: 'command', command: logCommand, exitCode: commits === null ? 1 : 0 };
  if (commits === null) return { nothing: 'git log could not be read' };
  const precedents = precedentsOf(commits, { paths, tests, words: nameWords(about.task) });
  if (precedents.length === 0)
    return { nothing: 'no past commit changed the places that the task names' };
  return { text: answerText(about, draftOf({ ...draft, precedents })) };
}

function answerText({ session, round }: AnalystInput, solution: ProposedSolution): string {
  const answer = { session, round, recommended: null, solutions: [solution], questions: [] };
  return JSON.stringify(Proposal.parse(answer), null, 2);
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
