import { kindOf } from '../../context/file-kinds.ts';
import { isNamedIn, type Needle } from '../../context/needles.ts';
import { endingOf, folderOf, shortName } from '../../git/paths.ts';
import type { Repository } from '../../git/repository.ts';
import { testMap } from '../../context/tests-of.ts';
import type { ProposedSolution } from '../../model/proposal.ts';
import type { AgentRequest } from '../agent.ts';
import { patternClaim } from './evidence.ts';
import { newFileBeside } from './new-file.ts';
import { effortFor, feasibilityFor } from './rating.ts';
import { orderedTasks, type Piece } from './pieces.ts';
import { honestCon, unchecked } from './survey.ts';
import { testPiece } from './test-piece.ts';

/** A new file at the most plausible place, where the search found nothing to change. */
export async function fresh(work: {
  readonly repository: Pick<Repository, 'read'>;
  readonly all: readonly string[];
  readonly needles: readonly Needle[];
  readonly about: AgentRequest['about'];
}): Promise<ProposedSolution> {
  const { repository, all, needles, about } = work;
  const pattern = patternFor(all, needles);
  const content = pattern === null ? null : await repository.read(pattern);
  const created = pattern === null ? firstFile(needles, about.task) : newFileBeside(pattern, work);
  const { tasks, flow } = orderedTasks(piecesFor({ created, pattern, all }));
  const where =
    pattern === null
      ? 'the repository has no source file yet, so place and language are guesses'
      : `${folderOf(created) || 'the root'} holds the files that come nearest`;
  return {
    name: `Start with a new file ${shortName(created)}`.slice(0, 200),
    summary: `The search found no file for this task. Create ${created}: ${where}. Found by structure; no model has judged it.`,
    feasibility: feasibilityFor([[pattern === null, -0.05]]),
    effort: effortFor(tasks.flatMap((task) => task.files)),
    risk: 'medium',
    implementation_plan: {
      approach: `Write ${created}${pattern === null ? '' : ` after the pattern of ${pattern}`} and find by hand where it is called from.`,
      tasks,
      execution_flow: flow,
      milestones: [`${shortName(created)} works by itself`],
    },
    dependencies: { internal: [], external: [] },
    technical_concerns: [
      'Nothing in the repository shows where this belongs.',
      ...unchecked(about.constraints),
    ],
    pros: ['Existing code stays as it is.'],
    cons: [honestCon, 'The place is a guess: no file matched the words of the task.'],
    claims: pattern === null || content === null ? [] : patternClaim(pattern, content),
  };
}

/** Asked where even the language is unknown. */
export function freshQuestions(all: readonly string[], task: string): readonly string[] {
  const isKnown = all.some((path) => kindOf(path) === 'source') || languageIn(task) !== null;
  return isKnown ? [] : ['The repository is empty: which language should this be written in?'];
}

function piecesFor(place: {
  readonly created: string;
  readonly pattern: string | null;
  readonly all: readonly string[];
}): readonly Piece[] {
  const { created, pattern, all } = place;
  const write: Piece = {
    name: `Write ${shortName(created)}`,
    files: [{ file: created, action: 'create' }],
    keyPoint: pattern === null ? null : `It has the shape of ${pattern}.`,
    after: [],
  };
  const test = testMap(all).newFor(created);
  const piece = testPiece({ existing: [], created: test === null ? [] : [test] }, [write]);
  return piece === null ? [write] : [write, piece];
}

/** A file in the folder whose path has most words of the task, else in the fullest one. */
function patternFor(all: readonly string[], needles: readonly Needle[]): string | null {
  const sources = all.filter((path) => kindOf(path) === 'source');
  const folders = [...Map.groupBy(sources, folderOf)].map(([folder, files]) => ({
    files,
    words: needles.filter((needle) => isNamedIn(folder, needle)).length,
  }));
  const [best] = folders.toSorted((a, b) => b.words - a.words || b.files.length - a.files.length);
  if (best === undefined) return null;
  const [usual] = [...Map.groupBy(best.files, endingOf).values()].toSorted(
    (a, b) => b.length - a.length,
  );
  return usual?.[0] ?? null;
}

function firstFile(needles: readonly Needle[], task: string): string {
  const ending = languageIn(task) ?? 'ts';
  return newFileBeside(`src/main.${ending}`, { needles, all: [] });
}

const languages: readonly (readonly [RegExp, string])[] = [
  [/\btypescript\b|\.ts\b/i, 'ts'],
  [/\bpython\b|\.py\b/i, 'py'],
  [/\brust\b|\.rs\b/i, 'rs'],
  [/\bgolang\b|\bGo\b|\.go\b/, 'go'],
  [/\bjava\b/i, 'java'],
  [/\bjavascript\b|\bnode(?:\.js)?\b|\.js\b/i, 'js'],
  [/\bruby\b|\.rb\b/i, 'rb'],
  [/\bc#|\.cs\b/i, 'cs'],
];

function languageIn(task: string): string | null {
  return languages.find(([pattern]) => pattern.test(task))?.[1] ?? null;
}
