// Makes an analyst’s draft by rules from what it found.
import type { Partner } from '../../context/package/changed-together.ts';
import type { PastCommit } from '../../git/past-commits.ts';
import { shortName } from '../../git/paths.ts';
import type { ProposedSolution, SolutionTask } from '../../model/proposal.ts';
import { counted, listed, quoteTask } from '../../model/wording.ts';
import type { NamedLocation } from './named-locations.ts';

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
  /** Files that mostly changed when one of the places did. */
  readonly companions: readonly Partner[];
}

/** Placeholder values that the shape of a solution needs, because no model has judged it. */
const unknown = { feasibility: 0.5, effort: 'medium', risk: 'medium' } as const;

/** Makes a draft, which says where to begin and what to read, not what to write. */
export function draftOf(found: Findings): ProposedSolution {
  const { places, precedents, companions } = found;
  const tests = [...new Set(found.tests)];
  const tasks = tasksOf({ ...found, tests });
  const alone =
    companions.length === 0
      ? ''
      : ` and ${counted(companions.length, 'file')} that changed with it`;
  return {
    name: `Draft: change ${listed(places.map(subjectOf))}${alone}`.slice(0, 200),
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

function tasksOf({ task, places, companions, tests }: Findings): SolutionTask[] {
  const change = {
    name: `Change ${listed(places.map(subjectOf))}`,
    files: places.map(({ path, line }) => ({ file: path, line, action: 'modify' as const })),
    key_point: `Carry out the task ${quoteTask(titleOf(task))}.`,
  };
  const along = companions.map(({ path, of, together, total }) => ({
    name: `See whether ${shortName(path)} has to change too`,
    files: [{ file: path, action: 'modify' as const }],
    key_point: `Change ${path} where the change in ${of} calls for it: it changed in ${together} of the ${total} small commits that changed ${of}.`,
  }));
  const tested = {
    name: `Test the change in ${listed(tests.map(shortName))}`,
    files: tests.map((file) => ({ file, action: 'modify' as const })),
    key_point: 'Add a test that fails without the change and passes with it.',
  };
  const works = [change, ...along, ...(tests.length > 0 ? [tested] : [])];
  return works.map((work, index) => ({
    id: `T${index + 1}`,
    depends_on: index === 0 ? [] : [`T${index}`],
    ...work,
  }));
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
