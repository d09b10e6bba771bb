import { kindOf } from '../../context/file-kinds.ts';
import type { Needle } from '../../context/needles.ts';
import { folderOf, shortName, shortNames } from '../../git/paths.ts';
import { testMap } from '../../context/tests-of.ts';
import type { ProposedSolution } from '../../model/proposal.ts';
import { counted, listed } from '../../model/wording.ts';
import type { AgentRequest } from '../agent.ts';
import type { Partner } from '../../context/package/history-insights.ts';
import { clustersOf, type Cluster } from './clusters.ts';
import type { CommitMatch } from './commit-match.ts';
import { claimsOn } from './evidence.ts';
import { atLeastMedium, effortFor, feasibilityFor, riskFor } from './rating.ts';
import { orderedTasks, type Piece } from './pieces.ts';
import { someOf, unchecked } from './survey.ts';
import type { Target } from './targets.ts';
import { testFilesOf, testPiece, type TestFiles } from './test-piece.ts';

/** One past commit as a pattern, with what it touched as read at the base. */
interface Precedent {
  readonly about: AgentRequest['about'];
  readonly all: readonly string[];
  readonly needles: readonly Needle[];
  readonly match: CommitMatch;
  readonly targets: readonly Target[];
  readonly partners: readonly Partner[];
}

/** Do again what a commit that is like the task did. */
export function likeCommit(precedent: Precedent): ProposedSolution {
  const { about, needles, match, targets } = precedent;
  const { commit } = match;
  const id = commit.id.slice(0, 7);
  const changed = targets.filter(({ path }) => kindOf(path) !== 'test');
  const tests = testsFor(precedent);
  const partners = precedent.partners.filter(({ path }) => !tests.existing.includes(path));
  const { tasks, flow } = orderedTasks(piecesFor({ precedent, changed, tests, id }));
  const files = commit.files.map(({ path }) => path);
  return {
    name: `Like commit ${id}: ${commit.subject}`.slice(0, 200),
    summary: `Commit ${id} of ${commit.date} (“${commit.subject}”) is like the task: ${likeness(match)}. It touched ${counted(files.length, 'file')} (${someOf(files)}). Found in the history; no model has judged it.`,
    feasibility: feasibilityFor([
      [true, 0.25 * match.share],
      [match.found.length > 0, 0.05],
      [match.found.length > 1, 0.05],
      // What only tests or data went through is no pattern for a change of the code.
      [!files.some((path) => kindOf(path) === 'source'), -0.1],
    ]),
    effort: effortFor(tasks.flatMap((task) => task.files)),
    // Nobody has looked at who imports the files.
    risk: atLeastMedium(riskFor({ importers: partners.length, tests: tests.existing.length })),
    implementation_plan: {
      approach: `Read "git show ${id}" first, then make the same kind of change in the files that it touched and that still exist.`,
      tasks,
      execution_flow: flow,
      milestones: [
        'The change is made where the commit made it',
        ...(tests.existing.length + tests.created.length > 0 ? ['The tests pass'] : []),
      ],
    },
    dependencies: { internal: partners.slice(0, 6).map(({ path }) => path), external: [] },
    technical_concerns: [...togetherConcerns(partners), ...unchecked(about.constraints)],
    pros: [`There is a precedent: "git show ${id}" shows every place it touched.`],
    cons: [
      'Found in the history alone: no model has read the task or judged this.',
      ...goneCon(files, precedent.all),
    ],
    claims: claimsOn({ targets, needles, importers: [] }),
  };
}

function testsFor({ targets, all }: Precedent): TestFiles {
  const paths = targets.map(({ path }) => path);
  const plan = testFilesOf(paths, testMap(all));
  const touched = paths.filter((path) => kindOf(path) === 'test');
  const existing = [...new Set([...touched, ...plan.existing])];
  return { existing, created: existing.length > 0 ? [] : plan.created };
}

function piecesFor(work: {
  readonly precedent: Precedent;
  readonly changed: readonly Target[];
  readonly tests: TestFiles;
  readonly id: string;
}): readonly Piece[] {
  const { precedent, changed, tests, id } = work;
  const byCluster = new Map<Cluster, Piece>();
  for (const cluster of clustersOf(changed)) {
    const after = cluster.needs.flatMap((needed) => byCluster.get(needed) ?? []);
    byCluster.set(cluster, clusterPiece(cluster, { precedent, id, after }));
  }
  const changes = [...byCluster.values()];
  const last = testPiece(tests, changes);
  return last === null ? changes : [...changes, last];
}

function clusterPiece(
  { targets }: Cluster,
  work: { readonly precedent: Precedent; readonly id: string; readonly after: readonly Piece[] },
): Piece {
  const { precedent, id, after } = work;
  const touched = new Set(precedent.match.commit.files.map(({ path }) => path));
  const names = targets.map(({ path }) => path);
  const same = names.filter((path) => touched.has(path));
  const other = names.filter((path) => !touched.has(path));
  const points = [
    ...(same.length > 0
      ? [`The change in ${listed(shortNames(same))} is of the kind that "git show ${id}" shows.`]
      : []),
    ...(other.length > 0
      ? [`The search found ${listed(shortNames(other))} for the task; ${id} did not touch it.`]
      : []),
  ];
  return {
    name: `Change ${listed(names.slice(0, 3).map(shortName))} in ${folderOf(names[0] ?? '') || 'the root'}`,
    files: targets.map(({ path, line }) => ({ file: path, line, action: 'modify' })),
    keyPoint: points.join(' '),
    after,
  };
}

function likeness({ keywords, found }: CommitMatch): string {
  const parts = [
    ...(keywords.length > 0 ? [`its message has ${listed(keywords.slice(0, 4))}`] : []),
    ...(found.length > 0
      ? [`it touched ${listed(found.slice(0, 3))}, which the search found`]
      : []),
  ];
  return parts.join(', and ');
}

function togetherConcerns(partners: readonly Partner[]): string[] {
  return partners
    .slice(0, 4)
    .map(
      ({ path, of, together, total }) =>
        `${path} changed in ${together} of the ${total} small commits that touched ${of}: it may have to change too.`,
    );
}

function goneCon(files: readonly string[], all: readonly string[]): string[] {
  const known = new Set(all);
  const gone = files.filter((path) => !known.has(path));
  return gone.length === 0 ? [] : [`Gone since that commit: ${someOf(gone)}.`];
}
