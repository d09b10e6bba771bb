import { folderOf, shortName, shortNames } from '../../git/paths.ts';
import { siblingsOf } from '../../context/siblings.ts';
import type { ProposedSolution } from '../../model/proposal.ts';
import { counted, listed } from '../../model/wording.ts';
import { clustersOf, type Cluster } from './clusters.ts';
import { claimsOn, patternClaim } from './evidence.ts';
import { changesWhatIsThere } from './leading-verb.ts';
import { effortFor, feasibilityFor, riskFor } from './rating.ts';
import { orderedTasks, type Piece } from './pieces.ts';
import { followedByTests, renamingPoints } from './renaming-points.ts';
import { concernsOf, honestCon, someOf, type Survey } from './survey.ts';
import type { Target } from './targets.ts';
import { testPiece } from './test-piece.ts';

/** Change the code where the task’s words are defined. */
export async function inPlace(survey: Survey): Promise<ProposedSolution> {
  const { targets, needles, importers, tests, first, about } = survey;
  const changes = changesWhatIsThere(about.task);
  const sibling = changes ? null : patternFor(survey);
  const content = sibling === null ? null : await survey.repository.read(sibling);
  const pieces = piecesFor(survey, sibling);
  const { tasks, flow } = orderedTasks(pieces);
  const follow = sibling === null ? '' : `, following ${sibling} where a new piece is needed`;
  const places = targets.map(placeOf);
  return {
    name: nameFor(survey, changes ? 'Change' : 'Extend'),
    summary: `Change ${counted(targets.length, 'existing file')} that the search found for the task (${someOf(places)})${tests.existing.length > 0 ? ` and extend ${counted(tests.existing.length, 'test file')}` : ''}. Found by structure; no model has judged it.`,
    feasibility: feasibilityOf(survey, sibling !== null),
    effort: effortFor(tasks.flatMap((task) => task.files)),
    risk: riskFor({ importers: importers.length, tests: tests.existing.length }),
    implementation_plan: {
      approach: `Start at ${places[0] ?? first.path}${follow}, go on with what depends on it, and end with the tests.`,
      tasks,
      execution_flow: flow,
      milestones: milestonesOf(survey),
    },
    dependencies: { internal: internalOf(targets), external: [] },
    technical_concerns: concernsOf(survey),
    pros: prosOf(survey),
    cons: [honestCon, ...consOf(survey)],
    claims: [
      ...claimsOn({ targets, needles, importers }),
      ...(sibling === null || content === null ? [] : patternClaim(sibling, content)),
    ],
  };
}

function nameFor({ first, renaming }: Survey, verb: string): string {
  if (renaming === null) return `${verb} ${subjectOf(first)} in place`.slice(0, 200);
  return `${renaming.old.isMove ? 'Move' : 'Rename'} ${renaming.old.name} where it stands and where it is used`;
}

/** A neighbour of the same kind; one that the search found too if there is one. */
function patternFor({ first, all, about, targets }: Survey): string | null {
  const own = new Set(targets.map(({ path }) => path));
  const siblings = siblingsOf(first.path, all).siblings.filter((path) => !own.has(path));
  const found = new Set(about.context.relevant_files.map(({ path }) => path));
  return siblings.find((path) => found.has(path)) ?? siblings[0] ?? null;
}

/** What is known for sure, so that the number says how strong the evidence is. */
export function feasibilityOf({ first, about, tests }: Survey, hasSibling: boolean): number {
  const file = about.context.relevant_files.find(({ path }) => path === first.path);
  const second = about.context.relevant_files.find(({ path }) => path !== first.path);
  return feasibilityFor([
    [first.exact, 0.15],
    [first.matched.length > 0, 0.05],
    [(file?.reasons.length ?? 0) >= 2, 0.05],
    [tests.existing.length > 0, 0.05],
    [hasSibling, 0.05],
    [(file?.score ?? 0) > 1.3 * (second?.score ?? 0), 0.05],
  ]);
}

function piecesFor(survey: Survey, sibling: string | null): readonly Piece[] {
  const byCluster = new Map<Cluster, Piece>();
  for (const cluster of clustersOf(survey.targets)) {
    const after = cluster.needs.flatMap((needed) => byCluster.get(needed) ?? []);
    byCluster.set(cluster, clusterPiece(cluster, { survey, sibling, after }));
  }
  const changes = [...byCluster.values()];
  const tests = testPiece(survey.tests, changes);
  if (tests === null) return changes;
  return [...changes, survey.renaming === null ? tests : followedByTests(tests, survey.renaming)];
}

function clusterPiece(
  { targets }: Cluster,
  context: {
    readonly survey: Survey;
    readonly sibling: string | null;
    readonly after: readonly Piece[];
  },
): Piece {
  const { survey, sibling, after } = context;
  const own = new Set(targets.map(({ path }) => path));
  const importing = survey.importers.filter(({ target }) => own.has(target));
  const importers = [...new Set(importing.map(({ path }) => path))];
  const defining = targets.filter(({ matched }) => matched.length > 0);
  const points = [
    ...(survey.renaming !== null
      ? renamingPoints(survey.renaming, own)
      : defining.length > 0
        ? [`What the task asks is done at ${listed(defining.map(definitionPlace))}.`]
        : []),
    ...(sibling !== null && own.has(survey.first.path)
      ? [`A new piece has the shape of ${sibling}.`]
      : []),
    ...(importers.length > 0 && survey.renaming === null ? [importersPoint(importers)] : []),
  ];
  return {
    name: `Change ${listed([...new Set(targets.slice(0, 3).map(subjectOf))])} in ${folderOf(targets[0]?.path ?? '') || 'the root'}`,
    files: targets.map(({ path, line }) => ({ file: path, line, action: 'modify' })),
    keyPoint: points.length > 0 ? points.join(' ') : null,
    after,
  };
}

function definitionPlace({ matched, path }: Target): string {
  const names = listed([...new Set(matched.map(({ name }) => name))].slice(0, 3));
  return `${names} in ${shortName(path)}`;
}

function importersPoint(importers: readonly string[]): string {
  const [imports, works] = importers.length === 1 ? ['imports', 'works'] : ['import', 'work'];
  return `${someOf(importers)}, which ${imports} what changes here, still ${works}.`;
}

/** The definition that the task names, else the file. */
function subjectOf({ exact, matched, path }: Target): string {
  return (exact ? matched[0]?.name : undefined) ?? shortName(path);
}

function placeOf({ path, line }: Target): string {
  return `${path}:${line}`;
}

function milestonesOf({ targets, tests }: Survey): string[] {
  const changed = `${listed(shortNames(targets.slice(0, 3).map(({ path }) => path)))} changed`;
  const tested = tests.existing.length + tests.created.length > 0;
  return tested ? [changed, 'The extended tests pass'] : [changed];
}

function internalOf(targets: readonly Target[]): string[] {
  const imported = targets.flatMap((target) => target.imports.map((edge) => edge.target));
  return [...new Set(imported)].slice(0, 8);
}

function prosOf({ targets, tests }: Survey): string[] {
  const pros = [`Adds no module: it changes ${counted(targets.length, 'existing file')}.`];
  if (tests.existing.length > 0) {
    pros.push(`Tests with the names of changed files exist: ${someOf(tests.existing)}.`);
  }
  return pros;
}

function consOf({ first }: Survey): string[] {
  const lines = first.content.split('\n').length;
  return lines > 300 ? [`${first.path} is already ${lines} lines long.`] : [];
}
